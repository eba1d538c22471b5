/** The signals that ask a command to save its work and end, with the exit code for each. */
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

type StopSignal = keyof typeof exitCodes;

const stopSignals = Object.keys(exitCodes) as readonly StopSignal[];

/** npm and the terminal both deliver one Ctrl-C. Signals within this time count as one. */
const sameWishMs = 1_000;

/** Why a command's signal aborted. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly exitCode: number;

  constructor(signal: StopSignal) {
    super(`interrupted by ${signal}`);
    this.exitCode = exitCodes[signal];
  }
}

export interface Interruptions extends Disposable {
  /** Aborts, with an {@link Interruption}, at the first signal. */
  readonly signal: AbortSignal;
  /** The first signal received. */
  readonly received: Interruption | undefined;
}

/**
 * Listens for stop signals. The first aborts `signal`, further ones within a second are ignored, a later one
 * calls `kill` at once.
 * @param source usually `process`
 */
export function listenForInterruptions(options: {
  readonly source: NodeJS.EventEmitter;
  readonly now: () => number;
  readonly onFirst: (interruption: Interruption) => void;
  readonly kill: (exitCode: number) => void;
}): Interruptions {
  const controller = new AbortController();
  let first: { readonly interruption: Interruption; readonly at: number } | undefined;
  const onSignal = (name: StopSignal): void => {
    const at = options.now();
    const interruption = new Interruption(name);
    if (first === undefined) {
      first = { interruption, at };
      options.onFirst(interruption);
      controller.abort(interruption);
    } else if (at - first.at >= sameWishMs) {
      options.kill(interruption.exitCode);
    }
  };
  for (const name of stopSignals) options.source.on(name, onSignal);
  return {
    signal: controller.signal,
    get received(): Interruption | undefined {
      return first?.interruption;
    },
    [Symbol.dispose]: (): void => {
      // the process is about to end, and a repeated signal must not end it sooner
      if (first !== undefined) return;
      for (const name of stopSignals) options.source.off(name, onSignal);
    },
  };
}
