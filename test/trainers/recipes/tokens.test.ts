import { expect, it } from 'vitest';
import { trainConfigSchema } from '../../../trainers/config/config.ts';
import { recipeFor } from '../../../trainers/recipes/recipes.ts';

it.each(['household-v1', 'household-small-v1', 'my-lab/other-v1'])(
  'a language model in %s has settings that a training takes, and is taught nothing unless asked',
  (env) => {
    const config = trainConfigSchema.parse(
      recipeFor(env, { policy: { kind: 'token', model: 'models/nano' } }),
    );
    expect(config).toMatchObject({
      env,
      policy: { kind: 'token', model: 'models/nano' },
      warmStart: { episodes: 0 },
    });
  },
);

it('a small model that begins from nothing goes faster in small flats than any other would', () => {
  expect(
    trainConfigSchema.parse(
      recipeFor('household-small-v1', { policy: { kind: 'token', model: 'models/nano' } }),
    ).limits.invalidPenalty,
  ).toBe(0);
  const of = (env: string): unknown => {
    const { warmStart, update } = trainConfigSchema.parse(
      recipeFor(env, { policy: { kind: 'token', model: 'models/nano' } }),
    );
    return [warmStart.epochs, warmStart.learningRate, warmStart.batchSteps, update.learningRate];
  };
  expect(of('household-small-v1')).toEqual([3, 1e-3, 128, 3e-4]);
  expect(of('my-lab/other-v1')).toEqual([10, 1e-5, 256, 1e-6]);
});
