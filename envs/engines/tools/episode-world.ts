import type { End, ToolCall } from './action.ts';
import type { WorldPart } from './episode-state.ts';
import type { Lack } from './rewards/outcome.ts';
import type { CallResult } from './run-call.ts';
import type { RunnableTool } from './tool.ts';
import type { Heard, UserAnswer } from './user.ts';

/** How the agent ended a request. */
export interface RequestEnd {
  /** The number of the request in its task. */
  readonly request: number;
  readonly end: End;
  readonly rule: string | undefined;
  /** Which of the texts of `tell` were communicated. */
  readonly told: readonly number[];
  /** Texts of the results so far, sorted. Only BFCL's check needs them. */
  readonly results: readonly string[];
}

/**
 * The world of one episode: it executes calls and judges the ends of requests. The episode around it knows
 * nothing else of the world, so that a world may be tables in memory or servers elsewhere.
 */
export interface EpisodeWorld {
  /** The tools that the task offers, by name. */
  readonly tools: ReadonlyMap<string, RunnableTool>;
  /**
   * Executes one call. Errors of the model are results.
   *
   * @throws FaultError where the world failed
   */
  call(call: ToolCall, signal: AbortSignal): CallResult | Promise<CallResult>;
  /** Lets the user answer a message. The user may have tools that act on this world. */
  hear(heard: Pick<Heard, 'text' | 'request' | 'state'>, signal: AbortSignal): Promise<UserAnswer>;
  /** What the end of a request lacks; undefined for a right end. */
  judge(ended: RequestEnd, signal: AbortSignal): Promise<Lack | undefined>;
  /** Identifies the world while a request is open; undefined where the world cannot be read. */
  stateText(request: number): string | undefined;
  /** What the agent changed, as far as it was shown. The anchor key depends on it. */
  changedText(): string;
  /** The world's part of a snapshot; absent where the world cannot be saved. */
  save?(request: number): WorldPart;
}
