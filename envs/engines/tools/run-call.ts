import { boundary, FaultError, messageOf, placedMessageOf, RunError, UsageError } from '../../core/errors.ts';
import { describeIssues } from '../../core/issues.ts';
import { didYouMean, nearest } from '../../core/near-miss.ts';
import { abortable, openDeadline, type Deadline } from '../../core/waiting.ts';
import type { ToolCall } from './action.ts';
import { boundedJson } from './bounded-json.ts';
import {
  Refusal,
  TextResult,
  type ArgumentError,
  type RunnableTool,
  type Tool,
  type ToolContext,
} from './tool.ts';
import { Transaction, type WorldState } from './world.ts';

/** The error classes of calls, after TL-Training. Replies that are no JSON never reach the env. */
export type CallError = 'unknown-tool' | ArgumentError | 'refused';

/** What came of a call. */
export type CallResult =
  | {
      readonly kind: 'done';
      /** The result as JSON text, cut at the limit of characters. */
      readonly text: string;
      /** The result itself. */
      readonly value: unknown;
    }
  | {
      readonly kind: 'error';
      readonly error: CallError;
      /** The tool's own code, or that of the class. */
      readonly code: string;
      readonly message: string;
    };

/** An error of a call, for {@link ErrorWording}. */
export interface CallFailure {
  readonly call: ToolCall;
  readonly error: CallError;
  /** The code and the message of the kit or of the tool. */
  readonly code: string;
  readonly message: string;
  /** The tool; undefined where there is none of that name. */
  readonly tool: Tool | undefined;
}

/** Writes the error of a call in the words of a world. Such an error is shown as it is, without its code. */
export type ErrorWording = (failure: CallFailure) => string;

/** The limits of calls. */
export interface CallLimits {
  /** Characters of a result that are shown. */
  readonly resultCharacters: number;
  /** Milliseconds that a tool may wait. */
  readonly timeMs: number;
}

const codes: Readonly<Record<Exclude<CallError, 'refused'>, string>> = {
  'unknown-tool': 'unknown_tool',
  'missing-argument': 'bad_argument',
  'unknown-argument': 'bad_argument',
  'wrong-argument': 'bad_argument',
};

/**
 * Does one call as one transaction: a tool that refuses changes nothing.
 *
 * @throws FaultError where the tool throws, is late, or returns what is no JSON or does not match its schema
 */
export function runCall(
  call: ToolCall,
  on: {
    readonly tools: ReadonlyMap<string, RunnableTool>;
    readonly world: WorldState;
    readonly limits: CallLimits;
    readonly signal: AbortSignal;
  },
): CallResult | Promise<CallResult> {
  const { tools, world, limits, signal } = on;
  const tool = tools.get(call.name);
  if (tool === undefined) {
    const names = [...tools.keys()];
    const hint = didYouMean(nearest(call.name.slice(0, 80), names));
    return errorResult(
      'unknown-tool',
      `There is no tool ${JSON.stringify(call.name.slice(0, 80))}. ${hint}`.trim(),
    );
  }
  const transaction = new Transaction(world);
  const context = new CallContext(tool.name, limits, signal);
  let called: ReturnType<RunnableTool['call']>;
  try {
    called = tool.call(call.arguments, transaction, context);
  } catch (thrown) {
    context[Symbol.dispose]();
    transaction.rollBack();
    throw faultOf(tool, thrown);
  }
  if (called.kind === 'ran' && called.result instanceof Promise)
    return awaitResult(tool, transaction, called.result, { limits, context });
  context[Symbol.dispose]();
  if (called.kind === 'ran') return finish(tool, transaction, called.result, limits);
  transaction.rollBack();
  return errorResult(called.error, called.message);
}

/** The context of one call. Its deadline starts when something waits, because a timer costs more than most calls. */
class CallContext implements ToolContext, Disposable {
  readonly #where: string;
  readonly #limits: CallLimits;
  readonly #parent: AbortSignal;
  #deadline: Deadline | undefined;

  constructor(tool: string, limits: CallLimits, parent: AbortSignal) {
    this.#where = `tool ${tool}`;
    this.#limits = limits;
    this.#parent = parent;
  }

  get signal(): AbortSignal {
    this.#deadline ??= openDeadline(this.#parent, { where: this.#where, ms: this.#limits.timeMs });
    return this.#deadline.signal;
  }

  [Symbol.dispose](): void {
    this.#deadline?.[Symbol.dispose]();
  }
}

const errorResult = (error: Exclude<CallError, 'refused'>, message: string): CallResult => ({
  kind: 'error',
  error,
  code: codes[error],
  message,
});

async function awaitResult(
  tool: RunnableTool,
  transaction: Transaction,
  result: Promise<unknown>,
  { limits, context }: { readonly limits: CallLimits; readonly context: CallContext },
): Promise<CallResult> {
  using open = context;
  const { signal } = open;
  let value: unknown;
  try {
    value = await boundary(crashIn(tool), signal, () => abortable(signal, result));
  } catch (thrown) {
    transaction.rollBack();
    throw thrown;
  }
  return finish(tool, transaction, value, limits);
}

function finish(
  tool: RunnableTool,
  transaction: Transaction,
  value: unknown,
  limits: CallLimits,
): CallResult {
  if (value instanceof Refusal) {
    transaction.rollBack();
    const { code, message } = value;
    return { kind: 'error', error: 'refused', code, message };
  }
  if (value instanceof TextResult) {
    transaction.commit();
    return worded(value.text, value.value, limits);
  }
  try {
    if (tool.print !== undefined) return printed(tool, tool.print, transaction, { value, limits });
    const { text, isCut } = boundedJson(value, limits.resultCharacters);
    if (isCut) {
      transaction.commit();
      return { kind: 'done', text: cutText(text, limits), value: undefined };
    }
    assertOutput(tool, value);
    transaction.commit();
    return { kind: 'done', text, value };
  } catch (thrown) {
    transaction.rollBack();
    throw faultOf(tool, thrown);
  }
}

/** The result of a tool that writes its results itself. */
function printed(
  tool: RunnableTool,
  print: (result: unknown) => string,
  transaction: Transaction,
  { value, limits }: { readonly value: unknown; readonly limits: CallLimits },
): CallResult {
  assertOutput(tool, value);
  const text = print(value);
  transaction.commit();
  return worded(text, value, limits);
}

/** A result in words of its own. */
const worded = (text: string, value: unknown, limits: CallLimits): CallResult =>
  text.length <= limits.resultCharacters
    ? { kind: 'done', text, value }
    : { kind: 'done', text: cutText(text, limits), value: undefined };

const cutText = (text: string, { resultCharacters }: CallLimits): string =>
  `${text.slice(0, resultCharacters)}… (cut at ${resultCharacters} characters)`;

function assertOutput(tool: RunnableTool, value: unknown): void {
  const read = tool.output.safeParse(value);
  if (read.success) return;
  throw new TypeError(`its result does not match its output: ${describeIssues(read.error)}`);
}

const crashIn = (tool: RunnableTool) => (message: string) =>
  ({ kind: 'env-crashed', where: `tool ${tool.name}`, message }) as const;

function faultOf(tool: RunnableTool, thrown: unknown): Error {
  if (FaultError.is(thrown) || UsageError.is(thrown) || RunError.is(thrown)) return thrown;
  const message = thrown instanceof TypeError ? messageOf(thrown) : placedMessageOf(thrown);
  return new FaultError(crashIn(tool)(message), { cause: thrown });
}
