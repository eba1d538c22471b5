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
