import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { FaultError, messageOf } from '../../core/errors.ts';
import { abortable, settlesWithin, withinMs } from '../../core/waiting.ts';

/** How an engine is started and asked. */
export interface UciPlan {
  /** The path of the program, with an absolute path or found by `PATH`. */
  readonly program: string;
  /** Names and values of the engine's own options, such as `Skill Level`. */
  readonly options: Readonly<Record<string, string>>;
  /** Milliseconds that the engine thinks for a move. */
  readonly moveMs: number;
  /** Milliseconds that it may take to start, and beyond the time to think. */
  readonly answerMs: number;
  /** The variables of its environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Milliseconds to end by itself after `quit`. */
const graceMs = 1_000;
/** A line with more characters is no line of an engine. */
const longestLine = 65_536;

const fault = (program: string, message: string): FaultError =>
  new FaultError({ kind: 'env-crashed', where: `chess engine ${program}`, message });

/** Processes that run now. They end with this process, however it exits. */
const running = new Set<ChildProcessByStdio<Writable, Readable, null>>();
let isHooked = false;

function endWithThisProcess(child: ChildProcessByStdio<Writable, Readable, null>): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
  if (isHooked) return;
  isHooked = true;
  process.on('exit', () => {
    for (const one of running) one.kill('SIGKILL');
  });
}

interface Waiting {
  readonly wanted: RegExp;
  readonly found: (line: string) => void;
  readonly lost: (reason: Error) => void;
}

/**
 * A chess engine in a process of its own that speaks the Universal Chess Interface. An engine that dies, says nothing in time or names no
 * move is a fault of the world. It is started again with {@link UciEngine.start}.
 */
export class UciEngine {
  readonly #plan: UciPlan;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #exited: Promise<void>;
  #end: string | undefined;
  #rest = '';
  #waiting: Waiting | undefined;

  private constructor(plan: UciPlan) {
    this.#plan = plan;
    this.#child = spawn(plan.program, [], {
      env: plan.env,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    endWithThisProcess(this.#child);
    this.#exited = new Promise((resolve) => {
      const ended = (why: string): void => {
        this.#end ??= why;
        this.#waiting?.lost(fault(plan.program, this.#end));
        resolve();
      };
      this.#child.once('error', (error) => ended(`it did not start: ${messageOf(error)}`));
      this.#child.once('exit', (code, signal) => ended(`its process ended with ${signal ?? `code ${code}`}`));
    });
    this.#child.stdin.on('error', () => undefined); // its exit says more
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text));
  }

  /**
   * Starts an engine and waits until it is ready.
   *
   * @throws FaultError `env-crashed` where it does not start, ends, or does not answer in time
   */
  static async start(plan: UciPlan, signal: AbortSignal): Promise<UciEngine> {
    const engine = new UciEngine(plan);
    try {
      await engine.#ask('uci', /^uciok\b/, plan.answerMs, signal);
      for (const [name, value] of Object.entries(plan.options))
        engine.#say(`setoption name ${name} value ${value}`);
      await engine.#ask('isready', /^readyok\b/, plan.answerMs, signal);
      return engine;
    } catch (thrown) {
      await engine.close();
      throw thrown;
    }
  }

  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /**
   * The move of the engine, such as `e2e4`.
   *
   * @param position the start and the moves since then, as UCI writes them after `position`
   * @throws FaultError `env-crashed` where the engine ends, does not answer in time, or names no move
   */
  async bestMove(position: string, signal: AbortSignal): Promise<string> {
    const { moveMs, answerMs, program } = this.#plan;
    this.#say(`position ${position}`);
    const line = await this.#ask(`go movetime ${moveMs}`, /^bestmove\b/, moveMs + answerMs, signal);
    const [, move = ''] = line.split(/\s+/);
    if (/^[a-h][1-8][a-h][1-8][qrbn]?$/.test(move)) return move;
    await this.close();
    throw fault(program, `it answered "${line.slice(0, 80)}", which names no move`);
  }

  /** Ends the process: `quit` first, then by force. A second call does nothing. */
  async close(): Promise<void> {
    this.#say('quit');
    if (this.#end === undefined && !(await settlesWithin(graceMs, this.#exited))) {
      this.#child.kill('SIGKILL');
      await this.#exited;
    }
    this.#child.stdin.destroy();
    this.#child.stdout.destroy();
  }

  #say(line: string): void {
    if (this.#end === undefined && this.#child.stdin.writable) this.#child.stdin.write(`${line}\n`);
  }

  async #ask(command: string, wanted: RegExp, ms: number, signal: AbortSignal): Promise<string> {
    const { program } = this.#plan;
    if (this.#end !== undefined) throw fault(program, this.#end);
    const answer = new Promise<string>((found, lost) => (this.#waiting = { wanted, found, lost }));
    this.#say(command);
    try {
      return await abortable(
        signal,
        withinMs(ms, answer, () => fault(program, `it did not answer "${command}" within ${ms} ms`)),
      );
    } catch (thrown) {
      answer.catch(() => undefined);
      this.#waiting = undefined;
      await this.close(); // its late answer would be taken for that of the next question
      throw thrown;
    }
  }

  #read(text: string): void {
    this.#rest += text;
    for (let end = this.#rest.indexOf('\n'); end >= 0; end = this.#rest.indexOf('\n')) {
      const line = this.#rest.slice(0, end).trim();
      this.#rest = this.#rest.slice(end + 1);
      const waiting = this.#waiting;
      if (waiting?.wanted.test(line) !== true) continue;
      this.#waiting = undefined;
      waiting.found(line);
    }
    if (this.#rest.length <= longestLine) return;
    this.#rest = '';
    this.#end ??= `it printed a line of more than ${longestLine} characters`;
    this.#waiting?.lost(fault(this.#plan.program, this.#end));
    this.#child.kill('SIGKILL');
  }
}
