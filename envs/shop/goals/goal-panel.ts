import type { PanelInfo } from '../../core/task.ts';
import type { Goal } from './goal.ts';

/** An ordered list of goals under a name. */
export interface GoalPanel extends PanelInfo {
  /** Number of its first goal among all goals of the shop; the original names sessions by these numbers. */
  readonly first: number;
  /** The goal of that place, from 0 up to the size. */
  goal(index: number): Goal;
}
