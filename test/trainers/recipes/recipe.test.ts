import { describe, expect, it } from 'vitest';
import { builtInEnvs } from '../../../envs/catalog.ts';
import type { AnyEnvDefinition } from '../../../envs/core/env.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { EnvRecipes } from '../../../envs/core/presets.ts';
import { codeEnv } from '../../../envs/code/definition.ts';
import { householdSmallEnv } from '../../../envs/household/definition.ts';
import { parseEnvConfig } from '../../../envs/open.ts';
import { webEnv } from '../../../envs/web/definition.ts';
import { trainConfigSchema } from '../../../trainers/config/config.ts';
import { recipeFor, type KnownSettings } from '../../../trainers/recipes/recipe.ts';

const token = { policy: { kind: 'token', model: 'models/nano' } } as const;
const other = { id: 'my-lab/other-v1' } as const;

describe.each(builtInEnvs.map((definition): [string, AnyEnvDefinition] => [definition.id, definition]))(
  'recipes of %s',
  (_id, definition) => {
    const { choice = [], token: tokens = [] } = definition.recipes ?? {};
    const settings = [...choice, ...tokens].flatMap((recipe) =>
      'settings' in recipe ? [recipe.settings] : [],
    );

    it('parse as training configs, and set valid keys of the env', () => {
      for (const one of settings) {
        const config = trainConfigSchema.parse({ ...one, env: definition.id });
        if (Object.keys(config.envConfig).length > 0) parseEnvConfig(definition, config.envConfig);
      }
    });

    it('end with one that always applies', () => {
      for (const list of [choice, tokens])
        if (list.length > 0)
          expect(list.map(({ when }) => when === undefined).indexOf(true)).toBe(list.length - 1);
    });
  },
);

describe('recipe of an env', () => {
  it('uses GiGPO with the trainer’s defaults when the definition has none', () => {
    expect(recipeFor(other)).toEqual(trainConfigSchema.parse({ env: other.id, credit: { kind: 'gigpo' } }));
  });

  it('depends on the given keys of the env config', () => {
    const own = recipeFor(webEnv);
    const foreign = recipeFor(webEnv, { envConfig: { pages: 'pages' } });
    expect([own.warmStart.episodes, foreign.warmStart.episodes]).toEqual([40, undefined]);
    expect(foreign.envConfig).toEqual({ reward: 'binary' });
  });

  it.each<[string, KnownSettings, boolean]>([
    ['files', { envConfig: { problems: { kind: 'suites', files: 'apps.jsonl' } } }, true],
    ['files in pieces', { envConfig: { problems: { kind: 'mbpp' }, pieces: 3 } }, false],
    ['own problems', { envConfig: { problems: { kind: 'own' } } }, false],
    ['files, for a language model', { envConfig: { problems: { kind: 'mbpp' } }, ...token }, false],
  ])('refuses a choice policy on code-v1 where there is nothing to choose: %s', (_title, known, refused) => {
    const read = (): unknown => recipeFor(codeEnv, known);
    if (refused)
      expect(read).toThrow(/recipe of code-v1: it trains a choice policy.* Train a language model/);
    else expect(read).not.toThrow();
  });

  it.each<[string, EnvRecipes, RegExp]>([
    [
      'an unknown key of a training config',
      { choice: [{ settings: { iteration: 3 } }] },
      /recipe of my-lab\/other-v1.*iteration/,
    ],
    [
      'an invalid value',
      { choice: [{ settings: { iterations: -3 } }] },
      /recipe of my-lab\/other-v1.*iterations/,
    ],
    ['a recipe of another shape', { choice: [{ setting: {} }] } as never, /recipe of my-lab\/other-v1/],
  ])('refuses %s', (_title, recipes, message) => {
    const read = (): unknown => recipeFor({ ...other, recipes });
    expect(read).toThrow(UsageError);
    expect(read).toThrow(message);
  });
});

describe('recipe of a language model', () => {
  it.each([...builtInEnvs, other])('trains the named model on $id without demonstrations', (definition) => {
    expect(recipeFor(definition, token)).toMatchObject({
      ...token,
      env: definition.id,
      warmStart: { episodes: 0 },
    });
  });

  it('sets larger learning rates for a small new model in small flats', () => {
    const of = (definition: Pick<AnyEnvDefinition, 'id' | 'recipes'>): unknown => {
      const { warmStart, update, limits } = recipeFor(definition, token);
      const { epochs, learningRate, batchSteps } = warmStart;
      return [epochs, learningRate, batchSteps, update.learningRate, limits.invalidPenalty];
    };
    expect(of(householdSmallEnv)).toEqual([3, 1e-3, 128, 3e-4, 0]);
    expect(of(other)).toEqual([10, 1e-5, 256, 1e-6, 0.1]);
  });
});
