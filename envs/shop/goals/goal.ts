/** What a shopper is asked to buy. */
export interface Goal {
  /** The product that the goal was made from; others may score as well. Never shown. */
  readonly asin: string;
  /** What the agent reads. */
  readonly instruction: string;
  /** Attributes asked for; at least one. */
  readonly attributes: readonly string[];
  /** Option values asked for. Synthetic goals know the option's name, human ones only the value. */
  readonly options: readonly GoalOption[];
  /** The price must not be above it; 1,000,000 where the instruction names none. */
  readonly priceUpper: number;
  /** Title, query and categories of the product asked for: the type of what is bought is judged by them. */
  readonly name: string;
  readonly query: string;
  readonly category: string;
  readonly productCategory: string;
  /** Weight of the goal where goals are drawn by weight. */
  readonly weight: number;
}

export interface GoalOption {
  readonly name: string | undefined;
  readonly value: string;
}
