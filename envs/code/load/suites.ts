import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { numberIn, writeExactly } from '../problems/exact-json.ts';
import type { Problem, Test } from '../problems/problem.ts';
import { parsed } from './python-problems.ts';
import { isFolder, parseJson, readRecords, readText, type FileRecord } from './read-records.ts';

const inText = (where: string) => z.preprocess((value) => (typeof value === 'string' ? (value.trim() === '' ? undefined : parseJson(value, where)) : value), z.unknown());

const recordSchema = (where: string) =>
  z.object({
    problem_id: z.union([z.int(), z.string()]).optional(),
    id: z.union([z.int(), z.string()]).optional(),
    question: z.string(),
    starter_code: z.string().nullish(),
    difficulty: z.union([z.string(), z.int()]).nullish(),
    input_output: inText(where),
    solutions: inText(where),
  });

const suiteSchema = z.object({
  inputs: z.array(z.json()),
  outputs: z.array(z.json()),
  fn_name: z.string().regex(/^[A-Za-z_]\w*$/).nullish(),
});

const exactNumber = z.record(z.string(), z.string()).refine((value) => numberIn(value) !== undefined);
const linesSchema = z.union([z.string(), z.array(z.union([z.string(), z.number(), z.boolean(), exactNumber]))]);
const choiceSchema = z.strictObject({ anyOf: z.array(linesSchema).min(1) });

/** Problems as of APPS and TACO: of a JSONL file, or of a folder that has a folder for each. What has no tests is passed over and counted. */
export async function readSuites(files: string, visible: number): Promise<{ readonly problems: readonly Problem[]; readonly untested: number }> {
  const records = (await isFolder(files)) ? await folderRecords(files) : await readRecords(files);
  const problems = records.map((record) => suiteProblem(record, visible));
  const tested = problems.filter((problem) => problem !== undefined);
  return { problems: tested, untested: problems.length - tested.length };
}

/** A folder a problem, with question.txt, input_output.json, and where there are some solutions.json, starter_code.txt and metadata.json. */
async function folderRecords(folder: string): Promise<readonly FileRecord[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name).toSorted();
  return Promise.all(entries.map(async (name): Promise<FileRecord> => {
    const at = path.join(folder, name);
    const there = new Set(await readdir(at));
    const read = async (file: string): Promise<string | undefined> => (there.has(file) ? readText(path.join(at, file)) : undefined);
    const question = await read('question.txt');
    if (question === undefined) throw new UsageError({ where: at, what: 'it has no question.txt.', mend: 'Name a folder whose folders are problems.' });
    const about = parseJson((await read('metadata.json')) ?? '{}', path.join(at, 'metadata.json'));
    const difficulty = z.object({ difficulty: z.string() }).safeParse(about).data?.difficulty;
    return { where: at, value: { id: name, question, difficulty, starter_code: await read('starter_code.txt'), input_output: await read('input_output.json'), solutions: await read('solutions.json') } };
  }));
}

function suiteProblem({ where, value }: FileRecord, shown: number): Problem | undefined {
  const record = parsed(recordSchema(where), value, where);
  if (record.input_output === undefined || record.input_output === null) return undefined;
  const { inputs, outputs, fn_name: name } = parsed(suiteSchema, record.input_output, `${where}, input_output`);
  if (inputs.length !== outputs.length) throw new UsageError({ where: `${where}, input_output`, what: `it has ${inputs.length} inputs and ${outputs.length} outputs.`, mend: 'Mend or remove the problem.' });
  const tests = inputs.map((input, at) => testOf(input, outputs[at] as Json, { called: typeof name === 'string', where: `${where}, input_output ${at + 1}` }));
  if (tests.length === 0) return undefined;
  const [solution, ...others] = z.array(z.string()).catch([]).parse(record.solutions ?? []);
  const starter = record.starter_code ?? '';
  const form = typeof name === 'string' ? ({ kind: 'function', name } as const) : ({ kind: 'lines' } as const);
  const asked = form.kind === 'lines' ? 'Write a program that reads from standard input and prints the answer.' : `Write a function ${form.name}, or a class Solution with such a method.`;
  return {
    name: String(record.problem_id ?? record.id ?? where), // titles may come twice
    family: String(record.difficulty ?? 'suite'),
    statement: [record.question.trim(), asked, ...(starter === '' ? [] : ['Begin with:', starter])].join('\n'),
    form,
    visible: tests.slice(0, Math.min(shown, tests.length - 1)),
    hidden: tests,
    solutions: solution === undefined ? {} : { python: solution },
    ...(others.length === 0 ? {} : { otherSolutions: { python: others } }),
  };
}

function testOf(input: Json, output: Json, { called, where }: { readonly called: boolean; readonly where: string }): Test {
  if (!called) {
    const choice = choiceSchema.safeParse(output);
    const answers = choice.success ? choice.data.anyOf : [parsed(linesSchema, output, where)];
    return { kind: 'lines', given: textOf(parsed(linesSchema, input, where)), expected: answers.map(textOf) };
  }
  const given = Array.isArray(input) ? (input as readonly Json[]) : [input];
  // Many files have what is returned in a list of one; others have it as it is.
  const inner = Array.isArray(output) && output.length === 1 ? [(output as readonly Json[])[0] as Json] : [];
  return { kind: 'call', given, expected: output, ...(inner.length === 0 ? {} : { also: inner }) };
}

const textOf = (lines: z.output<typeof linesSchema>): string => (typeof lines === 'string' ? lines : lines.map((line) => (typeof line === 'string' ? line : writeExactly(line))).join('\n'));
