/**
 * What a page of the shop shows, as plain data: text, markup and address are drawn from it and from nothing else, so what it does
 * not hold cannot be seen. It never holds a goal.
 */
export type Page = StartPage | ResultsPage | ItemPage | SubPage | DonePage;

interface AnyPage {
  /** As the original's server names the page: session, query and choices, not escaped. */
  readonly url: string;
}

interface TaskPage extends AnyPage {
  readonly instruction: string;
}

/** The page with the search bar. */
export interface StartPage extends TaskPage {
  readonly kind: 'start';
}

/** Up to ten of the products found. Pages past the last one are empty. */
export interface ResultsPage extends TaskPage {
  readonly kind: 'results';
  /** From 1. */
  readonly number: number;
  /** Products found, on all pages. */
  readonly total: number;
  readonly rows: readonly ResultRow[];
}

export interface ResultRow {
  readonly asin: string;
  readonly title: string;
  readonly price: string;
  /** Whether it was opened since the start page was shown last. */
  readonly visited: boolean;
}

/** A product, with its options and the way to its sub pages. */
export interface ItemPage extends TaskPage {
  readonly kind: 'item';
  readonly title: string;
  readonly price: string;
  readonly rating: string;
  readonly options: readonly OptionGroup[];
  readonly subPages: readonly SubPageName[];
}

export interface OptionGroup {
  readonly name: string;
  readonly values: readonly string[];
  /** The value chosen. */
  readonly chosen: string | undefined;
}

export interface SubPage extends TaskPage {
  readonly kind: 'sub-page';
  /** Of the product. */
  readonly title: string;
  readonly content: SubPageContent;
}

export type SubPageContent =
  | { readonly name: 'Description'; readonly description: string }
  | { readonly name: 'Features'; readonly bulletPoints: readonly string[] }
  | {
      readonly name: 'Reviews';
      readonly reviews: readonly { readonly title: string; readonly score: string; readonly body: string }[];
    }
  | {
      readonly name: 'Attributes';
      readonly attributes: readonly string[];
      readonly category: string;
      readonly query: string;
      readonly productCategory: string;
    };

export type SubPageName = SubPageContent['name'];

/** The page after buying: what was bought and its score. Of what should have been bought it says nothing. */
export interface DonePage extends AnyPage {
  readonly kind: 'done';
  readonly asin: string;
  /** Values by name, in the order of choosing. */
  readonly options: ReadonlyMap<string, string>;
  readonly score: number;
}

/** The words on the buttons, as they are drawn; clicks name them in lower case. */
export const buttons = {
  search: 'Search',
  backToSearch: 'Back to Search',
  next: 'Next >',
  previous: '< Prev',
  buy: 'Buy Now',
} as const;
