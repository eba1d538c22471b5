/** An option that a buyer may choose, such as `color`, with its values in page order. */
export interface ProductOption {
  /** Lower case. */
  readonly name: string;
  /** Lower case, stripped, `/` written as ` | `. It is the text on the page and of the click. */
  readonly values: readonly string[];
}

/** A product as the shop shows and scores it, whatever its source. */
export interface Product {
  /** At most ten characters, unique in its catalogue. */
  readonly asin: string;
  /** The title. Its nouns determine the product type. */
  readonly name: string;
  /** The query under which it was collected, in lower case and stripped. */
  readonly query: string;
  /** Broad category, such as `garden`. */
  readonly category: string;
  /** The path of categories, separated by ` › `. */
  readonly productCategory: string;
  readonly description: string;
  /** Features. */
  readonly bulletPoints: readonly string[];
  /** The attributes that goals require. They are shown only with `show_attrs`. */
  readonly attributes: readonly string[];
  readonly options: readonly ProductOption[];
  /** One price, or the two ends of a range, in dollars. */
  readonly pricing: readonly number[];
  /** As shown: `$19.99`, or `$10.0 to $20.0`. */
  readonly priceText: string;
  readonly reviews: readonly Review[];
  /** As shown: `N.A.`, or a number. */
  readonly rating: string;
}

export interface Review {
  readonly title: string;
  readonly body: string;
  readonly score: string;
}
