import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '../../core/json.ts';
import { contentOf, type Problem, type ProgramLanguage, type Test } from '../problems/problem.ts';
import { Kept } from './kept.ts';
import type { Run, Runner } from './runner.ts';
import { runScripts } from './script-tests.ts';
import { failureOf, verdictOn, type Report } from './verdict.ts';

/** A program, and the tests of a problem that it is judged by. */
interface Asked {
  readonly problem: Problem;
  readonly tests: 'visible' | 'hidden';
  readonly language: ProgramLanguage;
  readonly program: string;
}

const scriptsIn = (tests: readonly Test[]): readonly string[] =>
  tests.flatMap((test) => (test.kind === 'script' ? [test.code] : []));

/** Judges programs by tests. Programs are assumed to be deterministic, so each is run once. */
export class Judge {
  readonly #runner: Runner;
  readonly #scriptSeconds: number;
  readonly #kept = new Kept<Report>();
  readonly #keys = new WeakMap<Problem, string>();

  /**
   * @param options.scriptSeconds the limit on computing time of all scripts of a problem per round, in
   * seconds
   */
  constructor(runner: Runner, { scriptSeconds = 20 }: { readonly scriptSeconds?: number | undefined } = {}) {
    this.#runner = runner;
    this.#scriptSeconds = scriptSeconds;
  }

  /**
   * The results of the program on these tests of the problem. Visible tests are run together with hidden
   * ones, and count for `isWhole` alone.
   *
   * @throws FaultError when the sandbox fails
   */
  async report(of: Asked, signal: AbortSignal): Promise<Report> {
    const { problem, tests, language, program } = of;
    const key = digest([this.#contentKey(problem), tests, language, program]);
    return this.#kept.get(key, () => this.#judge(of, signal), signal);
  }

  /** A key that is equal for problems with the same stated calls, form and tests. */
  #contentKey(problem: Problem): string {
    const key = this.#keys.get(problem) ?? digest(contentOf(problem));
    this.#keys.set(problem, key);
    return key;
  }

  async #judge({ problem, tests, language, program }: Asked, signal: AbortSignal): Promise<Report> {
    const shown = tests === 'hidden' ? problem.visible : [];
    const all = [...problem[tests], ...shown];
    const [plain, scripts] = [all.filter((test) => test.kind !== 'script'), scriptsIn(all)];
    const { form } = problem;
    const preamble = preambleOf(problem, language);
    const parts = { preamble, program: withoutMark(program), form };
    const runs =
      plain.length === 0
        ? []
        : await this.#runner.run({ language, ...parts, given: plain.map(({ given }) => given) }, signal);
    const counted = plain.length - shown.filter((test) => test.kind !== 'script').length;
    const report = { ...reportOn(plain.slice(0, counted), runs), isWhole: reportOn(plain, runs).isWhole };
    if (scripts.length === 0) return report;
    const told = tests === 'hidden' ? [...(problem.told ?? []), ...scriptsIn(shown)] : [];
    const others = await runScripts(
      this.#runner,
      { ...parts, scripts, told, seconds: this.#scriptSeconds },
      signal,
    );
    return {
      total: report.total + others.total,
      passed: report.passed + others.passed,
      failures: [...report.failures, ...others.failures],
      isWhole: report.isWhole && others.isWhole,
      formed: report.formed && others.formed,
    };
  }

  /** Runs a program on an input of the agent: arguments as a JSON list, or lines. */
  async tryOn(
    of: {
      readonly problem: Problem;
      readonly language: ProgramLanguage;
      readonly program: string;
      readonly input: string | readonly Json[];
    },
    signal: AbortSignal,
  ): Promise<Run> {
    const { problem, language, program, input } = of;
    const [run] = await this.#runner.run(
      {
        language,
        preamble: preambleOf(problem, language),
        program: withoutMark(program),
        form: problem.form,
        given: [input],
      },
      signal,
    );
    return run as Run; // one run per input
  }
}

const preambleOf = ({ preamble = '' }: Problem, language: ProgramLanguage): string =>
  language === 'python' ? preamble : '';

/** Removes a byte order mark, which editors put before a text. */
const withoutMark = (program: string): string => program.replace(/^\uFEFF/, '');

const digest = (value: Json): string => createHash('sha256').update(canonicalJson(value)).digest('base64url');

function reportOn(
  tests: readonly Exclude<Test, { readonly kind: 'script' }>[],
  runs: readonly Run[],
): Report {
  const failures = tests.flatMap((test, at) => {
    const run = runs[at] as Run; // one run per test
    const verdict = verdictOn(test, run);
    return verdict === 'passed' ? [] : [failureOf(test, run, verdict)];
  });
  const formed = !failures.some(({ verdict }) => verdict === 'unreadable' || verdict === 'missing');
  return {
    total: tests.length,
    passed: tests.length - failures.length,
    failures,
    isWhole: failures.length === 0,
    formed,
  };
}
