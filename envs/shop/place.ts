import type { SubPageName } from './pages/page.ts';

/** Where a shopper is. It is all that the shop knows of a shopper, apart from the visited products. */
export type ShopPlace = StartPlace | ResultsPlace | ItemPlace | SubPagePlace;

export interface StartPlace {
  readonly kind: 'start';
}

export interface ResultsPlace {
  readonly kind: 'results';
  /** In lower case, otherwise as typed. */
  readonly query: string;
  /** From 1. */
  readonly page: number;
}

/** A product, and the results from which it was opened. */
export interface ItemPlace {
  readonly kind: 'item';
  readonly query: string;
  readonly page: number;
  /** Number of the product in the catalogue. */
  readonly product: number;
  /** Values by the option's name, in the order of choosing. */
  readonly options: ReadonlyMap<string, string>;
}

export interface SubPagePlace extends Omit<ItemPlace, 'kind'> {
  readonly kind: 'sub-page';
  readonly name: SubPageName;
}
