import { z } from 'zod';
import { UsageError } from '../../core/errors.ts';
import { describeIssues } from '../../core/issues.ts';
import type { Problem, Test } from '../problems/problem.ts';
import { docExamples } from './doc-examples.ts';
import type { FileRecord } from './read-records.ts';
import { apart } from './shown-tests.ts';

const humanEvalSchema = z.object({
  task_id: z.string(),
  prompt: z.string(),
  entry_point: z.string().regex(/^[A-Za-z_]\w*$/),
  canonical_solution: z.string().optional(),
  test: z.string(),
});

/**
 * A problem in the format of HumanEval: the head of a function with its docstring, and a function `check`.
 */
export function humanEvalProblem({ where, value }: FileRecord): Problem {
  const {
    task_id: name,
    prompt,
    entry_point: entry,
    canonical_solution: body,
    test,
  } = parsed(humanEvalSchema, value, where);
  const head = prompt.search(new RegExp(`^def\\s+${entry}\\s*\\(`, 'm'));
  if (head < 0)
    throw new UsageError({ where, what: `its prompt has no function ${entry}.`, fix: 'Fix or remove it.' });
  const preamble = prompt.slice(0, head);
  const { assertions, calls } = docExamples(prompt.slice(head), entry);
  return {
    name,
    family: 'humaneval',
    statement: `Complete this function. Hand in all of it, with its head.\n${prompt.trimEnd()}`,
    form: { kind: 'function', name: entry },
    visible: assertions.map((code): Test => ({ kind: 'script', code: `${preamble}${code}` })),
    hidden: [{ kind: 'script', code: `${preamble}${test}` }],
    areExamples: true,
    ...(calls.length === 0 ? {} : { told: calls }),
    solutions: body === undefined ? {} : { python: `${prompt}${body}` },
    preamble,
  };
}

const mbppSchema = z.object({
  task_id: z.union([z.int(), z.string()]),
  text: z.string().optional(),
  prompt: z.string().optional(),
  code: z.string().optional(),
  test_list: z.array(z.string()).min(1),
  test_setup_code: z.string().default(''),
  test_imports: z.array(z.string()).default([]),
});

/**
 * A problem in the format of MBPP, full or sanitized: a sentence and the assertions of `test_list`. The first
 * assertion is shown where there are others. `challenge_test_list` is ignored, as in the published evaluation.
 */
export function mbppProblem({ where, value }: FileRecord): Problem {
  const record = parsed(mbppSchema, value, where);
  const { task_id: id, text = record.prompt, code, test_list: tests } = record;
  const name = functionIn(tests, code);
  if (text === undefined || name === undefined)
    throw new UsageError({
      where,
      what: text === undefined ? 'it has neither "text" nor "prompt".' : 'its tests call no function.',
      fix: 'Fix or remove it.',
    });
  const setUp = [...record.test_imports, record.test_setup_code]
    .filter((part) => part !== '')
    .map((part) => `${part}\n`)
    .join('');
  const script = (test: string): Test => ({ kind: 'script', code: `${setUp}${test}` });
  return {
    name: `MBPP/${id}`,
    family: 'mbpp',
    statement: `${text}\nThe function is called ${name}.`,
    form: { kind: 'function', name },
    ...apart(tests.map(script), 1),
    solutions: code === undefined ? {} : { python: code.replaceAll('\r\n', '\n') },
    ...(setUp === '' ? {} : { preamble: setUp }),
  };
}

/**
 * The function under test: among the called functions the one that the code defines, else the first that is
 * not built into Python.
 */
function functionIn(tests: readonly string[], code: string | undefined): string | undefined {
  const calls = [...tests.join('\n').matchAll(/(?<![.\w])([A-Za-z_]\w*)\s*\(/g)].map(([, name = '']) => name);
  const defined = new Set([...(code ?? '').matchAll(/^(?:def|class)\s+(\w+)/gm)].map(([, name]) => name));
  const plain = new Set([
    'assert',
    'set',
    'list',
    'tuple',
    'sorted',
    'len',
    'abs',
    'round',
    'str',
    'int',
    'float',
    'dict',
    'sum',
    'max',
    'min',
    'not',
    'and',
    'or',
    'in',
    'isinstance',
    'all',
    'any',
  ]);
  return calls.find((name) => defined.has(name)) ?? calls.find((name) => !plain.has(name));
}

/**
 * Parses a record.
 *
 * @throws UsageError that names its place and what is wrong
 */
export function parsed<Value>(schema: z.ZodType<Value>, value: unknown, where: string): Value {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new UsageError({
    where,
    what: `it is not a problem of this kind: ${describeIssues(read.error)}.`,
    fix: 'Set problems.kind to the kind of the file, or fix the problem.',
  });
}
