/** What an opening shop is at: `files` are looked through for changes, `products` are read or made, `goals` are counted. */
export type OpeningPart = 'files' | 'products' | 'goals';

/** Is told now and then how far a part has come: `done` of `total`, in mebibytes of a file where that is the unit, else in products. */
export type OpeningReport = (part: OpeningPart, done: number, total: number, unit?: 'MiB') => void;

/** Is told of what was passed over or read in a way that a user should know of, and how often; never of what did not happen. */
export type OpeningTally = (part: OpeningPart, name: string, count: number) => void;

/** Adds up what is told of one name by several, and tells it once. */
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

/** Counts that only say how much there is. */
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

/** How far reading has come, in the same units. */
export type Advance = (done: number, total: number) => void;

export const mebibytes = (bytes: number): number => bytes / 1_048_576;
