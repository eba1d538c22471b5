import { UsageError } from '../../../core/errors.ts';
import { mebibytes, type OpeningReport } from '../opening-report.ts';
import type { Product } from '../product.ts';
import type { CatalogueRecipe, ReadProducts } from '../recipe.ts';
import { AsinTable } from '../store/asin-table.ts';
import {
  changedWhileRead,
  fileDigest,
  readAtEachOpening,
  sameStamp,
  stampOf,
  type FileStamp,
} from './file-digest.ts';
import { fileError, type FilePlace } from './file-error.ts';
import { findOriginalFiles, tellLeftOut, type OriginalFiles } from './find-files.ts';
import { productFileLimits } from './limits.ts';
import { namesInOrder, parseItem } from './parse-piece.ts';
import { piecesOf } from './pieces.ts';
import { AttributesFile } from './read-attributes.ts';
import { passedOverForPrice, RefusedPrices, type OddPriceHandling } from './odd-prices.ts';
import type { OddPricing } from './read-pricing.ts';
import { readAsin, readProduct, type PassedOver } from './read-product.ts';
import { noReviews, ReviewsFile } from './read-reviews.ts';
import type { JsonPiece } from './split-json.ts';

export interface OriginalOptions {
  /** The folder with WebShop's data files. */
  readonly folder: string;
  /** The number of items to use from the start of the products file. Default: all. */
  readonly products?: number | undefined;
  /** Shows reviews and ratings of `reviews.json`, which the published version does not. */
  readonly reviews?: boolean;
  /** How items with odd prices are handled. Default: they are refused. */
  readonly oddPrices?: OddPriceHandling;
  /** The folder of cached file digests. */
  readonly memoFolder: string;
  readonly signal: AbortSignal;
  readonly report?: OpeningReport | undefined;
}

/**
 * Increased whenever equal files are read differently, or other things of them are counted. 4: options whose
 * names are integers keep their place among the others.
 */
const readingVersion = 4;

export interface OriginalRecipe extends CatalogueRecipe {
  readonly files: OriginalFiles;
  /** SHA-256 of the attributes file. */
  readonly attributesDigest: string;
  /** Counts about the files themselves, without their content. */
  readonly counts: Readonly<Record<string, number>>;
  /** @throws RunError where one of the files has changed since its digest entered the identity */
  assertUnchanged(): Promise<void>;
}

/**
 * The catalogue of WebShop's own files, identified by their content. As in the original, some items are
 * skipped and counted: those with the id `nan`, with an id of more than ten characters, or with an earlier
 * id. Empty ids are skipped too and, on request, odd prices. Any other flaw of an item stops the reading with
 * a `UsageError` that names it. The original stops with a Python error there.
 *
 * @throws UsageError when a file is missing or cannot be read
 */
export async function originalRecipe(options: OriginalOptions): Promise<OriginalRecipe> {
  const files = await findOriginalFiles(options.folder, options.products);
  const reviews = options.reviews === true ? (files.reviews ?? missingReviews(options.folder)) : undefined;
  const { memoFolder, signal, report, oddPrices = 'refuse' } = options;
  const stamps = new Map<string, FileStamp>();
  let unkept = 0;
  const digest = async (file: string): Promise<string> => {
    const { sha256, stamp, isKept } = await fileDigest(file, {
      memoFolder,
      signal,
      advance: (done, total) => report?.('files', done, total, 'MiB'),
    });
    stamps.set(file, stamp);
    if (!isKept) unkept += 1;
    return sha256;
  };
  const identity = {
    products: await digest(files.products),
    attributes: await digest(files.attributes),
    reviews: reviews === undefined ? 'none' : await digest(reviews),
    limit: options.products ?? 'none',
    oddPrices,
    reading: readingVersion,
  };
  const assertUnchanged = async (): Promise<void> => {
    for (const [file, stamp] of stamps)
      if (!sameStamp(stamp, await stampOf(file))) throw changedWhileRead(file);
  };
  const bytes = Number(stamps.get(files.products)?.bytes);
  const sources = {
    products: files.products,
    bytes,
    attributes: files.attributes,
    reviews,
    limit: options.products,
    oddPrices,
  };
  return {
    source: 'original',
    identity,
    files,
    attributesDigest: identity.attributes,
    counts: {
      [readAtEachOpening]: unkept,
      ...tellLeftOut(files.products, files.leftOut.products),
      ...tellLeftOut(files.attributes, files.leftOut.attributes),
    },
    async *products(reading) {
      yield* readProducts(sources, reading);
      await assertUnchanged();
    },
    assertUnchanged,
  };
}

interface ProductSources {
  readonly products: string;
  /** The size of the products file. */
  readonly bytes: number;
  readonly attributes: string;
  readonly reviews: string | undefined;
  readonly limit: number | undefined;
  readonly oddPrices: OddPriceHandling;
}

async function* readProducts(
  sources: ProductSources,
  { signal, tally, advance }: ReadProducts,
): AsyncGenerator<Product, void> {
  const { products: file, bytes: size, limit = Infinity } = sources;
  const notes = await AttributesFile.read(sources.attributes, signal);
  const opinions =
    sources.reviews === undefined ? undefined : await ReviewsFile.read(sources.reviews, signal);
  if (notes.repeated > 0)
    tally('attribute entries given twice, of which the later one counts', notes.repeated);
  const reader = new ItemReader(sources, { notes, opinions, tally });
  const onRead = (read: number): void => advance(mebibytes(read), mebibytes(size));
  try {
    for await (const piece of piecesOf(file, { shape: 'list', limits: productFileLimits, signal, onRead })) {
      const product = reader.read(piece);
      if (product !== undefined && !reader.refused.any) yield product;
      if (piece.number === limit) break;
    }
  } catch (thrown) {
    if (reader.refused.any && UsageError.is(thrown)) throw reader.refused.error(reader.items, true);
    throw thrown;
  }
  reader.assertSound();
}

interface BesideProducts extends Pick<ReadProducts, 'tally'> {
  readonly notes: AttributesFile;
  readonly opinions: ReviewsFile | undefined;
}

/** Makes products of the items of a products file, one after the other, and counts the results. */
class ItemReader {
  readonly refused: RefusedPrices;
  /** Items read so far. */
  items = 0;
  readonly #sources: ProductSources;
  readonly #beside: BesideProducts;
  readonly #seen = new AsinTable();
  readonly #passedOver = { nan: 0, long: 0, empty: 0, price: 0 };
  /** Products with attributes. */
  #noted = 0;

  constructor(sources: ProductSources, beside: BesideProducts) {
    this.#sources = sources;
    this.#beside = beside;
    this.refused = new RefusedPrices(sources.oddPrices);
  }

  /** The product; undefined where the item is skipped or its price refused. */
  read(piece: JsonPiece): Product | undefined {
    const { tally, notes, opinions } = this.#beside;
    const place = new ItemPlace(this.#sources.products, piece);
    const item = parseItem(piece.bytes, place);
    this.items = piece.number;
    tally('items');
    const found = readAsin(item, place);
    if (typeof found === 'string') {
      this.#passedOver[found] += 1;
      tally(tallyOf[found]);
      return undefined;
    }
    const { asin } = found;
    if (this.#seen.add(asin) === undefined) {
      tally('passed over, id seen before');
      return undefined;
    }
    const attributes = notes.find(asin)?.attributes;
    const oddAsOriginal = this.#sources.oddPrices === 'as-original';
    const product = readProduct(
      item,
      asin,
      {
        attributes,
        ...(opinions?.find(asin) ?? noReviews),
        tally,
        oddAsOriginal,
        optionNames: () => namesInOrder(piece.bytes, 'customization_options', place),
      },
      place,
    );
    if ('kind' in product) return this.#leaveOut(product, place);
    if (attributes === undefined) tally('without attributes');
    else this.#noted += 1;
    return product;
  }

  #leaveOut(pricing: OddPricing, place: FilePlace): undefined {
    if (this.#sources.oddPrices === 'pass-over') {
      this.#passedOver.price += 1;
      this.#beside.tally(passedOverForPrice);
    } else {
      this.refused.add(pricing, place);
    }
  }

  /** @throws UsageError where what was read makes no catalogue */
  assertSound(): void {
    const { products: file, attributes, limit = Infinity } = this.#sources;
    if (this.refused.any) throw this.refused.error(this.items, false);
    const products = this.#seen.size - this.#passedOver.price;
    if (products === 0) throw noneLeft(file, this.items, this.#passedOver);
    if (this.#noted === 0) throw strangers(attributes, file, products);
    if (limit !== Infinity && this.items < limit) {
      throw fileError(
        { file },
        `it has ${this.items} items, fewer than the ${limit} products asked for.`,
        `Ask for at most ${this.items} products.`,
      );
    }
  }
}

const tallyOf: Readonly<Record<PassedOver, string>> = {
  nan: 'passed over, id nan',
  long: 'passed over, id too long',
  empty: 'passed over, id empty',
};

/** The place of an item with its id, which is searched for only when an error needs it. */
class ItemPlace implements FilePlace {
  readonly file: string;
  readonly item: number;
  readonly byte: number;
  readonly #bytes: Buffer;

  constructor(file: string, { number, start, bytes }: JsonPiece) {
    this.file = file;
    this.item = number;
    this.byte = start;
    this.#bytes = bytes;
  }

  get name(): string | undefined {
    return /"asin"\s*:\s*"([^"\\]{1,12})"/.exec(this.#bytes.toString('latin1'))?.[1];
  }
}

/**
 * The error for an attributes file of other products. The original would treat all as products without
 * attributes, and no purchase would get its right score.
 */
const strangers = (attributes: string, products: string, count: number): UsageError =>
  fileError(
    { file: attributes },
    `it has attributes of none of the ${count} products of ${products}.`,
    'Take the attributes file that belongs to the products file.',
  );

function noneLeft(
  file: string,
  items: number,
  { nan, long, empty, price }: Readonly<Record<PassedOver | 'price', number>>,
): UsageError {
  if (items === 0) return fileError({ file }, 'it has no items.');
  const also = `${empty === 0 ? '' : `; so are ${empty} with an empty id`}${price === 0 ? '' : `; so are ${price} with odd prices, as catalogue.oddPrices says`}`;
  const what = `no product is left of its ${items} ${items === 1 ? 'item' : 'items'}: ${nan} with the id nan and ${long} with an id of more than ten characters are passed over, as the original does${also}.`;
  return fileError({ file }, what);
}

function missingReviews(folder: string): never {
  throw new UsageError({
    where: folder,
    what: 'there is no reviews.json (nor reviews.json.gz).',
    fix: 'Add it, or leave reviews out, as the published version does.',
  });
}
