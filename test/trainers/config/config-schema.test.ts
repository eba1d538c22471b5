import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { builtInEnvs } from '../../../envs/catalog.ts';
import type { AnyEnvDefinition } from '../../../envs/core/env.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { householdEnv } from '../../../envs/household/definition.ts';
import { trainConfigJsonSchema } from '../../../trainers/config/config-schema.ts';
import { trainConfigSchema } from '../../../trainers/config/config.ts';
import { recipeFor } from '../../../trainers/recipes/recipe.ts';

const read = (schema: Readonly<Record<string, unknown>>): z.ZodType =>
  z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);

const household = trainConfigJsonSchema(householdEnv.config);

/** The envs that have a recipe: the written answers of puzzles refuse the default policy. */
const trained = builtInEnvs.filter((definition: AnyEnvDefinition) => {
  try {
    return recipeFor(definition) !== undefined;
  } catch (thrown) {
    if (UsageError.is(thrown)) return false;
    throw thrown;
  }
});

describe('JSON Schema of config files', () => {
  it.each(trained.map((definition) => [definition.id, definition] as const))(
    'accepts the recipe of %s',
    (_id, definition) => {
      const config = JSON.parse(JSON.stringify(recipeFor(definition))) as unknown;
      expect(read(trainConfigJsonSchema(definition.config)).safeParse(config).error).toBeUndefined();
    },
  );

  it.each([
    ['nothing', {}],
    ['a part of a part', { credit: { anchor: 'state' }, update: { learningRate: 0.001 } }],
    ['$schema', { $schema: './household.schema.json', env: 'household', iterations: 3 }],
    ['another kind', { credit: { kind: 'grpo' } }],
    ['an estimator of a user', { credit: { kind: 'module', file: './my-credit.ts', options: { any: [1] } } }],
    ['the config of the environment', { envConfig: { maxSteps: 30 } }],
  ])('accepts a file with %s', (_name, config) => {
    expect(read(household).safeParse(config).error).toBeUndefined();
  });

  it.each([
    ['an unknown key', { iteration: 3 }],
    ['a wrong type', { iterations: 'three' }],
    ['a value out of bounds', { update: { learningRate: 2 } }],
    ['an unknown kind', { credit: { kind: 'grop' } }],
    ['an unknown key of the environment', { envConfig: { maxStep: 30 } }],
  ])('refuses a file with %s', (_name, config) => {
    expect(read(household).safeParse(config).success).toBe(false);
  });

  it('describes every key and requires none', () => {
    const text = JSON.stringify(household);
    expect(text).not.toContain('"required"');
    expect(text).not.toContain('"oneOf"');
    const { properties } = z
      .object({ properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })) })
      .parse(household);
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(['$schema', ...Object.keys(trainConfigSchema.shape)]),
    );
    expect(properties['iterations']?.description).toMatch(/\w/);
  });
});
