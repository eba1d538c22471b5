import { UsageError } from '../../core/errors.ts';
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
  /** Problems that were passed over because they have no tests. */
  readonly untested: number;
}

/** Failed solutions that an error names. */
const named = 5;

/** Reads the problems that the config names, and holds their own solutions to their tests. @throws UsageError that names what is wrong */
export async function loadProblems(config: CodeConfig, judge: Judge, signal: AbortSignal): Promise<LoadedProblems> {
  const { problems: source, language } = config;
  if (source.kind === 'own') throw new UsageError({ where: 'config of code-v1, problems', what: 'our own problems are in no file.', mend: 'Leave it out.' });
  if (config.pieces > 0) throw new UsageError({ where: 'config of code-v1, pieces', what: 'problems of files have no pieces.', mend: 'Leave it out: there, programs are written.' });
  const { problems, untested } = await read(source);
  if (problems.length === 0) throw new UsageError({ where: `problems of kind ${source.kind}`, what: 'there are none.', mend: 'Name a file or folder that has some.' });
  if (language !== 'python' && problems.some(({ hidden }) => hidden.some(({ kind }) => kind === 'script'))) {
    throw new UsageError({ where: 'config of code-v1, language', what: `the tests of ${source.kind} are Python.`, mend: 'Set language=python.' });
  }
  const whole = config.checkSolutions ? await held(problems, { judge, language, atOnce: config.atOnce }, signal) : problems;
  return { panel: source.split, problems: whole, untested };
}

async function read(source: Exclude<CodeConfig['problems'], { readonly kind: 'own' }>): Promise<Pick<LoadedProblems, 'problems' | 'untested'>> {
  if (source.kind === 'suites') return readSuites(source.files, source.visible);
  const records = await readRecords(source.file);
  return { problems: records.map(source.kind === 'humaneval' ? humanEvalProblem : mbppProblem), untested: 0 };
}

/** The problems, after their solutions passed their hidden tests; examples of the statement that they do not pass are dropped. */
async function held(problems: readonly Problem[], of: { readonly judge: Judge; readonly language: ProgramLanguage; readonly atOnce: number }, signal: AbortSignal): Promise<readonly Problem[]> {
  const kept: Problem[] = [];
  const failed: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < problems.length; at = next++) {
      const problem = problems[at] as Problem;
      const program = problem.solutions[of.language];
      kept[at] = problem;
      if (program === undefined) continue;
      const hidden = await of.judge.report({ problem, tests: 'hidden', language: of.language, program }, signal);
      if (hidden.passed < hidden.total) failed.push(`${problem.name} (${describe(hidden)})`);
      const visible = problem.visible.length === 0 ? undefined : await of.judge.report({ problem, tests: 'visible', language: of.language, program }, signal);
      if (visible !== undefined && visible.passed < visible.total) kept[at] = { ...problem, visible: [] };
    }
  };
  await Promise.all(Array.from({ length: of.atOnce }, work));
  if (failed.length === 0) return kept;
  const more = failed.length > named ? ` and ${failed.length - named} more` : '';
  throw new UsageError({
    where: 'problems of files',
    what: `solutions fail their own tests: ${failed.toSorted().slice(0, named).join('; ')}${more}.`,
    mend: 'Mend or remove these problems, or set checkSolutions=false to take them as they are.',
  });
}

function describe({ passed, total, failures: [first] }: Report): string {
  return `${passed} of ${total} passed${first === undefined ? '' : `; first ${first.verdict}: ${first.got.split('\n').at(-1)?.slice(0, 200)}`}`;
}
