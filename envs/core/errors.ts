import { inspect, types } from 'node:util';

/**
 * Three kinds of failure, never mixed.
 *
 * The *model* erred: data, no error at all. The *world* erred: a {@link Fault}, carried by a {@link FaultError} until the
 * rollout records it on the trajectory. The *user or programmer* erred: a {@link UsageError}, thrown at once. What is left,
 * such as a full disk, is a {@link RunError}.
 */

/** What went wrong in the world, as plain JSON: it is stored on the trajectory and never trained on. */
export type Fault =
  | { readonly kind: 'env-crashed'; readonly where: string; readonly message: string }
  | { readonly kind: 'deadline-passed'; readonly where: string; readonly afterMs: number }
  /** What the task is made of is broken, such as its file: every try would find the same. `where` names the file and the line. */
  | { readonly kind: 'task-broken'; readonly where: string; readonly message: string }
  | {
      readonly kind: 'sandbox-failed';
      readonly stage: 'open' | 'exec' | 'file';
      readonly message: string;
      readonly retryable: boolean;
    }
  | { readonly kind: 'sampler-failed'; readonly message: string; readonly retryable: boolean };

export type FaultKind = Fault['kind'];

/** The three sentences that every error of ours has: where it happened, what is wrong, and how to mend it. */
export interface ErrorParts {
  readonly where: string;
  readonly what: string;
  readonly mend: string;
}

const brandOf = (name: string): symbol => Symbol.for(`cairn-gym.${name}`);

function hasBrand(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && brandOf(name) in value;
}

const paragraph = (parts: ErrorParts): string => `${parts.where}: ${parts.what} ${parts.mend}`;

interface NamedError<Name extends string> extends Error {
  readonly name: Name;
  readonly parts: ErrorParts;
}

interface ErrorClass<Name extends string> {
  new (parts: ErrorParts, options?: ErrorOptions): NamedError<Name>;
  /** True for any error of this class, also one that another copy of this package made. */
  is(value: unknown): value is NamedError<Name>;
}

/** A class of errors with a where, a what and a fix. */
function defineError<const Name extends string>(name: Name): ErrorClass<Name> {
  return class extends Error {
    override readonly name = name;
    readonly parts: ErrorParts;

    constructor(parts: ErrorParts, options?: ErrorOptions) {
      super(paragraph(parts), options);
      this.parts = parts;
      Object.defineProperty(this, brandOf(name), { value: true });
    }

    static is(value: unknown): value is NamedError<Name> {
      return hasBrand(value, name);
    }
  };
}

/** Wrong use or wrong configuration: the run stops at once and the command exits with 2. */
export class UsageError extends defineError('UsageError') {}

/** A run that cannot go on although it was used rightly, such as a full disk: the command exits with 1. */
export class RunError extends defineError('RunError') {}

/** Carries a {@link Fault} from where it was noticed to the rollout, which records it. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super(describeFault(fault), options);
    this.fault = fault;
    Object.defineProperty(this, brandOf('FaultError'), { value: true });
  }

  static is(value: unknown): value is FaultError {
    return hasBrand(value, 'FaultError');
  }
}

/** One sentence a person can read. */
export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'env-crashed':
      return `the environment crashed in ${fault.where}: ${fault.message}`;
    case 'deadline-passed':
      return `${fault.where} did not finish within ${fault.afterMs} ms`;
    case 'task-broken':
      return `the task is broken: ${fault.where}: ${fault.message}`;
    case 'sandbox-failed':
      return `the sandbox failed to ${fault.stage}: ${fault.message}`;
    case 'sampler-failed':
      return `the sampler failed: ${fault.message}`;
    default:
      return fault satisfies never;
  }
}

/** The system's own name for an error, such as `ENOENT`; undefined for what has none. */
export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : undefined;
}

/**
 * What went wrong first. Where `using` closes something after an error and that fails too, what is thrown is a `SuppressedError` (by that
 * name alone where the runtime has no such class), which keeps the first error under `suppressed`.
 */
export function firstCause(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.name === 'SuppressedError' && 'suppressed' in thrown
    ? firstCause(thrown.suppressed)
    : thrown;
}

/** The message of anything that was thrown; of an error without one, its name. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error || types.isNativeError(thrown))
    return thrown.message.trim() === '' ? `${thrown.name} without a message` : thrown.message;
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  return `${inspect(thrown, { depth: 1, customInspect: false, breakLength: Infinity, maxStringLength: 200, maxArrayLength: 10 })} was thrown, which is no Error`;
}

/**
 * The same, and of a slip of the program, whose message tells nothing of where it was made, file and line: `x is not a function
 * (my-env.ts:12:5)`. The file's name alone: the message is kept, and read on other machines.
 */
export function placedMessageOf(thrown: unknown): string {
  const isSlip =
    thrown instanceof TypeError || thrown instanceof RangeError || thrown instanceof ReferenceError;
  const [, place] = (isSlip && /^\s*at .*?([^\s/\\(]+:\d+:\d+)\)?$/m.exec(thrown.stack ?? '')) || [];
  return place === undefined ? messageOf(thrown) : `${messageOf(thrown)} (${place})`;
}

/**
 * Run code we do not own. What escapes it becomes the fault that `name` makes of it, unless it is already a
 * {@link FaultError}, a {@link UsageError}, a {@link RunError}, or the caller's own cancellation.
 */
export async function boundary<T>(
  name: (message: string) => Fault,
  signal: AbortSignal,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    if (signal.aborted && firstCause(thrown) === signal.reason) throw signal.reason;
    throw named(name, thrown);
  }
}

/** The same for code that answers at once. */
export function boundaryNow<T>(name: (message: string) => Fault, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw named(name, thrown);
  }
}

function named(name: (message: string) => Fault, thrown: unknown): Error {
  const first = firstCause(thrown);
  if (FaultError.is(first) || UsageError.is(first) || RunError.is(first)) return first;
  return new FaultError(name(placedMessageOf(first)), { cause: thrown });
}
