import type { Product } from '../catalogue/product.ts';

/** A purchase. */
export interface Purchase {
  readonly product: Product;
  /** Its cost in dollars. */
  readonly price: number;
  /** Chosen option values by option name, in the order of choosing. */
  readonly options: ReadonlyMap<string, string>;
}

/** The source of nouns, which is part of the content of every task. */
export type NounOrigin =
  | { readonly name: string; readonly recorded: false }
  /** Only scores by the original's own model may be labelled WebShop. Those of another model use its name. */
  | { readonly name: string; readonly recorded: true; readonly originalModel: boolean };

/** A source of the nouns of titles. Its name and version are part of fingerprints and table headers. */
export interface NounSource {
  readonly origin: NounOrigin;
  /** Lower-cased nouns and proper nouns of the title, with the repeats of the title. */
  nounsOf(title: string): readonly string[];
}

/** The original's reward for a purchase, with its parts. All numbers are in [0, 1], except the counts. */
export interface Score {
  readonly total: number;
  readonly type: number;
  readonly titleScore: number;
  readonly queryMatches: boolean;
  readonly categoryMatches: boolean;
  readonly attributesMatched: number;
  readonly optionsMatched: number;
  readonly priceFits: boolean;
  /** Required attributes and options, plus 1 for the price. Matches are divided by it. */
  readonly asked: number;
}
