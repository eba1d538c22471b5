import type { Json } from '../../core/json.ts';
import type { Catalogue } from './catalogue.ts';
import type { Advance } from './opening-report.ts';
import type { Product } from './product.ts';

export interface ReadProducts {
  readonly signal: AbortSignal;
  /** Counts what happened on the way, such as an item that was passed over. */
  readonly tally: (name: string, amount?: number) => void;
  readonly advance: Advance;
}

/** How the products of a catalogue are come by. */
export interface CatalogueRecipe {
  readonly source: Catalogue['source'];
  /** All that the products are a function of: the key by which the made catalogue is kept. */
  readonly identity: Json;
  /** The products in the catalogue's order, each id once; equal in every run. */
  products(options: ReadProducts): AsyncIterable<Product> | Iterable<Product>;
}
