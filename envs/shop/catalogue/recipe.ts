import type { Json } from '../../core/json.ts';
import type { Catalogue } from './catalogue.ts';
import type { Advance } from './opening-report.ts';
import type { Product } from './product.ts';

export interface ReadProducts {
  readonly signal: AbortSignal;
  /** Counts events, such as an item that was skipped. */
  readonly tally: (name: string, amount?: number) => void;
  readonly advance: Advance;
}

/** How to obtain the products of a catalogue. */
export interface CatalogueRecipe {
  readonly source: Catalogue['source'];
  /** Everything that the products are a function of. It is the key of the stored catalogue. */
  readonly identity: Json;
  /** The products in catalogue order, each id once, equal in every run. */
  products(options: ReadProducts): AsyncIterable<Product> | Iterable<Product>;
}
