import type { AnyEnvDefinition } from '../core/env.ts';
import { lightsOutEnv } from './lights-out.ts';

/** The puzzles, in the order of the catalogue. */
export const puzzleEnvs = [lightsOutEnv] as const satisfies readonly AnyEnvDefinition[];
