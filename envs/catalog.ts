import { alfworldEnv } from './alfworld/definition.ts';
import { codeEnvs } from './code/code-envs.ts';
import type { AnyEnvDefinition } from './core/env.ts';
import { gameEnvs } from './games/games.ts';
import { householdEnvs } from './household/definition.ts';
import { mcpEnv } from './mcp/definition.ts';
import { puzzleEnvs } from './puzzle/puzzle-envs.ts';
import { routeEnv } from './route/definition.ts';
import { searchEnv } from './search/definition.ts';
import { shopBrowserEnv } from './shop-browser/definition.ts';
import { shopEnv } from './shop/definition.ts';
import { sqlEnv } from './sql/definition.ts';
import { tau2Env } from './tau2/definition.ts';
import { toolsEnv } from './tools/definition.ts';
import { webEnv } from './web/definition.ts';

/** The built-in environments. Add a new one only here or in the list of its family. */
export const builtInEnvs = [
  ...householdEnvs,
  ...puzzleEnvs,
  ...gameEnvs,
  shopEnv,
  shopBrowserEnv,
  alfworldEnv,
  webEnv,
  sqlEnv,
  toolsEnv,
  mcpEnv,
  tau2Env,
  searchEnv,
  routeEnv,
  ...codeEnvs,
] as const satisfies readonly AnyEnvDefinition[];
