import { z } from 'zod';

/** An integer from `least` to `most`, from a flag's text or a file's number. */
export const wholeNumber = (least = 0, most = Number.MAX_SAFE_INTEGER): z.ZodType<number> =>
  z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^[+-]?\d+$/)
          .transform(Number),
      ],
      'must be an integer',
    )
    .pipe(
      z
        .int({
          error: ({ code }) => (code === 'too_big' ? `must be at most ${most}` : 'must be an integer'),
        })
        .min(least, `must be at least ${least}`)
        .max(most, `must be at most ${most}`),
    );

/** Most tasks that one range names. */
const longestRange = 1_000_000;

const isRange = (part: string): boolean => {
  const [, first = part, last = first] = /^(\d+)\.\.(\d+)$/.exec(part) ?? [];
  const [low, high] = [Number(first), Number(last)];
  return /^\d+$/.test(first) && Number.isSafeInteger(high) && low <= high && high - low < longestRange;
};

/** Indices of tasks: a number, a list, or text such as `17,42,60..64`. */
export const taskIndices: z.ZodType<readonly number[]> = z
  .union([z.int().min(0).transform(String), z.array(z.int().min(0)).min(1).transform(String), z.string()])
  .pipe(
    z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .refine((parts) => parts.every(isRange), 'must be indices such as 17,42 or 60..64')
      .transform((parts) =>
        parts.flatMap((part) => {
          const [first = 0, last = first] = part.split('..').map(Number);
          return Array.from({ length: last - first + 1 }, (_, at) => first + at);
        }),
      ),
  );

/** A number between two bounds, from a flag's text or a file's number. */
export const numberBetween = (low: number, high: number): z.ZodType<number> =>
  z
    .union([z.number(), z.string().trim().min(1).transform(Number)], 'must be a number')
    .pipe(
      z.number('must be a number').min(low, `must be at least ${low}`).max(high, `must be at most ${high}`),
    );

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * A number from a flag's text or a file's number. Other text is passed on, so that the schema of the key
 * refuses it.
 */
export const numberOrText = z.union([
  z.number(),
  z.string().transform((text): number | string => (decimal.test(text.trim()) ? Number(text) : text)),
]);

/** The flag of `learningRate`: `--learning-rate`. */
export const flagOf = (option: string): string =>
  `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
