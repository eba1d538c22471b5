import type { PanelInfo } from '../../core/task.ts';
/** The goal of a shopper. */
export interface Goal {
  /** The product from which the goal was made. Others may score as well. Never shown. */
  readonly asin: string;
  /** The text for the agent. */
  readonly instruction: string;
  /** Required attributes; at least one. */
  readonly attributes: readonly string[];
  /** Required option values. Synthetic goals have the option's name, human ones only the value. */
  readonly options: readonly GoalOption[];
  /** The maximum price; 1,000,000 where the instruction states none. */
  readonly priceUpper: number;
  /**
   * Title, query and categories of the required product. They determine the score for the type of the
   * purchase.
   */
  readonly name: string;
  readonly query: string;
  readonly category: string;
  readonly productCategory: string;
  /** The weight of the goal where goals are drawn by weight. */
  readonly weight: number;
}

export interface GoalOption {
  readonly name: string | undefined;
  readonly value: string;
}

/** Goals in the order in which tasks number them, each created on demand. */
export interface GoalSet {
  readonly size: number;
  /** Counts from the creation of the goals, such as instructions without attributes. */
  readonly counts: Readonly<Record<string, number>>;
  /** @throws RangeError for the number of no goal */
  goal(number: number): Goal;
}

/** A named list of goals. */
export interface GoalPanel extends PanelInfo {
  /**
   * The number of its first goal among all goals of the shop. The original names sessions by these numbers.
   */
  readonly first: number;
  /** The goal at that index, from 0 below the size. */
  goal(index: number): Goal;
}
