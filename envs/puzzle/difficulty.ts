import { z } from 'zod';

/** The config key of the level. */
export const difficultyKey = (levels: number) =>
  z
    .int()
    .min(0)
    .max(levels)
    .default(0)
    .describe(`level of the questions, 1 (easiest) to ${levels}; 0 mixes all levels evenly`);

/** The family of a level. */
export const familyOfLevel = (level: number): string => `level-${level}`;
