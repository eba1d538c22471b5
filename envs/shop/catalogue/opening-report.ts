/** What an opening shop is at: `files` are looked through for changes, `products` are read or made, `goals` are counted. */
export type OpeningPart = 'files' | 'products' | 'goals';

/** Is told now and then how far a part has come: `done` of `total`, in mebibytes of a file or in products. */
export type OpeningReport = (part: OpeningPart, done: number, total: number) => void;

/** Is told of what was passed over or read in a way that a user should know of, and how often; never of what did not happen. */
export type OpeningTally = (part: OpeningPart, name: string, count: number) => void;

/** Counts that only say how much there is. */
const sizes: ReadonlySet<string> = new Set(['items', 'products with instructions', 'of them in the catalogue', 'instructions of them', 'products with goals']);

export function tellCounts(part: OpeningPart, counts: Readonly<Record<string, number>>, tell: OpeningTally): void {
  for (const [name, count] of Object.entries(counts)) if (count > 0 && !sizes.has(name)) tell(part, name, count);
}

/** How far reading has come, in the same units. */
export type Advance = (done: number, total: number) => void;

export const mebibytes = (bytes: number): number => bytes / 1_048_576;
