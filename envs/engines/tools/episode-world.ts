import type { End, ToolCall } from './action.ts';
import type { WorldPart } from './episode-state.ts';
import type { CallResult } from './run-call.ts';
import type { RunnableTool } from './tool.ts';
import type { Heard, UserAnswer, UserTurn } from './user.ts';

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

/** What a world gets of a message to its user. */
export type HeardByWorld = Pick<Heard, 'text' | 'ref' | 'request' | 'state' | 'isReached'>;

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
  /** Remembers what grading needs of a call of the agent. It gets every call, also one that failed before it was executed. */
  note?(call: ToolCall): void;
  /** Lets the user say its first message; undefined where the instruction has it. */
  open?(at: Pick<UserTurn, 'ref' | 'request'>, signal: AbortSignal): Promise<UserAnswer | undefined>;
  /** Lets the user answer a message. The user may have tools that act on this world. */
  hear(heard: HeardByWorld, signal: AbortSignal): Promise<UserAnswer>;
  /** The names of all checks. */
  readonly checks: readonly string[];
  /** The checks that the end of a request fails; undefined for a right end. */
  judge(ended: RequestEnd, signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** Identifies the world while a request is open; undefined where the world cannot be read. */
  stateText(request: number): string | undefined;
  /** What the agent changed, as far as it was shown. The anchor key depends on it. */
  changedText(): string;
  /** The world's part of a snapshot; absent where the world cannot be saved. */
  save?(request: number): WorldPart;
}
