import type { UsageError } from '../../../core/errors.ts';
import { fileError, type FilePlace } from './file-error.ts';
import type { OddPricing } from './read-pricing.ts';

/**
 * How items with odd prices are handled: `refuse` stops the reading, `as-original` uses the value that
 * WebShop's code derives and refuses those at which that code fails, `pass-over` omits the products.
 */
export const oddPriceHandlings = ['refuse', 'as-original', 'pass-over'] as const;

export type OddPriceHandling = (typeof oddPriceHandlings)[number];

/** The name under which items are counted that are omitted for their prices. */
export const passedOverForPrice = 'passed over, odd price';

/** The items whose prices stop the reading. The first is reported, the others are counted. */
export class RefusedPrices {
  readonly #handling: OddPriceHandling;
  #first: { readonly place: FilePlace; readonly why: string; readonly crashes: boolean } | undefined;
  #count = 0;

  constructor(handling: OddPriceHandling) {
    this.#handling = handling;
  }

  /** True once there is one. From then on only such items matter. */
  get any(): boolean {
    return this.#first !== undefined;
  }

  add({ why, inOriginal }: OddPricing, { file, item, byte, name }: FilePlace): void {
    this.#count += 1;
    this.#first ??= {
      place: { file, name, ...(item === undefined ? {} : { item }), ...(byte === undefined ? {} : { byte }) },
      why,
      crashes: inOriginal === undefined,
    };
  }

  /**
   * The error of the first one, with the number of similar items among those read. `cutShort` where the rest
   * cannot be read.
   */
  error(items: number, cutShort: boolean): UsageError {
    if (this.#first === undefined) throw new TypeError('no price was refused');
    const { place, why, crashes } = this.#first;
    const such =
      this.#count === 1
        ? `${this.#count} of ${items} items has such a price`
        : `${this.#count} of ${items} items have such prices`;
    const what = `${why} ${such}${cutShort ? ', as far as the file can be read' : ''}.`;
    return fileError(place, what, fixOf(this.#handling, crashes));
  }
}

function fixOf(handling: OddPriceHandling, crashes: boolean): string {
  const passOver = 'Fix the price, or leave such products out: set catalogue.oddPrices to "pass-over"';
  if (handling === 'as-original' || crashes) return `${passOver}. At this one WebShop's own code stops, too.`;
  return `${passOver}, or to "as-original" to take what WebShop's own code makes of them.`;
}
