import path from 'node:path';
import { abortable } from '../../envs/core/waiting.ts';
import { impossible } from '../faults.ts';
import { afterDisposalOf } from '../misuse.ts';
import { InterpreterProcess } from './interpreter-process.ts';
import type { Launcher } from './launch.ts';
import { driverFolder, missingPackages, installedParts, type WasmLanguage } from './packages.ts';

/** Time limit of a start in milliseconds, on a machine with other work. */
const startMs = 120_000;

/**
 * Memory images of started Python interpreters that have run nothing, by launcher. All pools of this process
 * start from one image, because creating it takes seconds.
 */
const memories = new Map<string, Uint8Array>();

/**
 * Interpreters of one language. Some wait, started and unused. Each serves one program or one conversation
 * and is then ended.
 */
export class ProcessPool {
  readonly #language: WasmLanguage;
  readonly #launcher: Launcher;
  readonly #warm: number;
  readonly #alive = new Set<InterpreterProcess>();
  readonly #starting: Promise<InterpreterProcess>[] = [];
  #snapshot: Promise<Uint8Array> | undefined;
  #isClosed = false;

  /** @param warm how many wait */
  constructor(language: WasmLanguage, launcher: Launcher, warm: number) {
    this.#language = language;
    this.#launcher = launcher;
    this.#warm = warm;
  }

  /**
   * Takes an unused interpreter for the caller alone, who ends it.
   *
   * @throws the reason of the signal
   * @throws FaultError where none can be started
   */
  async take(signal: AbortSignal): Promise<InterpreterProcess> {
    const waiting = this.#starting.shift();
    this.#fill();
    const found =
      waiting &&
      (await orGivenBack(
        waiting.catch(() => undefined),
        signal,
        () => this.#keepOrEnd(waiting),
      ));
    if (found?.isOver === false) return found;
    return orGivenBack(
      this.#start(),
      signal,
      (started) =>
        void started.then(
          (late) => late.end(),
          () => undefined,
        ),
    ); // where none can start, this one reports why
  }

  /** Keeps an interpreter for the next call, unless another has taken its place meanwhile. */
  #keepOrEnd(waiting: Promise<InterpreterProcess>): void {
    if (this.#starting.length < this.#warm) this.#starting.unshift(waiting);
    else
      waiting.then(
        (late) => late.end(),
        () => undefined,
      );
  }

  /** Ends all of them, including those that run programs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const starting = this.#starting.splice(0);
    await Promise.all([...this.#alive].map((each) => each.end()));
    await Promise.allSettled([...starting, this.#snapshot]);
  }

  #fill(): void {
    while (this.#starting.length < this.#warm && !this.#isClosed) {
      const started = this.#start();
      started.catch(() => undefined); // the call that takes it starts another
      this.#starting.push(started);
    }
  }

  async #start(): Promise<InterpreterProcess> {
    const body = this.#language === 'python' ? [await this.#memory()] : [];
    const started = this.#launch('serve');
    await started.ask(body, startMs);
    return started;
  }

  #memory(): Promise<Uint8Array> {
    this.#snapshot ??= this.#makeSnapshot().catch((thrown: unknown) => {
      this.#snapshot = undefined;
      throw thrown;
    });
    return this.#snapshot;
  }

  async #makeSnapshot(): Promise<Uint8Array> {
    const made = memories.get(this.#launcher.name);
    if (made !== undefined) return made;
    const maker = this.#launch('snapshot');
    const { body } = await maker.ask([], startMs);
    await maker.end();
    memories.set(this.#launcher.name, body);
    return body;
  }

  #launch(mode: 'serve' | 'snapshot'): InterpreterProcess {
    if (this.#isClosed) throw afterDisposalOf(this.#launcher.name);
    const parts = installedParts(this.#language);
    if (parts === undefined) throw impossible('open', missingPackages() ?? 'a package is missing');
    const reads = [driverFolder, ...parts.places];
    const words = [
      ...nodeOptions(reads),
      path.join(driverFolder, 'main.mjs'),
      this.#language,
      mode,
      ...parts.entries,
    ];
    const launched = new InterpreterProcess(this.#launcher.launch([process.execPath, ...words], reads));
    this.#alive.add(launched);
    void launched.exited.then(() => this.#alive.delete(launched));
    return launched;
  }
}

/**
 * Options that reduce the damage of a hole in an interpreter: no files but its own, no other programs, no
 * code from strings.
 */
function nodeOptions(reads: readonly string[]): readonly string[] {
  const permission = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission';
  return [
    permission,
    ...reads.map((place) => `--allow-fs-read=${place}${path.sep}`),
    '--allow-worker', // the guard
    '--disallow-code-generation-from-strings',
    '--disable-proto=delete',
    '--stack-size=3900', // in KiB: for recursion of programs, within the 8 MiB that systems allow
    '--no-warnings',
  ];
}

/** {@link abortable}; `giveBack` receives the result that nobody takes any more. */
async function orGivenBack<T>(
  work: Promise<T>,
  signal: AbortSignal,
  giveBack: (work: Promise<T>) => void,
): Promise<T> {
  try {
    return await abortable(signal, work);
  } catch (thrown) {
    if (signal.aborted) giveBack(work);
    throw thrown;
  }
}
