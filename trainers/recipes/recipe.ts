import { z } from 'zod';
import { valueAt } from '../../envs/core/config-keys.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { canonicalJson } from '../../envs/core/json.ts';
import type { KeyCondition, Recipe, TrainingSettings } from '../../envs/core/presets.ts';
import type { TrainConfig } from '../config/config.ts';
import { parseTrainConfig } from '../config/parse-train-config.ts';
import { parsePreset } from './parse-preset.ts';

const keyCondition = z.union([
  z.strictObject({ key: z.string(), is: z.array(z.json()) }),
  z.strictObject({ key: z.string(), given: z.boolean() }),
]);
const when = z.array(keyCondition).exactOptional();
const recipes = z.array(
  z.union([
    z.strictObject({ when, settings: z.record(z.string(), z.json()) }),
    z.strictObject({ when, refusal: z.strictObject({ what: z.string(), fix: z.string() }) }),
  ]),
);
const recipesSchema = z.strictObject({ choice: recipes.optional(), token: recipes.optional() });

/** Defaults for any env: GiGPO. */
const plainChoice: TrainingSettings = { credit: { kind: 'gigpo' } };

/**
 * Defaults for a language model, whose weights move in smaller steps than those of a choice policy. It needs
 * no entropy bonus and no warm start. The settings under `warmStart` are for `cairn-gym sft`, which sets the
 * episodes.
 */
const plainToken: TrainingSettings = {
  credit: { kind: 'gigpo' },
  warmStart: { episodes: 0, epochs: 10, evaluateEvery: 1, patience: 3, learningRate: 1e-5, batchSteps: 256 },
  update: { epochs: 1, batchSteps: 512, learningRate: 1e-6, entropyWeight: 0 },
};

/** Settings that are known before the recipe, which may depend on them. */
export interface KnownSettings {
  readonly envConfig?: Readonly<Record<string, unknown>>;
  readonly policy?: { readonly kind?: unknown; readonly model?: unknown };
}

/**
 * The default training config of an env: the first recipe of its definition that applies, or GiGPO with plain
 * defaults.
 *
 * @throws UsageError if the definition refuses this training, or its recipes are malformed
 */
export function recipeFor(
  definition: Pick<AnyEnvDefinition, 'id' | 'recipes'>,
  { envConfig = {}, policy = {} }: KnownSettings = {},
): TrainConfig {
  const { id } = definition;
  const isToken = policy.kind === 'token';
  const where = `recipe of ${id}`;
  const known: readonly Recipe[] =
    parsePreset(recipesSchema, definition.recipes ?? {}, where)[isToken ? 'token' : 'choice'] ?? [];
  const recipe = known.find(({ when: conditions = [] }) => conditions.every((one) => holds(one, envConfig)));
  if (recipe !== undefined && 'refusal' in recipe)
    throw new UsageError({ where, what: recipe.refusal.what, fix: recipe.refusal.fix });
  const settings = recipe?.settings ?? (isToken ? plainToken : plainChoice);
  const own = isToken ? { policy: { kind: 'token', model: String(policy.model) } } : {};
  return parseTrainConfig({ ...settings, ...own, env: id }, { where });
}

function holds(condition: KeyCondition, envConfig: Readonly<Record<string, unknown>>): boolean {
  const given = valueAt(envConfig, condition.key.split('.'));
  if ('given' in condition) return (given !== undefined) === condition.given;
  return condition.is.some((value) => given !== undefined && canonicalJson(value) === canonicalJson(given));
}
