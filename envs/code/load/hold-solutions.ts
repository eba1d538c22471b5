import type { ResetContext } from '../../core/context.ts';
import { FaultError } from '../../core/errors.ts';
import type { CodeConfig } from '../config.ts';
import type { Judge } from '../judge/judge.ts';
import type { Report } from '../judge/verdict.ts';
import type { Problem, Test } from '../problems/problem.ts';
import type { Unusable } from './unusable.ts';

/** The number of solutions of a problem that are tried, from the first on. */
const mostTried = 10;

/** What solutions are judged with. */
interface Bench {
  readonly judge: Judge;
  readonly config: Pick<CodeConfig, 'language' | 'longestProgram' | 'atOnce'>;
}

/**
 * Judges the solutions of each problem by its tests, including shown ones, in order. Returns the problem where
 * one solution passes, or where it has none; otherwise why it cannot be used. Examples that were read from the
 * statement and that its solution does not pass are dropped and counted. Progress counts solutions, because one
 * problem may have ten that take long.
 */
export async function holdSolutions(
  problems: readonly Problem[],
  bench: Bench,
  { signal, log, path }: Pick<ResetContext, 'signal' | 'log' | 'path'>,
): Promise<readonly (Problem | Unusable)[]> {
  const tried: (Problem | Unusable)[] = [];
  const counts = problems.map((problem) => programsOf(problem, bench.config).length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  let [next, done, dropped] = [0, 0, 0];
  const drop = (count: number): void => void (dropped += count);
  const advance = (by: number): void => {
    done += by;
    if (by > 0)
      log.event(path, {
        type: 'opening-advance',
        part: 'solutions held to their tests',
        done,
        total,
        without: 'checkSolutions=false',
      });
  };
  const work = async (): Promise<void> => {
    for (let at = next++; at < problems.length; at = next++) {
      let left = counts[at] ?? 0;
      const tell = (): void => {
        left -= 1;
        advance(1);
      };
      tried[at] = await tryProblem(problems[at] as Problem, { ...bench, tell, drop }, signal);
      advance(left); // these need not be tried
    }
  };
  await Promise.all(Array.from({ length: bench.config.atOnce }, work));
  if (dropped > 0)
    log.event(path, {
      type: 'opening-tally',
      part: 'examples in statements',
      name: 'not shown, as the solution of their problem does not pass them',
      count: dropped,
    });
  return tried;
}

const allOf = (
  { solutions, otherSolutions }: Problem,
  language: CodeConfig['language'],
): readonly string[] => {
  const first = solutions[language];
  return first === undefined ? [] : [first, ...(otherSolutions?.[language] ?? [])];
};

/** The solutions that are tried. */
function programsOf(problem: Problem, { language, longestProgram }: Bench['config']): readonly string[] {
  return allOf(problem, language)
    .filter(({ length }) => length <= longestProgram)
    .slice(0, mostTried);
}

/**
 * The problem with its first solution that passes and may be handed in. Otherwise the reason why the problem
 * cannot be judged, from the first solution.
 */
async function tryProblem(
  whole: Problem,
  {
    judge,
    config,
    tell,
    drop,
  }: Bench & { readonly tell: () => void; readonly drop: (count: number) => void },
  signal: AbortSignal,
): Promise<Problem | Unusable> {
  const { language } = config;
  const { otherSolutions: _others, ...problem } = whole;
  const [all, programs] = [allOf(whole, language), programsOf(whole, config)];
  if (all.length === 0) return problem;
  if (programs.length === 0)
    return { because: 'too-long', what: `${problem.name} (${describeLong(all, config)})` };
  const examples = problem.areExamples === true ? { ...problem, visible: [] } : problem; // shown tests of a suite must pass, too
  let why = '';
  try {
    for (const program of programs) {
      const hidden = await judge.report({ problem: examples, tests: 'hidden', language, program }, signal);
      tell();
      if (hidden.isWhole) {
        const held = { ...problem, solutions: { ...problem.solutions, [language]: program } };
        const { problem: usable, dropped } = await withExamples(held, { judge, language }, signal);
        drop(dropped);
        return usable;
      }
      why ||= describe(
        hidden.passed < hidden.total
          ? hidden
          : await judge.report({ problem, tests: 'visible', language, program }, signal),
      );
    }
    return {
      because: 'failing',
      what: `${problem.name} (${programs.length === 1 ? '' : `none of ${programs.length} solutions passes; the first: `}${why})`,
    };
  } catch (thrown) {
    if (!FaultError.is(thrown) || thrown.fault.kind !== 'task-broken') throw thrown;
    return { because: 'failing', what: `${problem.name} (its tests cannot be run: ${thrown.fault.message})` };
  }
}

function describeLong(all: readonly string[], { longestProgram }: Bench['config']): string {
  const shortest = Math.min(...all.map(({ length }) => length));
  return `${all.length === 1 ? 'it has' : `the shortest of ${all.length} has`} ${shortest} characters, more than longestProgram=${longestProgram}`;
}

/** The problem without those examples of its statement that its solution does not pass, and how many these are. */
async function withExamples(
  problem: Problem,
  { judge, language }: { readonly judge: Judge; readonly language: CodeConfig['language'] },
  signal: AbortSignal,
): Promise<{ readonly problem: Problem; readonly dropped: number }> {
  const program = problem.solutions[language] ?? '';
  const passes = async (visible: readonly Test[]): Promise<boolean> =>
    (await judge.report({ problem: { ...problem, visible }, tests: 'visible', language, program }, signal))
      .isWhole;
  if (problem.areExamples !== true || problem.visible.length === 0 || (await passes(problem.visible)))
    return { problem, dropped: 0 };
  const kept: Test[] = [];
  for (const test of problem.visible) if (await passes([test])) kept.push(test);
  return { problem: { ...problem, visible: kept }, dropped: problem.visible.length - kept.length };
}

function describe({ passed, total, failures: [first] }: Report): string {
  if (first === undefined) return `${passed} of ${total} passed`;
  const got = first.got.trimEnd().split('\n').at(-1)?.slice(0, 200) ?? '';
  return `${passed} of ${total} passed; first ${first.verdict}: ${got === '' ? 'it gave nothing' : got}`;
}
