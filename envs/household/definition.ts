import { z } from 'zod';
import { defineEnv, type AnyEnvDefinition, type EnvId } from '../core/env.ts';
import type { EnvBench, EnvRecipes } from '../core/presets.ts';
import { commandText } from '../kit/text-game.ts';
import { householdBench, householdHardBench, householdSmallBench } from './bench.ts';
import { hardPanels, looseWording } from './hard-panels.ts';
import { openHousehold, type HouseholdWorld } from './host.ts';
import { householdHardRecipes, householdRecipes, householdSmallRecipes } from './recipes.ts';
import { smallPanels } from './small-panels.ts';
import { worldPanels } from './world-panels.ts';
import { plainWording } from './wording.ts';

export const householdConfig = z.strictObject({
  dialect: z
    .enum(['current', 'classic'])
    .default('current')
    .describe('wording of commands and answers: that of ALFWorld now, or that before its version 0.4.0'),
  maxSteps: z.int().min(1).max(1000).default(50).describe('number of steps after which the task fails'),
});

export type HouseholdConfig = z.output<typeof householdConfig>;

/** The config of a small flat, where episodes are shorter. */
const smallConfig = householdConfig.extend({
  maxSteps: householdConfig.shape.maxSteps
    .unwrap()
    .default(20)
    .describe('number of steps after which the task fails'),
});

/**
 * Defines a household world. All worlds have the same rules. They differ in panels, wordings and config
 * defaults.
 */
function defineWorld<Id extends EnvId>({
  id,
  summary,
  config,
  recipes,
  bench,
  ...world
}: Pick<HouseholdWorld, 'panels' | 'wordings'> & {
  readonly id: Id;
  readonly summary: string;
  readonly config: typeof householdConfig;
  readonly recipes: EnvRecipes;
  readonly bench: EnvBench;
}) {
  return defineEnv({
    id,
    summary,
    config,
    observation: z.string(),
    action: z.string(),
    deterministic: true,
    text: commandText,
    recipes,
    bench,
    catalogue: {
      family: 'household',
      tags: ['text', 'step-wise', 'hidden-information', 'generated'],
      licence: 'Apache-2.0',
    },
    unchecked: { secrets: 'its hidden facts are places, whose names are no secrets' },
    turnLimit: ({ maxSteps }) => maxSteps,
    open: async ({ dialect }) => openHousehold({ world: id, ...world }, dialect),
  });
}

export const householdEnv = defineWorld({
  id: 'household-v1',
  summary: 'household chores in text, after ALFWorld: six kinds of task in rooms of 14 to 30 receptacles',
  config: householdConfig,
  recipes: householdRecipes,
  bench: householdBench,
  panels: worldPanels,
  wordings: [plainWording],
});

export const householdHardEnv = defineWorld({
  id: 'household-hard-v1',
  summary:
    'the same chores in flats of 30 to 40 receptacles, loosely worded, held out with words that training never has',
  config: householdConfig,
  recipes: householdHardRecipes,
  bench: householdHardBench,
  panels: hardPanels,
  wordings: [looseWording],
});

export const householdSmallEnv = defineWorld({
  id: 'household-small-v1',
  summary:
    'the same chores but pick2 in flats of 5 or 6 receptacles, for language models that begin from nothing',
  config: smallConfig,
  recipes: householdSmallRecipes,
  bench: householdSmallBench,
  panels: smallPanels,
  wordings: [plainWording],
});

/** The envs of this family, in the order of the catalogue. */
export const householdEnvs = [
  householdEnv,
  householdHardEnv,
  householdSmallEnv,
] as const satisfies readonly AnyEnvDefinition[];
