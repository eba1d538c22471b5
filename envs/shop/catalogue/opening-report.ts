/**
 * The stages of opening a shop: `files` are checked for changes, `products` are read or generated, `goals`
 * are counted.
 */
export type OpeningPart = 'files' | 'products' | 'goals';

/**
 * Receives the progress of a stage now and then: `done` of `total`, in mebibytes of a file where that is the
 * unit, else in products.
 */
export type OpeningReport = (part: OpeningPart, done: number, total: number, unit?: 'MiB') => void;

/**
 * Receives what was skipped or read in a way that a user should know, and how often. It is not called for 0.
 */
export type OpeningTally = (part: OpeningPart, name: string, count: number) => void;

/** Sums the counts of one name from several sources, and reports the sum once. */
export class TallySums {
  readonly #sums = new Map<string, Parameters<OpeningTally>>();

  readonly add: OpeningTally = (part, name, count) => {
    const key = `${part} ${name}`;
    this.#sums.set(key, [part, name, count + (this.#sums.get(key)?.[2] ?? 0)]);
  };

  tellAll(tell: OpeningTally): void {
    for (const sum of this.#sums.values()) tell(...sum);
  }
}

/** Counts that only describe the size. */
const sizes: ReadonlySet<string> = new Set([
  'items',
  'products with instructions',
  'of them in the catalogue',
  'instructions of them',
  'products with goals',
]);

export function tellCounts(
  part: OpeningPart,
  counts: Readonly<Record<string, number>>,
  tell: OpeningTally,
): void {
  for (const [name, count] of Object.entries(counts))
    if (count > 0 && !sizes.has(name)) tell(part, name, count);
}

/** The progress of reading, in the same units. */
export type Advance = (done: number, total: number) => void;

export const mebibytes = (bytes: number): number => bytes / 1_048_576;
