import type { TaskRef } from '../../core/task.ts';
import type { ToolCall } from './action.ts';
import type { TableSchemas } from './tables.ts';
import type { World } from './world.ts';

/** Who made a call. */
export type Caller = 'agent' | 'user';

/** The end of an episode, for a {@link Grader}. */
export interface EpisodeEnd {
  readonly ref: TaskRef;
  /** The marks that the episode earned. */
  readonly marks: ReadonlySet<string>;
  /** Whether all tables equal those after the gold calls, by deep equality. A gold call that failed changed nothing. */
  readonly isGoldState: boolean;
  /** The tables as they are now. What is read here counts as no read, and nothing can be kept. */
  readonly world: World<TableSchemas>;
}

/** The grade of an episode. It is solved where all checks hold. */
export interface Grade {
  /** The checks by name. The metric `wrong-NAME` is 1 where one does not hold. */
  readonly checks: Readonly<Record<string, boolean>>;
}

/**
 * Grades the episodes of a world by its own rules. What a rule needs to remember of calls and messages are marks, such
 * as `told-0`: the state of an episode contains the marks and nothing else of them.
 */
export interface Grader {
  /** The names of all checks. */
  readonly checks: readonly string[];
  /** Marks that the task has from its start, such as those of messages before it. Default: none. */
  marksAtStart?(ref: TaskRef): readonly string[];
  /** Marks that a call earns, whether it failed or not. */
  marksOfCall(ref: TaskRef, call: ToolCall, by: Caller): readonly string[];
  /** Marks that a message to the user earns. */
  marksOfMessage(ref: TaskRef, text: string): readonly string[];
  grade(end: EpisodeEnd): Grade;
}
