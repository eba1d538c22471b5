import { setMaxListeners } from 'node:events';
import { UsageError } from './errors.ts';
import { silentLogger, type Logger } from './log.ts';
import { createRng, type Rng } from './rng.ts';
import { openDeadline } from './waiting.ts';

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
  readonly system?: Readonly<Record<string, string | undefined>> | undefined;
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
  readonly system?: Context['system'];
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
    system: options.system,
  };
}

/** Every member of a context, optional ones too: what is made of this type cannot leave out a member that is added to {@link Context}. */
type AllMembers = { readonly [Member in keyof Required<Context>]: Context[Member] };

/** What a derived context has of its own. `rng` makes the stream when it is first asked for. */
export interface ContextChanges {
  readonly path?: string;
  readonly signal?: AbortSignal;
  readonly rng?: () => Rng;
}

/** A context with some members changed. All other members are the parent's. */
export function deriveContext(parent: Context, changes: ContextChanges): Context {
  let stream: Rng | undefined;
  const derived: AllMembers = {
    path: changes.path ?? parent.path,
    get rng(): Rng {
      return changes.rng === undefined ? parent.rng : (stream ??= changes.rng());
    },
    signal: changes.signal ?? parent.signal,
    now: parent.now,
    log: parent.log,
    system: parent.system,
  };
  return derived;
}

/**
 * The context of a child unit of work: its stream is the parent's forked by `label`, its deadline nests in the parent's.
 * When the deadline passes, the child's signal aborts with a {@link FaultError} of kind `deadline-passed`.
 */
export function forkContext(
  parent: Context,
  label: string | number,
  options: { readonly deadlineMs?: number } = {},
): OwnedContext {
  const path = parent.path === '' ? String(label) : `${parent.path}/${label}`;
  const { signal, ...deadline } = openDeadline(parent.signal, { where: path, ms: options.deadlineMs });
  const child = deriveContext(parent, { path, signal, rng: () => parent.rng.fork(label) });
  return Object.assign(child, { [Symbol.dispose]: deadline[Symbol.dispose] });
}

/**
 * The contexts of an episode's steps: one object whose stream moves with `advance`, so that an episode is forked once and
 * a step costs nothing until it asks for chance.
 */
export class StepContext implements AllMembers {
  readonly path: string;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly log: Logger;
  readonly system: Context['system'];
  readonly #episode: Context;
  #step = 0;
  #rng: Rng | undefined;

  constructor(episode: Context) {
    this.#episode = episode;
    this.path = episode.path;
    this.signal = episode.signal;
    this.now = episode.now;
    this.log = episode.log;
    this.system = episode.system;
  }

  /** Moves to step `step`: from now on `rng` is that step's stream. */
  advance(step: number): void {
    this.#step = step;
    this.#rng = undefined;
  }

  get rng(): Rng {
    return (this.#rng ??= this.#episode.rng.fork(this.#step));
  }
}
