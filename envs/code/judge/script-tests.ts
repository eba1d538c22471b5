import { z } from 'zod';
import { FaultError } from '../../core/errors.ts';
import { canonicalJson, type Json } from '../../core/json.ts';
import type { Form } from '../problems/problem.ts';
import { clockFactorOfAll, mostLate, notBegun, type Raised, type Run, type Runner } from './runner.ts';
import { scriptHarness } from './script-harness.ts';
import { describeRun, type Failure, type Report } from './verdict.ts';

const doneSchema = z.object({
  script: z.int(),
  /** Calls without an answer yet. */
  asked: z.array(z.json()),
  checks: z.array(
    z.object({
      right: z.boolean(),
      text: z.string(),
      why: z.string(),
      /** For a failed assertion, its first calls of the program with their results. */ came: z.array(
        z.string(),
      ),
      /** An earlier call has no answer, so the result is unknown. */ open: z.boolean(),
      /** It depends on stated calls alone. */ told: z.boolean(),
    }),
  ),
  whole: z.boolean(),
  why: z.string(),
  /** The number of answered calls before the first unanswered one. */
  known: z.int(),
  /** An undefined name that was needed before any call of the program. */
  missing: z.string().nullable(),
});
type Done = z.output<typeof doneSchema>;

/** The program's answer to a call, by the call's text. */
type Answer = { readonly value: Json } | (Partial<Raised> & { readonly text: string });

/**
 * The most rounds in which scripts may ask again after answers, and the limit of all rounds in wall-clock
 * milliseconds.
 */
const mostRounds = 40;
const mostMs = clockFactorOfAll * 120_000;
/** The most calls that are answered at once, and that a script may make before it gets answers. */
const mostCalls = 2_000;
/** The most characters of all calls in a round, and of all calls with their answers. */
const mostCharacters = 8_000_000;
const tooLong = 'calls and their answers are too long in all';

interface Scripts {
  readonly preamble: string;
  readonly program: string;
  readonly form: Form;
  readonly scripts: readonly string[];
  /**
   * Python calls whose answers are in the statement. Assertions about these alone count only if there are no
   * other calls.
   */
  readonly told: readonly string[];
  /** The limit on computing time of all scripts in a round, in seconds. */
  readonly seconds: number;
}

/**
 * Judges a Python function by assertions about it. Script and program never meet. The script runs without the
 * program, and its calls are recorded. The program runs on those calls without the script. Then the script
 * runs again with the answers, until it makes no new calls. A script's random numbers repeat, so each round
 * gets further than the last. A script that does not get further receives no more answers. Its assertions
 * after a call without an answer fail.
 */
export async function runScripts(runner: Runner, of: Scripts, signal: AbortSignal): Promise<Report> {
  const rounds = new Rounds(runner, of);
  while (await rounds.goOn(signal));
  return rounds.report();
}

class Rounds {
  readonly #runner: Runner;
  readonly #of: Scripts;
  readonly #name: string;
  readonly #answers = new Map<string, readonly [Json, Answer]>();
  #done: readonly Done[] = [];
  #formed = true;
  #round = 0;
  #late = 0;
  #ms = 0;
  /** Characters that are left for calls and their answers. */
  #room = mostCharacters;

  constructor(runner: Runner, of: Scripts) {
    this.#runner = runner;
    this.#of = of;
    this.#name = of.form.kind === 'function' ? of.form.name : '';
  }

  /**
   * Runs the scripts with the known answers, and gets answers for new calls. False when there are none to
   * get.
   */
  async goOn(signal: AbortSignal): Promise<boolean> {
    const before = this.#done;
    this.#done = await this.#ask(signal);
    const asked = new Map(
      this.#done
        .filter((done) => this.#getsOn(before, done))
        .flatMap((done) => done.asked.map((key) => [canonicalJson(key), key] as const))
        .slice(0, mostCalls),
    );
    const isOver =
      !this.#formed ||
      this.#late >= mostLate ||
      this.#round >= mostRounds ||
      this.#ms >= mostMs ||
      this.#room < 0;
    if (asked.size === 0 || isOver) return false;
    this.#round += 1;
    await this.#answer(asked, signal);
    return true;
  }

  /**
   * Whether a script got further than in the previous round. Calls that were not even tried do not count
   * against it.
   */
  #getsOn(before: readonly Done[], { script, known }: Done): boolean {
    const last = before[script];
    const awaited = last?.asked[0];
    return (
      last === undefined ||
      awaited === undefined ||
      !this.#answers.has(canonicalJson(awaited)) ||
      known > last.known
    );
  }

  async #ask(signal: AbortSignal): Promise<readonly Done[]> {
    const { scripts, told, seconds } = this.#of;
    const input = {
      name: this.#name,
      scripts,
      told,
      answers: [...this.#answers.values()].map(([key, answer]) => [key, answer]),
      mostCalls,
      mostAsked: mostCharacters,
      seconds: Math.max(1, seconds / scripts.length),
    };
    const {
      lines: done,
      hasBegun,
      result,
    } = await this.#runner.ask({ text: scriptHarness, schema: doneSchema }, input, signal);
    this.#ms += result.ms;
    if (!hasBegun && this.#round === 0) throw notBegun(result); // later rounds may have more answers than fit
    const missing = done.find((each) => each.missing !== null)?.missing;
    if (typeof missing === 'string')
      throw broken(
        `they need ${missing}, which neither they nor Python have: what a solution defines beside ${this.#name} is not where tests run`,
      );
    if (done.length === scripts.length) return done;
    const end = result.kind === 'killed' ? `killed by ${result.by}` : result.stderr.text.slice(-300);
    // no answer can be the cause
    if (this.#round === 0) throw broken(`they did not run to their end: ${end}`);
    return scripts.map(
      (_, script) =>
        done.find((each) => each.script === script) ?? {
          script,
          asked: [],
          checks: [],
          whole: false,
          why: `they did not come to an end: ${end}`,
          known: 0,
          missing: null,
        },
    );
  }

  async #answer(asked: ReadonlyMap<string, Json>, signal: AbortSignal): Promise<void> {
    const { preamble, program, form } = this.#of;
    const given = [...asked.values()].map((key) => key as readonly Json[]);
    const { runs, ms } = await this.#runner.runTimed(
      { language: 'python', preamble, program, form, isCoded: true, given },
      Math.max(0, mostMs - this.#ms) / clockFactorOfAll,
      signal,
    );
    this.#ms += ms;
    for (const [at, [text, key]] of [...asked].entries()) {
      const run = runs[at] as Run;
      if (run.kind === 'unreadable' || run.kind === 'missing') this.#formed = false;
      if (run.kind === 'time') this.#late += 1;
      const answer = answerOf(run);
      this.#room -= text.length + JSON.stringify(answer).length;
      this.#answers.set(text, [key, this.#room >= 0 ? answer : { text: tooLong }]);
    }
  }

  /**
   * Every assertion is a test. Assertions about stated calls count only if there are no others. A script that
   * stopped early, or has no assertion, counts as one more test.
   */
  report(): Report {
    let total = 0;
    const failures: Failure[] = [];
    const asksMore = this.#done.some(({ checks }) => checks.some(({ told }) => !told));
    for (const { checks, whole, why } of this.#done) {
      const counted = checks.filter(({ told }) => !told || !asksMore);
      total += counted.length;
      for (const { right, text, why: reason, came, open } of counted) {
        const got = open ? this.#whyOpen() : reason;
        if (!right || open)
          failures.push({
            verdict: got === '' ? 'wrong' : 'error',
            given: `assert ${text}`,
            got: [...(got === '' ? [] : [got]), ...(open ? [] : came)].join('; '),
          });
      }
      if (whole && checks.length > 0) continue;
      total += 1;
      failures.push({ verdict: 'error', given: 'the tests', got: why === '' ? 'they assert nothing' : why });
    }
    const isWhole =
      failures.length === 0 &&
      this.#done.every(({ checks }) => checks.every(({ right, open }) => right && !open));
    return { total, passed: total - failures.length, failures, isWhole, formed: this.#formed };
  }

  #whyOpen(): string {
    if (this.#late >= mostLate) return `it was not run: ${mostLate} earlier calls had taken too long`;
    if (this.#room < 0) return `it was not run: ${tooLong}`;
    return this.#round >= mostRounds || this.#ms >= mostMs
      ? 'it was not run: the tests took too long in all'
      : 'it was not run: the tests ask something else each time';
  }
}

const broken = (message: string): FaultError =>
  new FaultError({ kind: 'task-broken', where: 'tests of the problem', message });

function answerOf(run: Run): Answer {
  if (run.kind === 'value') return { value: run.value };
  return run.kind === 'error' && run.raised !== undefined
    ? { ...run.raised, text: run.text }
    : { text: describeRun(run) };
}
