import type { TaskRef } from '../../core/task.ts';
import type { CallLimits } from './run-call.ts';
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
  task(ref: TaskRef): ReadTask;
}

/** What the episodes of a host share whose world is tables. */
export interface ToolRules extends EpisodeRules {
  /** The tools by name, without those that are missing in a task. */
  toolsWithout(withheld: ReadonlySet<string>): ReadonlyMap<string, RunnableTool>;
  worldOf(
    task: ReadTask,
    swapped: RowPatch,
    saved?: { readonly world: SavedWorld; readonly episode: SavedShown },
  ): WorldState;
}
