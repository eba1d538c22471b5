import { inspect, types } from 'node:util';

/**
 * Failures have four kinds, which are never mixed.
 *
 * 1. The *model* erred: that is data, and no error.
 * 2. The *world* failed: a {@link Fault}. A {@link FaultError} carries it to the rollout, which records it on the trajectory.
 * 3. The *user or programmer* erred: a {@link UsageError}, thrown at once.
 * 4. The *run* cannot go on, for example because the disk is full: a {@link RunError}.
 */

/** A failure of the world, as plain JSON. The trajectory stores it, and training skips it. */
export type Fault =
  | { readonly kind: 'env-crashed'; readonly where: string; readonly message: string }
  | { readonly kind: 'deadline-passed'; readonly where: string; readonly afterMs: number }
  /** The data of the task is broken, such as its file. A retry would fail too. `where` names the file and the line. */
  | { readonly kind: 'task-broken'; readonly where: string; readonly message: string }
  | {
      readonly kind: 'sandbox-failed';
      readonly stage: 'open' | 'exec' | 'file';
      readonly message: string;
      readonly retryable: boolean;
    }
  /** A search engine failed, such as a retrieval server that is down. It is never an empty result. */
  | {
      readonly kind: 'retriever-failed';
      readonly code: RetrieverFaultCode;
      readonly message: string;
      readonly retryable: boolean;
    }
  /** A server of tools failed, such as an MCP server that died. It is never an error of the model. */
  | {
      readonly kind: 'tool-server-failed';
      readonly server: string;
      readonly code: ToolServerFaultCode;
      readonly message: string;
      readonly retryable: boolean;
    }
  | {
      readonly kind: 'sampler-failed';
      readonly message: string;
      readonly retryable: boolean;
      /** What decisions may depend on; the message is for people. */
      readonly code?: SamplerFaultCode | undefined;
    };

/** `prompt-too-long`: the model takes less than the task and one turn. */
export type SamplerFaultCode = 'prompt-too-long';

/**
 * Why a search engine failed: `unreachable`, `late`, an error `status` of HTTP, an answer of another `shape`, or one that is `too-large`.
 */
export type RetrieverFaultCode = 'unreachable' | 'late' | 'status' | 'shape' | 'too-large';

/**
 * Why a server of tools failed: it did not `start`, `died`, was `late`, sent what is `too-large` or breaks the
 * `protocol`, returned what its own `schema` forbids, or `changed` its tools.
 */
export type ToolServerFaultCode = 'start' | 'died' | 'late' | 'too-large' | 'protocol' | 'schema' | 'changed';

export type FaultKind = Fault['kind'];

/** The three parts of every error: where it happened, what is wrong, and how to fix it. */
export interface ErrorParts {
  readonly where: string;
  readonly what: string;
  readonly fix: string;
}

/** The most characters of one part of an error, and of a run without a blank in it, such as a path or a name. */
const longestPart = 4_000;
const longestRun = 1_000;

/**
 * A text for an error, in which the middle of what is too long is left out: values of other people stand in errors, and may have any length.
 */
export const shortenForError = (text: string): string =>
  cutMiddle(
    text.replaceAll(longRun, (run) => cutMiddle(run, longestRun)),
    longestPart,
  );

const longRun = new RegExp(`\\S{${longestRun + 1},}`, 'gu');

function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, (most * 3) / 4).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(text.length - most / 8).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}… (${text.length - head.length - tail.length} characters left out) …${tail}`;
}

const brandOf = (name: string): symbol => Symbol.for(`cairn-gym.${name}`);

function hasBrand(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && brandOf(name) in value;
}

const paragraph = (parts: ErrorParts): string => `${parts.where}: ${parts.what} ${parts.fix}`;

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

    constructor(given: ErrorParts, options?: ErrorOptions) {
      const parts = {
        where: shortenForError(given.where),
        what: shortenForError(given.what),
        fix: shortenForError(given.fix),
      };
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

/** Carries a {@link Fault} to the rollout, which records it. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
  readonly fault: Fault;

  constructor(fault: Fault, options?: ErrorOptions) {
    super(shortenForError(describeFault(fault)), options);
    this.fault = fault;
    Object.defineProperty(this, brandOf('FaultError'), { value: true });
  }

  static is(value: unknown): value is FaultError {
    return hasBrand(value, 'FaultError');
  }
}

/** The fault as a sentence for people. */
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
    case 'retriever-failed':
      return `the search engine failed (${fault.code}): ${fault.message}`;
    case 'tool-server-failed':
      return `the tool server ${fault.server} failed (${fault.code}): ${fault.message}`;
    case 'sampler-failed':
      return `the sampler failed: ${fault.message}`;
    default:
      return fault satisfies never;
  }
}

/** The code of a system error, such as `ENOENT`; undefined for other errors. */
export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : undefined;
}

/**
 * The first error. When `using` closes something after an error and that fails too, the runtime throws a `SuppressedError`, which keeps
 * the first error under `suppressed`. Runtimes without that class use its name.
 */
export function firstCause(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.name === 'SuppressedError' && 'suppressed' in thrown
    ? firstCause(thrown.suppressed)
    : thrown;
}

/** The message of a thrown value. An error without a message is described by its name. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error || types.isNativeError(thrown))
    return thrown.message.trim() === '' ? `${thrown.name} without a message` : thrown.message;
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  return `${inspect(thrown, { depth: 1, customInspect: false, breakLength: Infinity, maxStringLength: 200, maxArrayLength: 10 })} was thrown, which is not an Error`;
}

/**
 * {@link messageOf}, with file and line for programming errors: `x is not a function (my-env.ts:12:5)`. Only the file's name is given,
 * because messages are stored and read on other machines.
 */
export function placedMessageOf(thrown: unknown): string {
  const isSlip =
    thrown instanceof TypeError || thrown instanceof RangeError || thrown instanceof ReferenceError;
  const [, place] = (isSlip && /^\s*at .*?([^\s/\\(]+:\d+:\d+)\)?$/m.exec(thrown.stack ?? '')) || [];
  return place === undefined ? messageOf(thrown) : `${messageOf(thrown)} (${place})`;
}

/**
 * Runs code of others. What it throws becomes the fault that `name` makes of the message. A {@link FaultError}, a {@link UsageError}, a
 * {@link RunError} and the caller's own cancellation are thrown unchanged.
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

/** {@link boundary} for synchronous code. */
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
