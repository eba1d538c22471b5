import { z } from 'zod';

/** A whole number from `least` to `most`, from a flag's text or a file's number. */
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
      'a whole number is wanted',
    )
    .pipe(
      z
        .int({
          error: ({ code }) =>
            code === 'too_big' ? `at most ${most} is wanted` : 'a whole number is wanted',
        })
        .min(least, `at least ${least} is wanted`)
        .max(most, `at most ${most} is wanted`),
    );

/** A number between two bounds, from a flag's text or a file's number. */
export const numberBetween = (low: number, high: number): z.ZodType<number> =>
  z
    .union([z.number(), z.string().trim().min(1).transform(Number)], 'a number is wanted')
    .pipe(
      z
        .number('a number is wanted')
        .min(low, `at least ${low} is wanted`)
        .max(high, `at most ${high} is wanted`),
    );

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** A number from a flag's text or a file's number; other text as it is, for the schema of what it sets to refuse. */
export const numberOrText = z.union([
  z.number(),
  z.string().transform((text): number | string => (decimal.test(text.trim()) ? Number(text) : text)),
]);

/** `learningRate` as it is typed: `--learning-rate`. */
export const flagOf = (option: string): string =>
  `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
