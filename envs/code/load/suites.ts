import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { numberIn, writeExactly } from '../problems/exact-json.ts';
import type { Problem, Test } from '../problems/problem.ts';
import { parsed } from './python-problems.ts';
import {
  isFolder,
  parseJson,
  readRecords,
  readText,
  type FileRecord,
  type ReadOptions,
} from './read-records.ts';
import { pythonHead } from './python-head.ts';
import { apart } from './shown-tests.ts';

/** JSON, or JSON in a string; an empty string is nothing. */
const inText = <Schema extends z.ZodType>(where: string, schema: Schema) =>
  z.preprocess(
    (value) =>
      typeof value === 'string' ? (value.trim() === '' ? undefined : parseJson(value, where)) : value,
    schema,
  );

const id = z.union([z.int(), z.string()]).optional();
const difficulty = z.union([z.string(), z.int()]).nullish();

const suiteSchema = z.object({
  inputs: z.array(z.json()).default([]),
  outputs: z.array(z.json()).default([]),
  fn_name: z
    .string()
    .regex(/^[A-Za-z_]\w*$/)
    .nullish(),
});

const recordSchema = (where: string) =>
  z.object({
    problem_id: id,
    id,
    question: z.string(),
    starter_code: z.string().nullish(),
    difficulty,
    metadata: inText(`${where}, metadata`, z.object({ difficulty }).nullish()),
    input_output: inText(`${where}, input_output`, suiteSchema.nullish()),
    solutions: inText(`${where}, solutions`, z.array(z.string()).nullish()),
  });

const exactNumber = z.record(z.string(), z.string()).refine((value) => numberIn(value) !== undefined);
const linesSchema = z.union([
  z.string(),
  z.array(z.union([z.string(), z.number(), z.boolean(), exactNumber])),
]);
const choiceSchema = z.strictObject({ anyOf: z.array(linesSchema).min(1) });

/**
 * Yields the problem records of APPS or TACO from a JSONL file, or from a folder with a subfolder per
 * problem.
 */
export async function* suiteRecords(files: string, reading: ReadOptions): AsyncGenerator<FileRecord> {
  yield* (await isFolder(files)) ? folderRecords(files, reading) : readRecords(files, reading);
}

/**
 * A folder per problem with question.txt, input_output.json, and optionally solutions.json, starter_code.txt
 * and metadata.json.
 */
async function* folderRecords(
  folder: string,
  { onRead, signal, ...reading }: ReadOptions,
): AsyncGenerator<FileRecord> {
  const entries = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
  for (const [done, name] of entries.entries()) {
    signal?.throwIfAborted();
    const at = path.join(folder, name);
    const there = new Set(await readdir(at));
    const read = async (file: string): Promise<string | undefined> =>
      there.has(file) ? readText(path.join(at, file), { ...reading, signal }) : undefined;
    const metadata = await read('metadata.json');
    yield {
      where: at,
      value: {
        id: name,
        question: await read('question.txt'),
        metadata,
        starter_code: await read('starter_code.txt'),
        input_output: await read('input_output.json'),
        solutions: await read('solutions.json'),
      },
    };
    onRead?.({ done: done + 1, total: entries.length });
  }
}

/**
 * Parses a problem; undefined where it has no tests.
 *
 * @throws UsageError that names what is malformed
 */
export function suiteProblem({ where, value }: FileRecord, shown: number): Problem | undefined {
  const record = parsed(recordSchema(where), value, where);
  const { inputs, outputs, fn_name: name } = record.input_output ?? { inputs: [], outputs: [] };
  if (inputs.length !== outputs.length)
    throw new UsageError({
      where: `${where}, input_output`,
      what: `it has ${inputs.length} inputs and ${outputs.length} outputs.`,
      fix: 'Fix or remove the problem.',
    });
  const tests = inputs.map((input, at) =>
    testOf(input, outputs[at] as Json, {
      called: typeof name === 'string',
      where: `${where}, input_output ${at + 1}`,
    }),
  );
  if (tests.length === 0) return undefined;
  const [solution, ...others] = record.solutions ?? [];
  const starter = record.starter_code ?? '';
  const form =
    typeof name === 'string'
      ? ({ kind: 'function', name, wholeKeys: true } as const)
      : ({ kind: 'lines' } as const);
  const asked =
    form.kind === 'lines'
      ? 'Write a program that reads from standard input and prints the answer.'
      : `Write a function ${form.name}, or a class Solution with such a method.`;
  return {
    name: String(record.problem_id ?? record.id ?? where), // titles may repeat
    family: String(record.difficulty ?? record.metadata?.difficulty ?? 'suite'),
    statement: [record.question.trim(), asked, ...(starter === '' ? [] : ['Begin with:', starter])].join(
      '\n',
    ),
    form,
    ...apart(tests, shown),
    solutions: solution === undefined ? {} : { python: solution },
    preamble: pythonHead,
    ...(others.length === 0 ? {} : { otherSolutions: { python: others } }),
  };
}

function testOf(
  input: Json,
  output: Json,
  { called, where }: { readonly called: boolean; readonly where: string },
): Test {
  if (!called) {
    const choice = choiceSchema.safeParse(output);
    const answers = choice.success ? choice.data.anyOf : [parsed(linesSchema, output, where)];
    return { kind: 'lines', given: textOf(parsed(linesSchema, input, where)), expected: answers.map(textOf) };
  }
  const given = Array.isArray(input) ? (input as readonly Json[]) : [input];
  // Many files wrap the result in a list of one; others do not.
  const inner = Array.isArray(output) && output.length === 1 ? [(output as readonly Json[])[0] as Json] : [];
  return { kind: 'call', given, expected: output, ...(inner.length === 0 ? {} : { also: inner }) };
}

const textOf = (lines: z.output<typeof linesSchema>): string =>
  typeof lines === 'string'
    ? lines
    : lines.map((line) => (typeof line === 'string' ? line : writeExactly(line))).join('\n');
