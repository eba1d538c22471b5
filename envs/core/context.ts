import { setMaxListeners } from 'node:events';
import { FaultError, UsageError } from './errors.ts';
import { silentLogger, type Logger } from './log.ts';
import { createRng, type Rng } from './rng.ts';

/** What `reset` gets: a name, a deadline and a log, but no chance, because the initial state is a function of the task alone. */
export interface ResetContext {
  /** Names the unit of work, such as `train/12/3/member-2`: trajectory id, seed and log key in one. */
  readonly path: string;
  /** Aborted by the caller or when the deadline passes; every wait must heed it. */
  readonly signal: AbortSignal;
  /** Milliseconds on a clock that never runs backwards. */
  readonly now: () => number;
  readonly log: Logger;
  /** Variables that say where parts of the system are, such as `DOCKER_HOST`; an env never reads the process's own. */
  readonly system?: Readonly<Record<string, string | undefined>>;
}

/** What `step` and agents get: the same, and the luck of this step. */
export interface Context extends ResetContext {
  /** A pure function of (seed, path, step); made when first asked for. */
  readonly rng: Rng;
}

/** A context that its holder must dispose, so that the child leaves the parent's signal. */
export type OwnedContext = Context & Disposable;

/**
 * The context of a whole run. `now` comes from the composition root; tests pass a clock of their own.
 *
 * @throws UsageError where there is no clock or no seed, as without types there can be
 */
export function createContext(options: {
  readonly seed: number;
  readonly now: () => number;
  readonly signal?: AbortSignal;
  readonly log?: Logger;
  readonly path?: string;
  readonly system?: Readonly<Record<string, string | undefined>>;
}): Context {
  const { seed, now }: { readonly seed: unknown; readonly now: unknown } = options;
  if (typeof now !== 'function')
    throw new UsageError({
      where: 'createContext',
      what: '`now` is no function.',
      mend: 'Give a clock in milliseconds that never goes back.',
    });
  if (typeof seed !== 'number')
    throw new UsageError({
      where: 'createContext',
      what: '`seed` is no number.',
      mend: 'Give one, such as 0.',
    });
  const signal = options.signal ?? new AbortController().signal;
  setMaxListeners(0, signal);
  return {
    path: options.path ?? '',
    rng: createRng(options.seed),
    signal,
    now: options.now,
    log: options.log ?? silentLogger,
    ...(options.system === undefined ? {} : { system: options.system }),
  };
}

/** What a timer can hold: a longer one would go off at once. */
const longestTimerMs = 2_147_483_647;

/**
 * A child unit of work: its stream is the parent's forked by `label`, its deadline nests in the parent's.
 * When the deadline passes, the child's signal aborts with a {@link FaultError} of kind `deadline-passed`.
 */
export function forkContext(
  parent: Context,
  label: string | number,
  options: { readonly deadlineMs?: number } = {},
): OwnedContext {
  const path = parent.path === '' ? String(label) : `${parent.path}/${label}`;
  const deadline = openDeadline(parent.signal, { where: path, ms: options.deadlineMs });
  let rng: Rng | undefined;
  return {
    path,
    get rng(): Rng {
      return (rng ??= parent.rng.fork(label));
    },
    signal: deadline.signal,
    now: parent.now,
    log: parent.log,
    ...(parent.system === undefined ? {} : { system: parent.system }),
    [Symbol.dispose]: () => deadline[Symbol.dispose](),
  };
}

/** A signal with an end, which its holder must dispose, so that it leaves its parent and its timer stops. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** Counts from now again, for work that gets on; `where` says from now on what did not finish. Nothing once the signal is aborted. */
  renew(where: string): void;
}

/** A signal that aborts with `parent`, or, where `ms` is given and has passed, with a {@link FaultError} that says what did not finish. */
export function openDeadline(
  parent: AbortSignal,
  { where, ms }: { readonly where: string; readonly ms: number | undefined },
): Deadline {
  if (ms !== undefined && !(ms >= 0 && ms <= longestTimerMs)) {
    throw new UsageError({
      where,
      what: `a deadline of ${ms} ms cannot be kept.`,
      mend: `Give 0 to ${longestTimerMs}, or leave it out for none.`,
    });
  }
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const passOn = (): void => controller.abort(parent.reason);
  if (parent.aborted) passOn();
  else parent.addEventListener('abort', passOn, { once: true });
  const start = (place: string) =>
    ms === undefined
      ? undefined
      : setTimeout(
          () => controller.abort(new FaultError({ kind: 'deadline-passed', where: place, afterMs: ms })),
          ms,
        );
  let timer = start(where);
  return {
    signal: controller.signal,
    renew: (place) => {
      clearTimeout(timer);
      if (!controller.signal.aborted) timer = start(place);
    },
    [Symbol.dispose]: (): void => {
      clearTimeout(timer);
      parent.removeEventListener('abort', passOn);
    },
  };
}

/** The same unit of work with another signal: its name and its luck stay. */
export function withSignal(context: Context, signal: AbortSignal): Context {
  const { path, now, log } = context;
  return {
    path,
    signal,
    now,
    log,
    get rng(): Rng {
      return context.rng;
    },
  };
}

/**
 * The contexts of an episode's steps: one object whose stream moves with `advance`, so that an episode is forked once and
 * a step costs nothing until it asks for chance.
 */
export class StepContext implements Context {
  readonly path: string;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly log: Logger;
  readonly #episode: Context;
  #step = 0;
  #rng: Rng | undefined;

  constructor(episode: Context) {
    this.#episode = episode;
    this.path = episode.path;
    this.signal = episode.signal;
    this.now = episode.now;
    this.log = episode.log;
  }

  /** From now on the luck is that of step `step`. */
  advance(step: number): void {
    this.#step = step;
    this.#rng = undefined;
  }

  get rng(): Rng {
    return (this.#rng ??= this.#episode.rng.fork(this.#step));
  }
}

/** Rejects with the signal's reason as soon as it aborts; else settles as `work` does. `work` itself must heed the signal. */
export function abortable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  if (signal.aborted) {
    work.catch(() => undefined); // its failure is not the one to report
    return Promise.reject(signal.reason as Error);
  }
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
