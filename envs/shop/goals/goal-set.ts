import type { Goal } from './goal.ts';

/** Goals in the order in which tasks number them, each made when it is asked for. */
export interface GoalSet {
  readonly size: number;
  /** What was counted while the goals were made, such as instructions without attributes. */
  readonly counts: Readonly<Record<string, number>>;
  /** Throws a `RangeError` for a number that is no goal's. */
  goal(number: number): Goal;
}
