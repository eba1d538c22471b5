import type { AnyEnvDefinition } from '../core/env.ts';
import { critiqueEnv } from './critique/definition.ts';
import { codeEnv } from './definition.ts';
import { machineLearningEnv } from './machine-learning/definition.ts';
import { verilogEnv } from './verilog/definition.ts';

/** The envs that run programs, in the order of the catalogue. */
export const codeEnvs = [
  codeEnv,
  critiqueEnv,
  machineLearningEnv,
  verilogEnv,
] as const satisfies readonly AnyEnvDefinition[];
