import type { AnyEnvDefinition } from '../core/env.ts';
import { lightsOutEnv } from './lights-out.ts';
import { puzzles } from './puzzles.ts';

/** The environments of puzzles, in the order of the catalogue. */
export const puzzleEnvs: readonly AnyEnvDefinition[] = [
  lightsOutEnv,
  ...puzzles.flatMap((puzzle) => puzzle.envs),
];
