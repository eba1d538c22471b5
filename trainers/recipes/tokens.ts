import type { TrainConfigInput } from '../config/config.ts';

/**
 * A language model, whose weights go in smaller steps than those of the choice policy, and need no entropy to be kept apart. It begins from
 * what it is: what it is taught before stands under `warmStart` for `cairn sft`, which asks for the episodes.
 */
const plain = {
  credit: { kind: 'gigpo' },
  warmStart: { episodes: 0, epochs: 10, evaluateEvery: 1, patience: 3, learningRate: 1e-5, batchSteps: 256 },
  update: { epochs: 1, batchSteps: 512, learningRate: 1e-6, entropyWeight: 0 },
} as const satisfies Omit<TrainConfigInput, 'env'>;

/** For the small models of `cairn model init`, which begin from nothing: ten to a thousand times as fast. */
const begun = {
  ...plain,
  finalPanels: ['unseen'],
  // Where a whole group fails, penalties would be all that tells its episodes apart, and what is normalised by group takes them for as much as
  // success: with 0.1, and tasks drawn by what is not solved yet, a start of 40 % came to 15 % in eight iterations, in small flats, and one of 30 %
  // to 7 % in six in large ones.
  taskSampling: { kind: 'passes' },
  limits: { invalidPenalty: 0 },
  update: { ...plain.update, learningRate: 3e-4 },
} as const satisfies Omit<TrainConfigInput, 'env'>;

/**
 * With 3,500 demonstrations, which take `nano` some 45 minutes of two cores. What it copies (which cup, from which drawer) it learns in the last passes,
 * and weights that came to rest under the cosine are torn away by AdamW's first steps where they are as long as the later ones.
 */
const household = {
  ...begun,
  iterations: 150,
  warmStart: {
    ...plain.warmStart,
    epochs: 12,
    evaluateEvery: 3,
    patience: 4,
    learningRate: 1e-3,
    schedule: { kind: 'cosine', warmup: 100 },
    batchSteps: 64,
  },
  update: { ...begun.update, schedule: { kind: 'linear', warmup: 5, floor: 0.1 } },
} as const satisfies Omit<TrainConfigInput, 'env'>;

/** Three passes over 3,000 demonstrations of small flats make a start: `nano` solves three tasks of ten then, after some ten minutes of two busy cores. */
const householdSmall = {
  ...begun,
  iterations: 200,
  warmStart: { ...plain.warmStart, epochs: 3, evaluateEvery: 1, learningRate: 1e-3, batchSteps: 128 },
} as const satisfies Omit<TrainConfigInput, 'env'>;

const recipes: Readonly<Record<string, Omit<TrainConfigInput, 'env'>>> = {
  'household-v1': household,
  'household-small-v1': householdSmall,
};

/** The settings with which a language model learns the env, unless told otherwise. */
export function tokenRecipe(env: string, model: string): TrainConfigInput {
  return { ...(recipes[env] ?? plain), env, policy: { kind: 'token', model } };
}
