import type { PanelInfo } from '../../core/task.ts';
import type { Goal } from './goal.ts';

/** A named list of goals. */
export interface GoalPanel extends PanelInfo {
  /**
   * The number of its first goal among all goals of the shop. The original names sessions by these numbers.
   */
  readonly first: number;
  /** The goal at that index, from 0 below the size. */
  goal(index: number): Goal;
}
