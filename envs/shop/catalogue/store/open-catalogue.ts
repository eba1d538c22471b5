import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, messageOf, RunError } from '../../../core/errors.ts';
import { canonicalJson } from '../../../core/json.ts';
import { assertCacheFile, readCacheFile } from '../../../engines/cache-file/read-file.ts';
import { sweepFolder } from '../../../engines/cache-file/replace-file.ts';
import { loadTextIndex } from '../../../engines/text-search/load-text-index.ts';
import type { TextIndex } from '../../../engines/text-search/text-index.ts';
import type { Catalogue } from '../catalogue.ts';
import { findProducts } from '../product-search.ts';
import type { CatalogueRecipe } from '../recipe.ts';
import { buildFolder } from './build-folder.ts';
import { readTables, type CatalogueTables } from './catalogue-tables.ts';
import { readManifest, storeFiles, storeFormat, type Manifest } from './manifest.ts';
import { ProductFile } from './product-file.ts';
import { reasonWords, type BuildReason, type StoreEvent } from './store-events.ts';

export interface OpenOptions {
  /** The folder of stored catalogues, each in a subfolder of its own. It is created where it is missing. */
  readonly cacheFolder: string;
  readonly signal: AbortSignal;
  readonly report?: (event: StoreEvent) => void;
}

/** A catalogue on disk. Memory holds the index and a row of numbers per product. */
export interface StoredCatalogue extends Catalogue {
  /** Counts of the build, such as items that were skipped. */
  readonly counts: Readonly<Record<string, number>>;
  readonly folder: string;
}

const folderPrefix = 'catalogue-';

/** The most attempts, because another process may replace the files of a catalogue while they are read. */
const attempts = 3;

/**
 * Opens the catalogue of a recipe from the cache, or builds and stores it. A catalogue of another version of
 * this software, or a damaged one, is rebuilt, and `report` receives that. Any number of processes may do so
 * concurrently.
 *
 * @throws UsageError when the recipe's files are wrong
 * @throws RunError when the disk fails
 */
export async function openCatalogue(recipe: CatalogueRecipe, options: OpenOptions): Promise<StoredCatalogue> {
  const { cacheFolder, signal, report = () => undefined } = options;
  const key = createHash('sha256')
    .update(canonicalJson([storeFormat, recipe.source, recipe.identity]))
    .digest('hex');
  const folder = join(cacheFolder, `${folderPrefix}${key.slice(0, 32)}`);
  const advance = (done: number, total: number): void => report({ kind: 'build-advance', done, total });
  await sweepCache(cacheFolder);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    signal.throwIfAborted();
    const found = await openFolder(folder, key, signal);
    if (!('reason' in found)) return found;
    report({ kind: 'build-start', folder, reason: found.reason });
    const built = await buildFolder(folder, recipe, { key, signal, advance }).catch((thrown: unknown) => {
      throw withReason(thrown, folder, found.reason);
    });
    report({ kind: 'build-end', folder, ...built });
  }
  throw new RunError({
    where: folder,
    what: 'the new catalogue there repeatedly cannot be opened.',
    fix: 'Check the disk, and that no other program writes there.',
  });
}

/**
 * The error of a failed build, with the reason for the build. Otherwise only the disk would seem to be at
 * fault.
 */
function withReason(thrown: unknown, folder: string, reason: BuildReason): unknown {
  if (reason.kind === 'absent' || !RunError.is(thrown)) return thrown;
  const { where, what, fix } = thrown.parts;
  return new RunError(
    { where, what: `${what} The catalogue in ${folder} must be built again: ${reasonWords(reason)}.`, fix },
    { cause: thrown },
  );
}

/**
 * Removes partial files. A process that was stopped during a build may never ask for that catalogue again.
 */
async function sweepCache(cacheFolder: string): Promise<void> {
  // errors of the folder are reported when it is used
  const names = await readdir(cacheFolder).catch(() => []);
  const catalogues = names
    .filter((name) => name.startsWith(folderPrefix))
    .map((name) => join(cacheFolder, name));
  for (const folder of [cacheFolder, ...catalogues]) await sweepFolder(folder);
}

/** The catalogue of a folder, or why it cannot be used. */
async function openFolder(
  folder: string,
  key: string,
  signal: AbortSignal,
): Promise<StoredCatalogue | { readonly reason: BuildReason }> {
  try {
    const text = await readText(join(folder, storeFiles.manifest));
    if (text === undefined) return { reason: { kind: 'absent' } };
    const manifest = named(storeFiles.manifest, () => readManifest(text));
    if (manifest.format !== storeFormat)
      return { reason: { kind: 'stale', detail: `it has the format ${manifest.format}` } };
    if (manifest.key !== key) return { reason: { kind: 'stale', detail: 'it has other products' } };
    return await openParts(folder, manifest, signal);
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return { reason: { kind: 'damaged', detail: flawOf(thrown).replaceAll(/\s+/g, ' ') } };
  }
}

/** The error without its fix, because a rebuild fixes it. */
const flawOf = (thrown: unknown): string =>
  RunError.is(thrown) ? `${thrown.parts.where}: ${thrown.parts.what.replace(/\.$/, '')}` : messageOf(thrown);

async function openParts(folder: string, manifest: Manifest, signal: AbortSignal): Promise<StoredCatalogue> {
  const tables = await openTables(join(folder, storeFiles.tables), manifest, signal);
  const stored = await loadTextIndex(join(folder, storeFiles.index), {
    contentKey: manifest.fingerprint,
    signal,
  });
  if (stored.kind !== 'loaded') throw new RangeError(`${storeFiles.index} is ${stored.kind}`);
  const productsPath = join(folder, storeFiles.products);
  await assertCacheFile(productsPath);
  const products = named(storeFiles.products, () => new ProductFile(productsPath, tables));
  return {
    counts: manifest.counts,
    folder,
    ...catalogueOf(manifest, { tables, index: stored.index, products }),
  };
}

async function openTables(path: string, manifest: Manifest, signal: AbortSignal): Promise<CatalogueTables> {
  const bytes = await readCacheFile(path, { signal });
  if (createHash('sha256').update(bytes).digest('hex') !== manifest.tables)
    throw new RangeError(`${storeFiles.tables} is not as it was written`);
  return named(storeFiles.tables, () => readTables(bytes, manifest.products));
}

/** Adds the name of the catalogue's file to errors. */
function named<Read>(file: string, read: () => Read): Read {
  try {
    return read();
  } catch (thrown) {
    throw new RangeError(`${file}: ${messageOf(thrown)}`, { cause: thrown });
  }
}

interface CatalogueParts {
  readonly tables: CatalogueTables;
  readonly index: TextIndex;
  readonly products: ProductFile;
}

function catalogueOf(
  { source, fingerprint }: Manifest,
  { tables, index, products }: CatalogueParts,
): Catalogue {
  return {
    source,
    fingerprint,
    size: tables.size,
    product: (number) => products.product(number),
    find: (asin) => tables.asins.find(asin),
    price: (number) => {
      const price = tables.prices[number];
      if (price === undefined) throw new RangeError(`there is no product ${number}`);
      return price;
    },
    search: (query) => findProducts(index, query),
    close: () => {
      products.close();
      return Promise.resolve();
    },
  };
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return (await readCacheFile(path)).toString();
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}
