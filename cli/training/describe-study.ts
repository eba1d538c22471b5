import { differencesOf } from '../../envs/core/json-differences.ts';
import type { Json } from '../../envs/core/json.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import type { TrainConfig } from '../../trainers/config/config.ts';
import { idleKeys, settingsWithout } from '../../trainers/config/idle-keys.ts';
import type { SettledTrainConfig } from '../../trainers/config/settle-config.ts';
import { studyOn } from '../../trainers/recipes/bench-preset.ts';
import { recipeFor } from '../../trainers/recipes/recipe.ts';
import { layOut } from '../terminal/table.ts';

/** What other ways of training came to when they were measured on that panel, to read the table beside, and in what they differ from this run. */
export function describeStudy(
  definition: AnyEnvDefinition,
  fingerprint: string,
  config: TrainConfig | SettledTrainConfig,
): readonly string[] {
  const study = studyOn(definition, fingerprint);
  if (study === undefined) return [];
  const percent = (share: number): string => (100 * share).toFixed(1);
  const rows = Object.entries(study.success).map(([method, { mean, low, high }]) => [
    method,
    percent(mean),
    `[${percent(low)}, ${percent(high)}]`,
  ]);
  const recipe = recipeFor(definition);
  return [
    `Recorded on ${study.date} (${study.source}) with the recipe's ${recipe.iterations} iterations, success on ${study.panel.name} in %, mean of ${study.seeds} seeds with 95 % intervals over seeds and tasks:`,
    ...layOut(rows, { right: [1, 2], indent: 2 }),
    ...describeOwn(settingsOf(config), settingsOf(recipe)),
    '',
  ];
}

/** Of a config what the learning depends on, its seed apart. */
const settingsOf = (config: TrainConfig | SettledTrainConfig): Json =>
  settingsWithout(config, ['seed', 'backend', 'evaluation', 'devPanel', 'finalPanels', ...idleKeys(config)]);

function describeOwn(own: Json, recipe: Json): readonly string[] {
  const words = (value: Json | undefined): string =>
    value === undefined ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value);
  const apart = differencesOf(own, recipe).map(
    ({ key, one, other }) => `${key} ${words(one)} (recipe: ${words(other)})`,
  );
  return apart.length === 0 ? [] : [`This run had settings of its own: ${apart.join(', ')}.`];
}
