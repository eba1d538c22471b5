import type { Goal } from './goal.ts';

/** Goals in the order in which tasks number them, each created on demand. */
export interface GoalSet {
  readonly size: number;
  /** Counts from the creation of the goals, such as instructions without attributes. */
  readonly counts: Readonly<Record<string, number>>;
  /** @throws RangeError for the number of no goal */
  goal(number: number): Goal;
}
