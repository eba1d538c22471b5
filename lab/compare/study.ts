import { differencesOf, type Difference } from '../../envs/core/json-differences.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import type { Json } from '../../envs/core/json.ts';
import type { TrainConfig } from '../../trainers/config/config.ts';
import { runtimeOnlyKeys, settingsWithout } from '../../trainers/config/runtime-only-keys.ts';
import type { ResolvedTrainConfig } from '../../trainers/config/resolve-config.ts';
import { studyOn } from '../../trainers/recipes/bench-preset.ts';
import { recipeFor } from '../../trainers/recipes/recipe.ts';

type Config = TrainConfig | ResolvedTrainConfig;

/** A recorded study on a panel, beside a run that played the same panel. */
export interface StudyBesideRun {
  readonly study: NonNullable<ReturnType<typeof studyOn>>;
  /** Iterations of the recipe with which the study was made. */
  readonly iterations: number;
  /** Settings of the run (`one`) that differ from the recipe (`other`). */
  readonly differences: readonly Difference[];
}

/** Finds the recorded study on the panel with this fingerprint; undefined if there is none. */
export function studyBeside(
  definition: AnyEnvDefinition,
  fingerprint: string,
  config: Config,
): StudyBesideRun | undefined {
  const study = studyOn(definition, fingerprint);
  if (study === undefined) return undefined;
  const recipe = recipeFor(definition);
  const differences = differencesOf(settingsOf(config), settingsOf(recipe));
  return { study, iterations: recipe.iterations, differences };
}

/** The part of a config that learning depends on, without its seed. */
const settingsOf = (config: Config): Json =>
  settingsWithout(config, [
    'seed',
    'envModules',
    'backend',
    'evaluation',
    'devPanel',
    'finalPanels',
    ...runtimeOnlyKeys(config),
  ]);
