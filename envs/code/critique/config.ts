import { z } from 'zod';
import { sandboxKeys, writingKeys } from '../config.ts';
import { languages } from '../problems/problem.ts';

const { shownFailures, shownCharacters } = writingKeys;

export const critiqueConfig = z.strictObject({
  language: z.enum(languages).default('python').describe('what the programs are written in'),
  runs: z
    .int()
    .min(0)
    .max(20)
    .default(0)
    .describe(
      "how often the program may be run before the verdict, on the visible tests or an input of one's own; 0: it is read alone, and no sandbox is needed",
    ),
  shownFailures,
  shownCharacters,
  ...sandboxKeys,
});

export type CritiqueConfig = z.output<typeof critiqueConfig>;
