import { setMaxListeners } from 'node:events';
import { UsageError } from './errors.ts';
import { silentLogger, type Logger } from './log.ts';
import { createRng, type Rng } from './rng.ts';
import { openDeadline } from './waiting.ts';

/**
 * The context of `reset`: a name, a deadline and a log. It has no random stream, because the initial state
 * depends on the task alone.
 */
export interface ResetContext {
  /** Names the unit of work, such as `train/12/3/member-2`. It is trajectory id, seed and log key in one. */
  readonly path: string;
  /** Aborts when the caller aborts or a deadline passes. Every wait must heed it. */
  readonly signal: AbortSignal;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly log: Logger;
  /** Environment variables that locate parts of the system, such as `DOCKER_HOST`. An env never reads `process.env` itself. */
  readonly system?: Readonly<Record<string, string | undefined>> | undefined;
  /** The share of the training that is done, from 0 to 1, for envs that follow a schedule; undefined outside a training. */
  readonly progress?: number | undefined;
}

/** The context of `step` and of agents. In addition it has the random stream of the step. */
export interface Context extends ResetContext {
  /** A stream that depends on the seed, the path and the step alone. It is created when first asked for. */
  readonly rng: Rng;
  /**
   * Asks the language model of the agent that plays for a text, for envs in which it also plays another part. The text is
   * no action, so it is never trained on. Undefined where the agent has no language model, and outside of `step`.
   */
  readonly askAgent?: AskAgent | undefined;
}

/**
 * The reply of the agent's model to a prompt, without its thinking. The prompt is all that the model sees.
 *
 * @throws FaultError where the model fails
 */
export type AskAgent = (prompt: string) => Promise<string>;

/** A context that its owner must dispose to detach it from the parent's signal. */
export type OwnedContext = Context & Disposable;

/**
 * Creates the context of a whole run.
 *
 * @param options.now a monotonic clock in milliseconds
 * @throws UsageError where the clock or the seed is missing
 */
export function createContext(options: {
  readonly seed: number;
  readonly now: () => number;
  readonly signal?: AbortSignal;
  readonly log?: Logger;
  readonly path?: string;
  readonly system?: Context['system'];
  readonly progress?: Context['progress'];
  readonly askAgent?: Context['askAgent'];
}): Context {
  const { seed, now }: { readonly seed: unknown; readonly now: unknown } = options;
  if (typeof now !== 'function')
    throw new UsageError({
      where: 'createContext',
      what: '`now` must be a function.',
      fix: 'Pass a monotonic clock in milliseconds.',
    });
  if (typeof seed !== 'number')
    throw new UsageError({
      where: 'createContext',
      what: '`seed` must be a number.',
      fix: 'Pass a seed, such as 0.',
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
    progress: options.progress,
    askAgent: options.askAgent,
  };
}

/** All members of a context, optional ones too. The compiler refuses a value of this type that lacks a member of {@link Context}. */
type AllMembers = { readonly [Member in keyof Required<Context>]: Context[Member] };

/** The members of a derived context that differ from its parent's. `rng` creates the stream when it is first asked for. */
export interface ContextChanges {
  readonly path?: string;
  readonly signal?: AbortSignal;
  readonly rng?: () => Rng;
  readonly progress?: number;
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
    progress: changes.progress ?? parent.progress,
    askAgent: parent.askAgent,
  };
  return derived;
}

/**
 * Creates the context of a child unit of work. Its stream is the parent's forked by `label`, and its deadline nests in the parent's.
 * When the deadline passes, its signal aborts with a `FaultError` of kind `deadline-passed`.
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
 * The context of an episode's steps. It is one object whose stream moves with `advance`. A step costs nothing
 * until it asks for a random number.
 */
export class StepContext implements AllMembers {
  readonly path: string;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly log: Logger;
  readonly system: Context['system'];
  readonly progress: Context['progress'];
  askAgent: Context['askAgent'];
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
    this.progress = episode.progress;
    this.askAgent = episode.askAgent;
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
