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
