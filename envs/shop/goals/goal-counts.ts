import { createHash } from 'node:crypto';
import { endianness } from 'node:os';
import { z } from 'zod';
import { RunError } from '../../core/errors.ts';
import { canonicalJson } from '../../core/json.ts';
import { readCacheFile } from '../../engines/cache-file/read-file.ts';
import { replaceFile, writeFully } from '../../engines/cache-file/replace-file.ts';

/** The facts about synthetic goals that require a look at every product. */
export interface GoalCounts {
  /** The products with goals, by ascending number. */
  readonly products: Uint32Array; // (n)
  /** The first goal of each of them among all goals, and the end of the last ones. */
  readonly starts: Uint32Array; // (n + 1)
  /** The number of goals that ask for an attribute. */
  readonly goalsWith: ReadonlyMap<string, number>;
}

/** Changes whenever equal products and attributes would give other counts, or the file's format changes. */
const format = `1 ${endianness()}`;

const headSchema = z.strictObject({
  key: z.string(),
  products: z.int().nonnegative(),
  /** SHA-256 of the numbers and of the fields below. */
  digest: z.string(),
  goalsWith: z.array(z.tuple([z.string(), z.int().nonnegative()])),
});

/** What the counts are a function of: the catalogue and the attributes file, by their fingerprints. */
export interface CountedFiles {
  readonly catalogue: string;
  readonly attributes: string;
}

const digestOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const keyOf = (counted: CountedFiles): string =>
  digestOf(canonicalJson([format, counted.catalogue, counted.attributes]));

const digestCounts = (numbers: Uint8Array, goalsWith: readonly (readonly [string, number])[]): string =>
  digestOf(`${digestOf(numbers)} ${JSON.stringify(goalsWith)}`);

/** The file of the counts in a cache folder. */
export const goalCountsFile = (counted: CountedFiles): string => `goals-${keyOf(counted).slice(0, 32)}.bin`;

/** The counts that `storeGoalCounts` wrote; undefined where they are missing or damaged. */
export async function readGoalCounts(path: string, counted: CountedFiles): Promise<GoalCounts | undefined> {
  try {
    const bytes = await readCacheFile(path);
    const end = bytes.indexOf('\n');
    const { key, products, digest, goalsWith } = headSchema.parse(JSON.parse(bytes.toString('utf8', 0, end)));
    const numbers = new Uint8Array(bytes.subarray(end + 1)); // a copy, aligned as numbers require
    if (
      key !== keyOf(counted) ||
      digest !== digestCounts(numbers, goalsWith) ||
      numbers.byteLength !== 4 * (2 * products + 1)
    )
      return undefined;
    return {
      products: new Uint32Array(numbers.buffer, 0, products),
      starts: new Uint32Array(numbers.buffer, 4 * products),
      goalsWith: new Map(goalsWith),
    };
  } catch {
    return undefined;
  }
}

/** Stores the counts. False where that is impossible; they are then only counted again. */
export async function storeGoalCounts(
  path: string,
  counted: CountedFiles,
  { products, starts, goalsWith }: GoalCounts,
): Promise<boolean> {
  const numbers = Buffer.concat(
    [products, starts].map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength),
    ),
  );
  const head: z.output<typeof headSchema> = {
    key: keyOf(counted),
    products: products.length,
    digest: digestCounts(numbers, [...goalsWith]),
    goalsWith: [...goalsWith],
  };
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), numbers]);
  try {
    await replaceFile(path, (handle) => writeFully(handle, content, 0));
    return true;
  } catch (thrown) {
    if (RunError.is(thrown)) return false;
    throw thrown;
  }
}
