import type { ResetContext } from '../../core/context.ts';
import { FaultError } from '../../core/errors.ts';
import type { CodeConfig } from '../config.ts';
import type { Judge } from '../judge/judge.ts';
import type { Report } from '../judge/verdict.ts';
import type { Problem } from '../problems/problem.ts';

/** Solutions of a problem that are tried, the first ones. */
const mostTried = 10;

/** Why a problem cannot be used, as its solutions show. */
export interface Unusable {
  readonly because: 'failing' | 'too-long';
  /** Its name, and what is wrong. */
  readonly what: string;
}

const isUnusable = (tried: Problem | Unusable): tried is Unusable => 'because' in tried;

/** What solutions are held to their tests with. */
interface Bench {
  readonly judge: Judge;
  readonly config: Pick<CodeConfig, 'language' | 'longestProgram' | 'atOnce'>;
}

/** The problems whose solutions passed their hidden tests, and of the others why not; examples of the statement that a solution does not pass are dropped. */
export async function holdSolutions(problems: readonly Problem[], bench: Bench, { signal, log, path }: Pick<ResetContext, 'signal' | 'log' | 'path'>): Promise<{ readonly whole: readonly Problem[]; readonly unusable: readonly Unusable[] }> {
  const tried: (Problem | Unusable)[] = [];
  let [next, done] = [0, 0];
  const work = async (): Promise<void> => {
    for (let at = next++; at < problems.length; at = next++) {
      tried[at] = await tryProblem(problems[at] as Problem, bench, signal);
      done += 1;
      log.event(path, { type: 'opening-advance', part: 'solutions held to their tests', done, total: problems.length });
    }
  };
  await Promise.all(Array.from({ length: bench.config.atOnce }, work));
  return { whole: tried.filter((each): each is Problem => !isUnusable(each)), unusable: tried.filter(isUnusable) };
}

/** The problem with the first of its solutions that passes and may be handed in, or why they show that it cannot be judged: what is said is of the first. */
async function tryProblem({ otherSolutions, ...problem }: Problem, { judge, config: { language, longestProgram } }: Bench, signal: AbortSignal): Promise<Problem | Unusable> {
  const first = problem.solutions[language];
  if (first === undefined) return problem;
  const all = [first, ...(otherSolutions?.[language] ?? [])];
  const programs = all.filter(({ length }) => length <= longestProgram).slice(0, mostTried);
  if (programs.length === 0) {
    const shortest = Math.min(...all.map(({ length }) => length));
    return { because: 'too-long', what: `${problem.name} (${all.length === 1 ? 'it has' : `the shortest of ${all.length} has`} ${shortest} characters, more than longestProgram=${longestProgram})` };
  }
  let why = '';
  try {
    for (const program of programs) {
      const hidden = await judge.report({ problem, tests: 'hidden', language, program }, signal);
      if (hidden.passed === hidden.total) return await withExamples({ ...problem, solutions: { ...problem.solutions, [language]: program } }, { judge, language }, signal);
      why ||= describe(hidden);
    }
    return { because: 'failing', what: `${problem.name} (${programs.length === 1 ? '' : `none of ${programs.length} solutions passes; the first: `}${why})` };
  } catch (thrown) {
    if (!FaultError.is(thrown) || thrown.fault.kind !== 'task-broken') throw thrown;
    return { because: 'failing', what: `${problem.name} (its tests cannot be run: ${thrown.fault.message})` };
  }
}

/** The problem without its visible tests where its solution does not pass them. */
async function withExamples(problem: Problem, { judge, language }: { readonly judge: Judge; readonly language: CodeConfig['language'] }, signal: AbortSignal): Promise<Problem> {
  if (problem.visible.length === 0) return problem;
  const { passed, total } = await judge.report({ problem, tests: 'visible', language, program: problem.solutions[language] ?? '' }, signal);
  return passed < total ? { ...problem, visible: [] } : problem;
}

function describe({ passed, total, failures: [first] }: Report): string {
  if (first === undefined) return `${passed} of ${total} passed`;
  const got = first.got.trimEnd().split('\n').at(-1)?.slice(0, 200) ?? '';
  return `${passed} of ${total} passed; first ${first.verdict}: ${got === '' ? 'it gave nothing' : got}`;
}
