/** What an opening shop is at: `files` are looked through for changes, `products` are read or made, `goals` are counted. */
export type OpeningPart = 'files' | 'products' | 'goals';

/** Is told now and then how far a part has come: `done` of `total`, in mebibytes of a file or in products. */
export type OpeningReport = (part: OpeningPart, done: number, total: number) => void;

/** How far reading has come, in the same units. */
export type Advance = (done: number, total: number) => void;

export const mebibytes = (bytes: number): number => bytes / 1_048_576;
