import type { Json } from '../../core/json.ts';
import { createRng, type Rng } from '../../core/rng.ts';
import type { TaskInfo, TaskRef } from '../../core/task.ts';
import { CodeExercise, examplesOf } from '../code-exercise.ts';
import type { Practice, Refused } from '../exercise.ts';
import type { Judge } from '../judge/judge.ts';
import { ownProblem, type OwnPanel } from '../problems/own-panels.ts';
import type { OwnProblem } from '../problems/own-problem.ts';
import type { ProgramLanguage } from '../problems/problem.ts';
import type { CritiqueConfig } from './config.ts';

/** Where a program may be run, and how often. */
export interface Bench {
  readonly judge: Judge;
  readonly config: CritiqueConfig;
}

/** A program to judge. */
export interface Case {
  readonly ref: TaskRef;
  readonly instruction: string;
  readonly program: string;
  readonly isRight: boolean;
  readonly info: TaskInfo;
  /** Runs the program on the visible tests; absent where nothing is run. */
  readonly test?: (signal: AbortSignal) => Promise<Practice>;
  /** Runs it on an input of the critic. */
  readonly run?: (input: string, signal: AbortSignal) => Promise<Practice | Refused>;
}

/**
 * The case of a task. A problem has two programs: the solution, and one with a slip that hidden tests detect.
 * Which comes first is random.
 *
 * @param bench undefined where programs are only read
 */
export function caseOf(
  ref: TaskRef,
  { language, runs, shownCharacters }: CritiqueConfig,
  bench: Bench | undefined,
): Case {
  const own = ownProblem(ref.panel as OwnPanel, Math.floor(ref.index / 2));
  const { problem } = own;
  const rng = createRng(0).fork('critique-v1').fork(problem.name);
  const isRight = (ref.index % 2 === 0) === (rng.fork('order').int(2) === 0);
  const program = isRight ? own.write(own.solution, language) : slipIn(own, language, rng);
  const question = `Does this program solve the problem for every input? Say right or wrong.\n${problem.statement}`;
  const instruction =
    bench === undefined
      ? question
      : [question, ...examplesOf(problem, shownCharacters), invitation(runs)].join('\n');
  const content: Json = { instruction, program, isRight };
  const stated = {
    ref,
    instruction,
    program,
    isRight,
    info: { family: problem.family, instruction, content },
  };
  if (bench === undefined) return stated;
  const exercise = new CodeExercise(ref, problem, { ...bench, assembly: undefined });
  return {
    ...stated,
    test: (signal) => exercise.practice(program, signal),
    run: (input, signal) => exercise.tryOn(program, input, signal),
  };
}

/**
 * A program with a slip that is plausible in every language. A slip such as `x + 0`, or a branch without
 * effect, would look wrong.
 */
function slipIn(own: OwnProblem, language: ProgramLanguage, rng: Rng): string {
  const tells = (text: string): number => text.match(oddities)?.length ?? 0;
  const usual = tells(own.write(own.solution, language));
  const slips = own
    .mutants()
    .filter(({ slip }) => slip !== 'too slow')
    .map(({ program }) => ({ program, text: own.write(program, language) }));
  const usable = slips.filter(({ text }) => tells(text) <= usual);
  const drawn = rng.fork('mutant').pick(usable);
  return own.isWrongInAnyLanguage(drawn.program)
    ? drawn.text
    : rng.fork('another').pick(usable.filter(({ program }) => own.isWrongInAnyLanguage(program))).text;
}

/**
 * Patterns of implausible code in either language: a branch without effect, a sign after another sign, as in
 * `count = -1`, numbers that change nothing or erase the other operand, and a constant condition.
 */
const oddities =
  /\bpass\b|\/\/ nothing|[-+*/%=] -|[-+] 0(?![\d.])|[*/%] [01](?![\d.])|\b(?:if|while) \(?(?:True|False|true|false)\b/g;

const invitation = (runs: number): string =>
  `Before you say it you may, ${runs === 1 ? 'once' : `${runs} times`} at most, say test, which runs the program on these examples, or run and an input of your own.`;
