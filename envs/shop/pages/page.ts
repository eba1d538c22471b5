/**
 * The content of a page of the shop as plain data. Text, markup and address are drawn from it alone, so
 * anything else is invisible. It never contains a goal.
 */
export type Page = StartPage | ResultsPage | ItemPage | SubPage | DonePage;

interface AnyPage {
  /** In the format of the original's server: session, query and choices, not escaped. */
  readonly url: string;
}

interface TaskPage extends AnyPage {
  readonly instruction: string;
}

/** The page with the search bar. */
export interface StartPage extends TaskPage {
  readonly kind: 'start';
}

/** Up to ten of the found products. Pages after the last one are empty. */
export interface ResultsPage extends TaskPage {
  readonly kind: 'results';
  /** From 1. */
  readonly number: number;
  /** Found products, on all pages. */
  readonly total: number;
  readonly rows: readonly ResultRow[];
}

export interface ResultRow {
  readonly asin: string;
  readonly title: string;
  readonly price: string;
  /** Whether it was opened since the start page was last shown. */
  readonly visited: boolean;
}

/** A product, with its options and links to its sub pages. */
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
  /** The chosen value. */
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

/** The page after buying: the bought product and its score. It says nothing about the required product. */
export interface DonePage extends AnyPage {
  readonly kind: 'done';
  readonly asin: string;
  /** Values by name, in the order of choosing. */
  readonly options: ReadonlyMap<string, string>;
  readonly score: number;
}

/** The words on the buttons, as drawn. Clicks name them in lower case. */
export const buttons = {
  search: 'Search',
  backToSearch: 'Back to Search',
  next: 'Next >',
  previous: '< Prev',
  buy: 'Buy Now',
} as const;
