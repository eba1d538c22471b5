import type { EnvRecipes, TrainingSettings } from '../core/presets.ts';

/**
 * The main job: a choice policy, cloned from six searches, one of each family. GiGPO trains it until it works
 * in rooms that it has never seen. It is sized for two cores and four minutes.
 */
const choice: TrainingSettings = {
  finalPanels: ['unseen-1000'],
  credit: { kind: 'gigpo' },
  iterations: 150,
  taskSampling: { kind: 'unsolved' },
  // The clone converges. Evaluations on `dev` are rare, so one pass of bad luck ends nothing, and the first without progress is the end.
  warmStart: { episodes: 6, epochs: 400, evaluateEvery: 20, patience: 1 },
  // A small pull towards the clone, which starts at the usual weight of published recipes for ALFWorld. Where all episodes of a task fail
  // there is little other signal, because most of these groups count only by penalties for inadmissible actions. Without the pull the
  // policy forgets there what the demonstrations had half taught. It fades, because later it only slows the policy down.
  update: { epochs: 2, batchSteps: 1024, learningRate: 3e-3, klWeight: 0.01, klSchedule: { kind: 'linear' } },
};

/** The warm start of language models begins from what the model is. `cairn-gym sft` asks for the episodes. */
const tokenWarmStart = {
  episodes: 0,
  epochs: 10,
  evaluateEvery: 1,
  patience: 3,
  learningRate: 1e-5,
  batchSteps: 256,
};
const tokenUpdate = { epochs: 1, batchSteps: 512, learningRate: 3e-4, entropyWeight: 0 };

/** For the small models of `cairn-gym model init`, which begin from nothing: learning rates are ten to a thousand times as high. */
const newModel: TrainingSettings = {
  credit: { kind: 'gigpo' },
  finalPanels: ['unseen'],
  // If a whole group fails, its episodes differ by penalties alone, and normalisation by group makes these as
  // large as success. A start of 40 % fell to 15 % in eight iterations in small flats. A start of 30 % fell
  // to 7 % in six in large ones. Both had a penalty of 0.1 and tasks drawn by what is unsolved.
  taskSampling: { kind: 'passes' },
  limits: { invalidPenalty: 0 },
};

/**
 * With 3,500 demonstrations, which take `nano` about 45 minutes on two cores. What it copies (which cup, from which drawer) it learns in the
 * last passes. Weights that converged under the cosine are destroyed by AdamW's first steps where these are as long as the later ones.
 */
const token: TrainingSettings = {
  ...newModel,
  iterations: 150,
  warmStart: {
    ...tokenWarmStart,
    epochs: 12,
    evaluateEvery: 3,
    patience: 4,
    learningRate: 1e-3,
    schedule: { kind: 'cosine', warmup: 100 },
    batchSteps: 64,
  },
  update: { ...tokenUpdate, schedule: { kind: 'linear', warmup: 5, floor: 0.1 } },
};

/** Three passes over 3,000 demonstrations of small flats: `nano` then solves three tasks of ten, after about ten minutes on two busy cores. */
const tokenSmall: TrainingSettings = {
  ...newModel,
  iterations: 200,
  warmStart: { ...tokenWarmStart, epochs: 3, learningRate: 1e-3, batchSteps: 128 },
  update: tokenUpdate,
};

export const householdRecipes: EnvRecipes = {
  choice: [{ settings: choice }],
  token: [{ settings: token }],
};

/** The same on flats with words and pairings that training never meets: there is room above it. */
export const householdHardRecipes: EnvRecipes = {
  choice: [{ settings: { ...choice, finalPanels: ['unseen'] } }],
};

export const householdSmallRecipes: EnvRecipes = { token: [{ settings: tokenSmall }] };
