import { z } from 'zod';
import { sandboxKeys, writingKeys } from '../config.ts';
import { languages } from '../problems/problem.ts';

const { shownFailures, shownCharacters } = writingKeys;

export const critiqueConfig = z.strictObject({
  language: z.enum(languages).default('python').describe('language of the programs'),
  runs: z
    .int()
    .min(0)
    .max(20)
    .default(0)
    .describe(
      'number of runs before the verdict, on the visible tests or an input; 0: the program is only read, and no sandbox is needed',
    ),
  shownFailures,
  shownCharacters,
  ...sandboxKeys,
});

export type CritiqueConfig = z.output<typeof critiqueConfig>;
