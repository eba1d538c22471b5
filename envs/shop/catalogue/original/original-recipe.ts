import { UsageError } from '../../../core/errors.ts';
import { mebibytes, type OpeningReport } from '../opening-report.ts';
import type { Product } from '../product.ts';
import type { CatalogueRecipe, ReadProducts } from '../recipe.ts';
import { AsinTable } from '../store/asin-table.ts';
import { changedWhileRead, fileDigest, sameStamp, stampOf, type FileStamp } from './file-digest.ts';
import { fileError, type FilePlace } from './file-error.ts';
import { findOriginalFiles, type OriginalFiles } from './find-files.ts';
import { productFileLimits } from './limits.ts';
import { parseItem } from './parse-piece.ts';
import { piecesOf } from './pieces.ts';
import { AttributesFile } from './read-attributes.ts';
import { readAsin, readProduct } from './read-product.ts';
import { noReviews, ReviewsFile } from './read-reviews.ts';
import type { JsonPiece } from './split-json.ts';

export interface OriginalOptions {
  /** Holds WebShop's data files. */
  readonly folder: string;
  /** How many items of the products file count, from its beginning; all when left out. */
  readonly products?: number | undefined;
  /** Shows reviews and ratings of `reviews.json`, which the published version does not. */
  readonly reviews?: boolean;
  /** Where digests of files are remembered. */
  readonly memoFolder: string;
  readonly signal: AbortSignal;
  readonly report?: OpeningReport | undefined;
}

/** Changes whenever equal files are read otherwise, or other things of them are counted. */
const readingVersion = 2;

export interface OriginalRecipe extends CatalogueRecipe {
  readonly files: OriginalFiles;
}

/**
 * The catalogue of WebShop's own files, keyed by their content. Passed over and counted are, as in the original, items with the
 * id `nan` or one of more than ten characters, and those whose id came before. Everything else that is wrong with an item stops
 * the reading with a `UsageError` that names it, where the original stops with an error of Python.
 *
 * @throws UsageError when a file is missing or cannot be read.
 */
export async function originalRecipe(options: OriginalOptions): Promise<OriginalRecipe> {
  const files = await findOriginalFiles(options.folder, options.products);
  const reviews = options.reviews === true ? (files.reviews ?? missingReviews(options.folder)) : undefined;
  const { memoFolder, signal, report } = options;
  const stamps = new Map<string, FileStamp>();
  const digest = async (file: string): Promise<string> => {
    const { sha256, stamp } = await fileDigest(file, { memoFolder, signal, advance: (done, total) => report?.('files', done, total) });
    stamps.set(file, stamp);
    return sha256;
  };
  const identity = {
    products: await digest(files.products),
    attributes: await digest(files.attributes),
    reviews: reviews === undefined ? 'none' : await digest(reviews),
    limit: options.products ?? 'none',
    reading: readingVersion,
  };
  const bytes = Number(stamps.get(files.products)?.bytes);
  const sources = { products: files.products, bytes, attributes: files.attributes, reviews, limit: options.products };
  return {
    source: 'original',
    identity,
    files,
    async *products(reading) {
      yield* readProducts(sources, reading);
      for (const [file, stamp] of stamps) if (!sameStamp(stamp, await stampOf(file))) throw changedWhileRead(file);
    },
  };
}

interface ProductSources {
  readonly products: string;
  /** Of the products file. */
  readonly bytes: number;
  readonly attributes: string;
  readonly reviews: string | undefined;
  readonly limit: number | undefined;
}

async function* readProducts({ products: file, bytes: size, attributes, reviews, limit = Infinity }: ProductSources, { signal, tally, advance }: ReadProducts): AsyncGenerator<Product, void> {
  const notes = await AttributesFile.read(attributes, signal);
  const opinions = reviews === undefined ? undefined : await ReviewsFile.read(reviews, signal);
  const seen = new AsinTable();
  if (notes.repeated > 0) tally('attribute entries given twice, of which the later one counts', notes.repeated);
  const passedOver = { nan: 0, long: 0 };
  let items = 0;
  let noted = 0;
  const onRead = (read: number): void => advance(mebibytes(read), mebibytes(size));
  for await (const { number, start, bytes } of piecesOf(file, { shape: 'list', limits: productFileLimits, signal, onRead })) {
    items = number;
    tally('items');
    const place = new ItemPlace(file, { number, start, bytes });
    const item = parseItem(bytes, place);
    const found = readAsin(item, place);
    if (typeof found === 'string') {
      passedOver[found] += 1;
      tally(found === 'nan' ? 'passed over, id nan' : 'passed over, id too long');
    } else if (seen.add(found.asin) === undefined) {
      tally('passed over, id seen before');
    } else {
      const attributesOf = notes.find(found.asin)?.attributes;
      if (attributesOf === undefined) tally('without attributes');
      else noted += 1;
      yield readProduct(item, found.asin, { attributes: attributesOf, ...(opinions?.find(found.asin) ?? noReviews), tally }, place);
    }
    if (number === limit) break;
  }
  if (seen.size === 0) throw noneLeft(file, items, passedOver);
  if (noted === 0) throw strangers(attributes, file, seen.size);
  if (limit !== Infinity && items < limit) {
    throw fileError({ file }, `it has ${items} items, fewer than the ${limit} products asked for.`, `Ask for at most ${items} products.`);
  }
}

/** The place of an item, with its id, which is looked for only when there is something wrong to say of it. */
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

/** The original would take them all for products without attributes, and no purchase would score as it should. */
const strangers = (attributes: string, products: string, count: number): UsageError =>
  fileError({ file: attributes }, `it has attributes of none of the ${count} products of ${products}.`, 'Take the attributes file that belongs to the products file.');

function noneLeft(file: string, items: number, { nan, long }: { readonly nan: number; readonly long: number }): UsageError {
  const what = items === 0 ? 'it has no items.' : `no product is left of its ${items} ${items === 1 ? 'item' : 'items'}: ${nan} with the id nan and ${long} with an id of more than ten characters are passed over, as the original does.`;
  return fileError({ file }, what);
}

function missingReviews(folder: string): never {
  throw new UsageError({ where: folder, what: 'there is no reviews.json (nor reviews.json.gz).', mend: 'Put it there, or leave reviews out, as the published version does.' });
}
