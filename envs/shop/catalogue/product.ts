/** One option that a buyer may choose, such as `color`, with its values in the order of the page. */
export interface ProductOption {
  /** Lower case. */
  readonly name: string;
  /** Lower case, stripped, `/` written as ` | `: what is drawn and what is clicked. */
  readonly values: readonly string[];
}

/** A product as the shop shows and scores it, whatever it was read from. */
export interface Product {
  /** At most ten characters, unique in its catalogue. */
  readonly asin: string;
  /** The title; the product type is judged by its nouns. */
  readonly name: string;
  /** The query that it was collected under, lower case and stripped. */
  readonly query: string;
  /** Broad category, such as `garden`. */
  readonly category: string;
  /** Path of categories, parted by ` › `. */
  readonly productCategory: string;
  readonly description: string;
  /** Features. */
  readonly bulletPoints: readonly string[];
  /** Never shown (but with `show_attrs`); what goals ask for. */
  readonly attributes: readonly string[];
  readonly options: readonly ProductOption[];
  /** One price, or the two ends of a range; in dollars. */
  readonly pricing: readonly number[];
  /** As drawn: `$19.99`, or `$10.0 to $20.0`. */
  readonly priceText: string;
  readonly reviews: readonly Review[];
  /** As drawn: `N.A.`, or a number. */
  readonly rating: string;
}

export interface Review {
  readonly title: string;
  readonly body: string;
  readonly score: string;
}
