import type { ResetContext } from '../../core/context.ts';
import { FaultError, UsageError } from '../../core/errors.ts';
import type { CodeConfig } from '../config.ts';
import type { Judge } from '../judge/judge.ts';
import type { Report } from '../judge/verdict.ts';
import type { Problem, ProgramLanguage } from '../problems/problem.ts';
import { humanEvalProblem, mbppProblem } from './python-problems.ts';
import { readRecords } from './read-records.ts';
import { readSuites } from './suites.ts';

/** Problems of files, as one panel. */
export interface LoadedProblems {
  readonly panel: string;
  readonly problems: readonly Problem[];
}

/** What opening needs beside the config: what was left out is said in the log. */
export type LoadContext = Pick<ResetContext, 'signal' | 'log' | 'path'>;

/** Failed solutions that an error names. */
const named = 5;
/** Solutions of a problem that are tried, the first ones. */
const mostTried = 10;

/** Reads the problems that the config names, and holds their own solutions to their tests. @throws UsageError that names what is wrong */
export async function loadProblems(config: CodeConfig, judge: Judge, context: LoadContext): Promise<LoadedProblems> {
  const { problems: source, language } = config;
  if (source.kind === 'own') throw new UsageError({ where: 'config of code-v1, problems', what: 'our own problems are in no file.', mend: 'Leave it out.' });
  if (config.pieces > 0) throw new UsageError({ where: 'config of code-v1, pieces', what: 'problems of files have no pieces.', mend: 'Leave it out: there, programs are written.' });
  const { problems, untested } = await read(source);
  const say = (name: string, count: number): void => {
    if (count > 0) context.log.event(context.path, { type: 'opening-tally', part: `problems of kind ${source.kind}`, name, count });
  };
  say('passed over, without tests', untested);
  assertNames(problems);
  if (language !== 'python' && problems.some(({ hidden }) => hidden.some(({ kind }) => kind === 'script'))) {
    throw new UsageError({ where: 'config of code-v1, language', what: `the tests of ${source.kind} are Python.`, mend: 'Set language=python.' });
  }
  const { whole, failed } = config.checkSolutions ? await held(problems, { judge, language, atOnce: config.atOnce }, context) : { whole: problems, failed: [] };
  if (failed.length > 0 && source.failing === 'refuse') throw refusal(failed);
  say('left out, whose solution fails its own tests', failed.length);
  if (whole.length === 0) throw new UsageError({ where: `problems of kind ${source.kind}`, what: 'there are none.', mend: 'Name a file or folder that has some.' });
  return { panel: source.split, problems: whole };
}

async function read(source: Exclude<CodeConfig['problems'], { readonly kind: 'own' }>): Promise<{ readonly problems: readonly Problem[]; readonly untested: number }> {
  if (source.kind === 'suites') return readSuites(source.files, source.visible);
  const records = await readRecords(source.file);
  return { problems: records.map(source.kind === 'humaneval' ? humanEvalProblem : mbppProblem), untested: 0 };
}

/** Names tell problems apart in what is said of them. @throws UsageError for one that comes twice */
function assertNames(problems: readonly Problem[]): void {
  const seen = new Set<string>();
  const twice = problems.find(({ name }) => seen.size === seen.add(name).size);
  if (twice !== undefined) throw new UsageError({ where: 'problems of files', what: `two are called ${twice.name}.`, mend: 'Give each an id of its own, or remove one.' });
}

/** The problems whose solutions passed their hidden tests, and of the others why not; examples of the statement that a solution does not pass are dropped. */
async function held(
  problems: readonly Problem[],
  of: { readonly judge: Judge; readonly language: ProgramLanguage; readonly atOnce: number },
  { signal, log, path }: LoadContext,
): Promise<{ readonly whole: readonly Problem[]; readonly failed: readonly string[] }> {
  const tried: (Problem | string)[] = [];
  let [next, done] = [0, 0];
  const work = async (): Promise<void> => {
    for (let at = next++; at < problems.length; at = next++) {
      tried[at] = await tryProblem(problems[at] as Problem, of, signal);
      done += 1;
      log.event(path, { type: 'opening-advance', part: 'solutions held to their tests', done, total: problems.length });
    }
  };
  await Promise.all(Array.from({ length: of.atOnce }, work));
  return { whole: tried.filter((each) => typeof each !== 'string'), failed: tried.filter((each) => typeof each === 'string') };
}

/** The problem with the first of its solutions that passes, or why they show that it cannot be judged: what is said is of the first. */
async function tryProblem({ otherSolutions, ...problem }: Problem, of: { readonly judge: Judge; readonly language: ProgramLanguage }, signal: AbortSignal): Promise<Problem | string> {
  const { judge, language } = of;
  const first = problem.solutions[language];
  if (first === undefined) return problem;
  const programs = [first, ...(otherSolutions?.[language] ?? [])].slice(0, mostTried);
  let why = '';
  try {
    for (const program of programs) {
      const hidden = await judge.report({ problem, tests: 'hidden', language, program }, signal);
      if (hidden.passed === hidden.total) return await withExamples({ ...problem, solutions: { ...problem.solutions, [language]: program } }, of, signal);
      why ||= describe(hidden);
    }
    return `${problem.name} (${programs.length === 1 ? '' : `none of ${programs.length} solutions passes; the first: `}${why})`;
  } catch (thrown) {
    if (!FaultError.is(thrown) || thrown.fault.kind !== 'task-broken') throw thrown;
    return `${problem.name} (its tests cannot be run: ${thrown.fault.message})`;
  }
}

/** The problem without its visible tests where its solution does not pass them. */
async function withExamples(problem: Problem, { judge, language }: { readonly judge: Judge; readonly language: ProgramLanguage }, signal: AbortSignal): Promise<Problem> {
  if (problem.visible.length === 0) return problem;
  const { passed, total } = await judge.report({ problem, tests: 'visible', language, program: problem.solutions[language] ?? '' }, signal);
  return passed < total ? { ...problem, visible: [] } : problem;
}

function refusal(failed: readonly string[]): UsageError {
  const more = failed.length > named ? ` and ${failed.length - named} more` : '';
  return new UsageError({
    where: 'problems of files',
    what: `solutions fail their own tests: ${failed.toSorted().slice(0, named).join('; ')}${more}.`,
    mend: 'Leave these problems out with problems.failing=leave-out, mend them, or set checkSolutions=false to take them as they are.',
  });
}

function describe({ passed, total, failures: [first] }: Report): string {
  if (first === undefined) return `${passed} of ${total} passed`;
  const got = first.got.trimEnd().split('\n').at(-1)?.slice(0, 200) ?? '';
  return `${passed} of ${total} passed; first ${first.verdict}: ${got === '' ? 'it gave nothing' : got}`;
}
