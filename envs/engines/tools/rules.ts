import type { TaskRef } from '../../core/task.ts';
import type { End } from './action.ts';
import type { Grader } from './grader.ts';
import type { CallLimits, ErrorWording } from './run-call.ts';
import type { SavedShown, SavedWorld } from './episode-state.ts';
import type { ToolSettings } from './settings.ts';
import type { ReadTask } from './task.ts';
import type { RunnableTool } from './tool.ts';
import type { UserSimulator } from './user.ts';
import type { RowPatch, WorldState } from './world.ts';

/** What an episode needs to know, whatever its world is. */
export interface EpisodeRules {
  readonly id: string;
  readonly settings: ToolSettings;
  readonly limits: CallLimits;
  readonly userTools: readonly RunnableTool[];
  readonly user: UserSimulator;
  readonly slots: readonly string[];
  /** The rules of the policy that requests can be refused by. */
  readonly rules: Readonly<Record<string, string>>;
  /** How requests can end. */
  readonly ends: readonly End[];
  /** Writes the errors of calls in the words of the world; undefined: in the kit's. */
  readonly wordError: ErrorWording | undefined;
  task(ref: TaskRef): ReadTask;
}

/** What the episodes of a host share whose world is tables. */
export interface ToolRules extends EpisodeRules {
  /** Grades by rules of the world's own; undefined: by the kit's. */
  readonly grader: Grader | undefined;
  /** The tools by name, without those that are missing in a task. */
  toolsWithout(withheld: ReadonlySet<string>): ReadonlyMap<string, RunnableTool>;
  worldOf(
    task: ReadTask,
    swapped: RowPatch,
    saved?: {
      readonly world: Pick<SavedWorld, 'put' | 'removed'>;
      readonly episode: Pick<SavedShown, 'reads'>;
    },
  ): WorldState;
}
