import type { Json } from '../core/json.ts';
import type { TaskRef } from '../core/task.ts';
import type { Assembly } from './assembly.ts';
import type { CodeConfig } from './config.ts';
import type { Exercise, Judgement, Practice, Refused } from './exercise.ts';
import type { Judge } from './judge/judge.ts';
import { describeRun, type Failure, type Report } from './judge/verdict.ts';
import { clipped, ending } from './observation.ts';
import { argumentsIn } from './own-input.ts';
import { simplePrograms } from './simple-programs.ts';
import { writeExactly } from './problems/exact-json.ts';
import { contentOf, type Problem, type ProgramLanguage, type Test } from './problems/problem.ts';

/** The least length of a secret. Shorter texts could appear anywhere by chance. */
const shortestSecret = 24;

type Shown = Pick<CodeConfig, 'shownFailures' | 'shownCharacters' | 'language'>;

/** A problem with tests as an exercise. */
export class CodeExercise implements Exercise {
  readonly ref: TaskRef;
  readonly family: string;
  readonly instruction: string;
  readonly assembly: Assembly | undefined;
  readonly solution: string | undefined;
  readonly simple: readonly string[];
  readonly #problem: Problem;
  readonly #judge: Judge;
  readonly #shown: Shown;

  constructor(
    ref: TaskRef,
    problem: Problem,
    of: { readonly judge: Judge; readonly config: Shown; readonly assembly: Assembly | undefined },
  ) {
    const { language } = of.config;
    this.ref = ref;
    this.#problem = problem;
    this.#judge = of.judge;
    this.#shown = of.config;
    this.family = problem.family;
    this.instruction = instructionOf(problem, language, of.config.shownCharacters);
    this.assembly = of.assembly;
    this.solution = problem.solutions[language];
    this.simple = simplePrograms(problem, language);
  }

  get content(): Json {
    return {
      ...(contentOf(this.#problem) as Readonly<Record<string, Json>>),
      ...(this.assembly === undefined ? {} : { start: this.assembly.write(this.assembly.start) }),
    };
  }

  get secrets(): readonly string[] {
    const visible = new Set(this.#problem.visible.map(textOf));
    return this.#problem.hidden
      .map(textOf)
      .filter((text) => text.length >= shortestSecret && !visible.has(text));
  }

  async practice(program: string, signal: AbortSignal): Promise<Practice> {
    if (this.#problem.visible.length === 0) return { said: 'There are no visible tests.' };
    const report = await this.#report('visible', program, signal);
    return { said: this.#describe(report), passed: report.passed, total: report.total };
  }

  async tryOn(program: string, input: string, signal: AbortSignal): Promise<Practice | Refused> {
    const given = this.#problem.form.kind === 'lines' ? input : argumentsIn(input);
    if (typeof given === 'object' && 'refused' in given) return given;
    const run = await this.#judge.tryOn(
      { problem: this.#problem, language: this.#shown.language, program, input: given },
      signal,
    );
    const most = this.#shown.shownCharacters;
    const printed =
      run.printed === '' || run.kind === 'printed' ? '' : `\nIt printed: ${clipped(run.printed, most)}`;
    return { said: `It gave: ${ending(describeRun(run), most)}${printed}` };
  }

  async judge(program: string, signal: AbortSignal): Promise<Judgement> {
    const { total, passed, isWhole, formed } = await this.#report('hidden', program, signal);
    const shown = passed === total && !isWhole ? ' What is shown was not all right.' : '';
    return {
      share: total === 0 ? 0 : passed / total,
      solved: total > 0 && isWhole,
      formed,
      said: `Hidden tests: ${passed} of ${total} passed.${shown}`,
    };
  }

  #report(tests: 'visible' | 'hidden', program: string, signal: AbortSignal): Promise<Report> {
    return this.#judge.report(
      { problem: this.#problem, tests, language: this.#shown.language, program },
      signal,
    );
  }

  #describe({ total, passed, failures }: Report): string {
    const { shownFailures } = this.#shown;
    const [first] = failures;
    if (first !== undefined && (first.verdict === 'unreadable' || first.verdict === 'missing'))
      return `Visible tests: none of ${total} passed.\n${ending(first.got, this.#shown.shownCharacters)}`;
    const lines = failures.slice(0, shownFailures).map((failure) => this.#describeFailure(failure));
    const more = failures.length - lines.length;
    return [
      `Visible tests: ${passed} of ${total} passed.`,
      ...lines,
      ...(more > 0 ? [`${more} more failed.`] : []),
    ].join('\n');
  }

  #describeFailure({ verdict, given, expected, got }: Failure): string {
    const most = this.#shown.shownCharacters;
    const { form } = this.#problem;
    if (expected === undefined)
      return `${clipped(given, most)} failed${got === '' ? '' : `: ${ending(got.trimEnd(), most)}`}`;
    const input =
      form.kind === 'function' && !given.includes('\n')
        ? `${form.name}(${clipped(given, most)})`
        : clipped(given.trimEnd(), most);
    const answer =
      verdict === 'wrong' ? `gave ${clipped(got.trimEnd(), most)}` : `failed: ${ending(got.trimEnd(), most)}`;
    return `${input} is to give ${clipped(expected.trimEnd(), most)}, ${answer}`;
  }
}

const textOf = (test: Test): string => {
  if (test.kind === 'script') return test.code;
  return test.kind === 'call' ? test.given.map(writeExactly).join(', ') : test.given.trimEnd();
};

/** The statement with the language and the visible tests as examples. */
function instructionOf(problem: Problem, language: ProgramLanguage, most: number): string {
  const named = language === 'python' ? 'Python' : 'JavaScript (Node.js)';
  return [`Solve this in ${named}.`, problem.statement, ...examplesOf(problem, most)].join('\n');
}

/**
 * The visible tests in words under a heading, at most `most` characters per part; empty where there are none.
 */
export function examplesOf({ visible }: Problem, most: number): readonly string[] {
  const examples = visible.map((test): string => {
    switch (test.kind) {
      case 'call':
        return `${clipped(test.given.map(writeExactly).join(', '), most)} gives ${clipped(writeExactly(test.expected), most)}`;
      case 'lines':
        return `Input:\n${clipped(test.given.trimEnd(), most)}\nOutput:\n${clipped((test.expected[0] ?? '').trimEnd(), most)}`;
      case 'script':
        return clipped(test.code.trim(), most);
      default:
        return test satisfies never;
    }
  });
  return examples.length === 0 ? [] : ['Examples:', ...examples];
}
