import { createHash } from 'node:crypto';
import { rmdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { RunError } from '../../../core/errors.ts';
import { replaceFile, writeFully } from '../../../engines/cache-file/replace-file.ts';
import { TextIndexBuilder } from '../../../engines/text-search/index-builder.ts';
import { saveTextIndex } from '../../../engines/text-search/save-text-index.ts';
import type { TextIndex } from '../../../engines/text-search/text-index.ts';
import { ContentDigest } from '../content-digest.ts';
import { drawnPrice } from '../drawn-price.ts';
import { indexedText } from '../indexed-text.ts';
import type { Product } from '../product.ts';
import type { Advance } from '../opening-report.ts';
import type { CatalogueRecipe } from '../recipe.ts';
import { isAsin } from './asin-table.ts';
import { BlockWriter } from './block-writer.ts';
import { TablesWriter } from './catalogue-tables.ts';
import { storeFiles, storeFormat, writeManifest } from './manifest.ts';
import { ProductWriter } from './product-record.ts';

export interface BuiltCatalogue {
  readonly products: number;
  readonly counts: Readonly<Record<string, number>>;
}

export interface BuildOptions {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly advance: Advance;
}

/**
 * Reads the products of a recipe once and writes the files of the catalogue into its folder. Each file is
 * written completely or not at all, the manifest last. Their content is a function of the recipe, so
 * concurrent builders do not disturb each other.
 */
export async function buildFolder(
  folder: string,
  recipe: CatalogueRecipe,
  options: BuildOptions,
): Promise<BuiltCatalogue> {
  const { key } = options;
  try {
    const made = await writeProducts(join(folder, storeFiles.products), recipe, options);
    const { products, counts, fingerprint, tables, index } = made;
    await writeBytes(join(folder, storeFiles.tables), tables);
    await saveTextIndex(index, join(folder, storeFiles.index), { contentKey: fingerprint });
    const digests = { tables: createHash('sha256').update(tables).digest('hex') };
    await writeBytes(
      join(folder, storeFiles.manifest),
      Buffer.from(
        writeManifest({
          format: storeFormat,
          key,
          source: recipe.source,
          products,
          fingerprint,
          counts,
          ...digests,
        }),
      ),
    );
    return { products, counts };
  } catch (thrown) {
    await rmdir(folder).catch(() => undefined); // only when it is empty
    throw thrown;
  }
}

interface MadeCatalogue extends BuiltCatalogue {
  readonly fingerprint: string;
  readonly tables: Uint8Array;
  readonly index: TextIndex;
}

async function writeProducts(
  path: string,
  recipe: CatalogueRecipe,
  { signal, advance }: BuildOptions,
): Promise<MadeCatalogue> {
  const counts: Record<string, number> = {};
  const tally = (name: string, amount = 1): void => void (counts[name] = (counts[name] ?? 0) + amount);
  let made: MadeCatalogue | undefined;
  await replaceFile(path, async (handle) => {
    const maker = new CatalogueMaker(handle);
    for await (const product of recipe.products({ signal, tally, advance })) {
      const waiting = maker.add(product);
      if (waiting !== undefined) await waiting;
      signal.throwIfAborted();
    }
    made = { ...(await maker.finish()), counts };
    signal.throwIfAborted();
  });
  return made as MadeCatalogue; // replaceFile has run the function that sets it, or thrown
}

class CatalogueMaker {
  readonly #file: BlockWriter;
  readonly #records = new ProductWriter();
  readonly #tables = new TablesWriter();
  readonly #index = new TextIndexBuilder();
  readonly #content = new ContentDigest();

  constructor(handle: FileHandle) {
    this.#file = new BlockWriter(handle);
  }

  /** Returns a promise where the disk must be awaited. */
  add(product: Product): Promise<void> | undefined {
    const { asin } = product;
    const record = this.#records.record(product);
    if (!isAsin(asin))
      throw brokenRecipe(`the id ${JSON.stringify(asin)} is not of at most ten printable ASCII characters.`);
    const isNew = this.#tables.add({
      asin,
      price: drawnPrice(product),
      bytes: record.length,
      checksum: crc32(record),
    });
    if (!isNew) throw brokenRecipe(`the id ${asin} comes twice.`);
    this.#index.add(indexedText(product));
    this.#content.add(product);
    return this.#file.add(record);
  }

  async finish(): Promise<Omit<MadeCatalogue, 'counts'>> {
    await this.#file.finish();
    return {
      products: this.#tables.size,
      fingerprint: this.#content.finish(),
      tables: this.#tables.finish(),
      index: this.#index.finish(this.#tables.byId()),
    };
  }
}

const writeBytes = (path: string, bytes: Uint8Array): Promise<void> =>
  replaceFile(path, (handle) => writeFully(handle, bytes, 0));

const brokenRecipe = (what: string): RunError =>
  new RunError({
    where: 'the products of the catalogue',
    what,
    fix: 'This is a defect of the program that makes or reads the products. Please report it.',
  });
