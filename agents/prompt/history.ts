import { z } from 'zod';

const fewestSteps = z.int().min(0).max(1_000_000);

/**
 * A context in chunks (Delethink, "The Markovian Thinker", arXiv:2510.06557). It grows until it has `chunk`
 * earlier steps, and then begins again with the last `carried` of them.
 */
const chunksSchema = z
  .strictObject({
    chunk: z
      .union([z.literal('context'), z.int().min(1).max(1_000_000)])
      .describe('earlier steps in a full chunk; context: as many as the model takes'),
    carried: fewestSteps.describe('newest steps with which the next chunk begins; fewer than the chunk has'),
  })
  .refine(({ chunk, carried }) => chunk === 'context' || carried < chunk, {
    error: 'carried must be less than chunk',
    path: ['carried'],
  });

/** Which earlier steps a language model sees: all, the last so many, or chunks. */
export const historySchema = z.union([z.literal('all'), fewestSteps, chunksSchema]);

export type History = Readonly<z.output<typeof historySchema>>;

/** Whether a prompt may extend the one before it. With the last N steps, each prompt begins differently. */
export const continues = (history: History): boolean => typeof history !== 'number';

/** The newest steps that remain when the context is full; all that fit, unless the context is in chunks. */
export const carriedIn = (history: History): number =>
  typeof history === 'object' ? history.carried : Number.POSITIVE_INFINITY;

/**
 * How many of `played` steps to show.
 * @param start the step with which the current chunk begins; 0 without chunks
 */
export function stepsShown(history: History, played: number, start: number): number {
  if (history === 'all') return played;
  return typeof history === 'number' ? Math.min(played, history) : played - start;
}

/** The step with which the chunk of the next prompt begins, after `played` steps. */
export function chunkStart(history: History, played: number, start: number): number {
  if (typeof history !== 'object' || history.chunk === 'context' || played - start < history.chunk)
    return start;
  return played - history.carried;
}

/** `all steps`, `last 3 steps`, `none` or `chunks of 12 steps, 3 carried over`, for tables. */
export function describeHistory(history: History): string {
  if (history === 'all') return 'all steps';
  if (typeof history === 'number') return history === 0 ? 'none' : `last ${steps(history)}`;
  const { chunk, carried } = history;
  return `chunks of ${chunk === 'context' ? 'a context' : steps(chunk)}, ${carried} carried over`;
}

const steps = (count: number): string => `${count} ${count === 1 ? 'step' : 'steps'}`;

/**
 * A history as it is written on the command line: `all`, `3`, `12:3` (chunks of 12 steps, 3 carried over) or
 * `context:3`. Undefined if it is none of these.
 */
export function readHistory(text: string): History | undefined {
  const [, chunk, carried] = /^(context|\d{1,7}):(\d{1,7})$/.exec(text) ?? [];
  const value =
    chunk === undefined
      ? text === 'all' || !/^\d{1,7}$/.test(text)
        ? text
        : Number(text)
      : { chunk: chunk === 'context' ? chunk : Number(chunk), carried: Number(carried) };
  const parsed = historySchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
