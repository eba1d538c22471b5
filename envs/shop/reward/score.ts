import type { Product } from '../catalogue/product.ts';

/** What was bought. */
export interface Purchase {
  readonly product: Product;
  /** What it costs, in dollars. */
  readonly price: number;
  /** Chosen option values by option name, in the order of choosing. */
  readonly options: ReadonlyMap<string, string>;
}

/** Where nouns come from; stands in the content of every task. */
export type NounOrigin =
  | { readonly name: string; readonly recorded: false }
  /** Only scores by the original's own model may be labelled WebShop; those of any other go by its name. */
  | { readonly name: string; readonly recorded: true; readonly originalModel: boolean };

/** Where the nouns of a title come from; its name and version stand in fingerprints and table headers. */
export interface NounSource {
  readonly origin: NounOrigin;
  /** Lower-cased nouns and proper nouns of the title, repeated as in the title. */
  nounsOf(title: string): readonly string[];
}

/** The original's reward for a purchase, with its parts; every figure in [0, 1] but the counts. */
export interface Score {
  readonly total: number;
  readonly type: number;
  readonly titleScore: number;
  readonly queryMatches: boolean;
  readonly categoryMatches: boolean;
  readonly attributesMatched: number;
  readonly optionsMatched: number;
  readonly priceFits: boolean;
  /** Attributes and options asked for, and 1 for the price: what matches are divided by. */
  readonly asked: number;
}
