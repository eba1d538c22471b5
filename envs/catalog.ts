import { alfworldEnv } from './alfworld/definition.ts';
import { codeEnv } from './code/definition.ts';
import { machineLearningEnv } from './code/machine-learning/definition.ts';
import { verilogEnv } from './code/verilog/definition.ts';
import { critiqueEnv } from './code/critique/definition.ts';
import type { AnyEnvDefinition } from './core/env.ts';
import { householdEnv, householdHardEnv, householdSmallEnv } from './household/definition.ts';
import { lightsOutEnv } from './puzzle/lights-out.ts';
import { shopBrowserEnv } from './shop-browser/definition.ts';
import { shopEnv } from './shop/definition.ts';
import { sqlEnv } from './sql/definition.ts';
import { webEnv } from './web/definition.ts';

/** The environments that come with the package; the only file that imports every family. */
export const builtInEnvs = [
  householdEnv,
  householdHardEnv,
  householdSmallEnv,
  lightsOutEnv,
  shopEnv,
  shopBrowserEnv,
  alfworldEnv,
  webEnv,
  sqlEnv,
  codeEnv,
  critiqueEnv,
  machineLearningEnv,
  verilogEnv,
] as const satisfies readonly AnyEnvDefinition[];
