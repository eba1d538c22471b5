import { z } from 'zod';
import { creditConfigSchema } from '../credit/credit-config.ts';
import { creditEstimators } from '../credit/estimators/list.ts';
import { evidenceSources } from '../critics/list.ts';
import { evidenceConfigSchema } from '../critics/open-evidence.ts';
import { curricula } from '../curriculum/list.ts';
import { curriculumConfigSchema } from '../curriculum/open-curriculum.ts';
import { objectives } from '../../models/objectives/list.ts';
import { optimiserSchema } from '../../models/policy-model.ts';
import { defaultBounds, objectiveConfigSchema } from '../update/open-objective.ts';
import { summariesOf } from '../../envs/core/plugin.ts';
import { policyConfigSchema } from '../policy/policy-config.ts';
import { rolloutSettingsShape } from '../env-session.ts';
import { cloningScheduleSchema, scheduleSchema } from '../update/schedule.ts';

const count = z.int().min(1).max(1_000_000_000);
const fraction = z.number().min(0).max(1);
const clip = z.number().positive().max(1);
const rate = z.number().positive().max(1);
/** Weight of a loss term relative to terms of weight 1. */
const weight = z.number().min(0).max(100);

/** How the policy is prepared for reinforcement learning: by cloning the env's searcher. */
export const warmStartSchema = z.strictObject({
  episodes: z
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe(
      "number of demonstrations of the environment's searcher to clone, spread over the families; fewer tasks are played repeatedly; 0 starts from the policy unchanged; default: 32 for a choice policy without initial weights where there is a searcher, else 0",
    ),
  epochs: count.default(40).describe('maximum passes over the demonstrations'),
  patience: count
    .default(3)
    .describe('number of evaluations on devPanel without improvement after which cloning ends'),
  evaluateEvery: count.default(5).describe('passes between two evaluations on devPanel'),
  learningRate: rate.default(3e-3).describe('peak learning rate of the cloning'),
  schedule: cloningScheduleSchema
    .default({ kind: 'constant' })
    .describe(
      'schedule of the learning rate over the mini-batches of all epochs, also where cloning ends early',
    ),
  batchSteps: count.default(128).describe('steps per mini-batch'),
});

/** How a batch of credited steps changes the weights. */
export const updateSchema = z.strictObject({
  epochs: count.default(2).describe('passes over the steps of an iteration'),
  batchSteps: count.default(512).describe('steps per mini-batch'),
  learningRate: rate.default(3e-3).describe('peak learning rate'),
  schedule: scheduleSchema
    .default({ kind: 'linear', warmup: 0, floor: 0.1 })
    .describe('schedule of the learning rate over the iterations'),
  objective: objectiveConfigSchema
    .prefault({ kind: 'clipped' })
    .describe(`objective of the policy: ${summariesOf(objectives)}; or module, a file of your own`),
  clipLow: clip
    .default(defaultBounds.clipLow)
    .describe(
      'ratios below 1 - clipLow get no gradient if lowering them further would improve the objective',
    ),
  clipHigh: clip
    .default(defaultBounds.clipHigh)
    .describe(
      'ratios above 1 + clipHigh get no gradient if raising them further would improve the objective',
    ),
  dualClip: z
    .number()
    .gt(1)
    .max(1000)
    .optional()
    .describe(
      'with a negative advantage, upper bound of the loss as a multiple of -advantage; default: no bound',
    ),
  zeroAdvantage: z
    .enum(['leave-out', 'keep'])
    .default('leave-out')
    .describe(
      'groups in which every advantage is 0: left out of the update, or kept, so that KL, entropy and means include their steps',
    ),
  klWeight: weight
    .default(0)
    .describe(
      'weight of the KL from the policy after the warm start or at the last reset; excludes groups without advantage, see zeroAdvantage',
    ),
  referenceEvery: count
    .optional()
    .describe(
      'iterations between resets, at which the current weights become the reference of the KL and the optimiser restarts (ProRL); default: never',
    ),
  klSchedule: scheduleSchema
    .default({ kind: 'constant' })
    .describe('schedule of klWeight over the iterations'),
  entropyWeight: weight
    .default(0.01)
    .describe(
      'weight of the entropy, which is maximised; excludes groups without advantage, see zeroAdvantage',
    ),
  importanceCap: z
    .number()
    .positive()
    .max(1000)
    .default(2)
    .describe('upper bound of the weight of a stale sample, proximal / behaviour'),
  optimiser: optimiserSchema
    .default({ kind: 'adamw' })
    .describe('what moves the weights: adamw, or muon for the matrices of hidden layers; also in cloning'),
  maxGradNorm: z
    .number()
    .positive()
    .max(1_000_000)
    .default(1)
    .describe('maximum norm of the gradient; longer ones are scaled to it'),
  weightDecay: fraction
    .default(0)
    .describe('share of the weights that each update subtracts, times the learning rate'),
});

/**
 * The config of a training run. Every key has its default here, except the three that depend on the env: see
 * `resolveConfig`.
 */
export const trainConfigSchema = z.strictObject({
  env: z.string().min(1).describe('id of the environment, such as household-v1'),
  envModules: z
    .array(z.string().min(1))
    .default([])
    .describe('files with environments of your own, such as ./my-env.ts; a run records their content'),
  ...rolloutSettingsShape,
  panel: z.string().default('train').describe('panel to train on'),
  devPanel: z
    .string()
    .optional()
    .describe(
      'panel for model selection, never a held-out one; default: dev, else the first panel of purpose dev',
    ),
  finalPanels: z
    .array(z.string())
    .optional()
    .describe('held-out panels, played once at the end with the final checkpoint; default: the first one'),
  seed: z
    .number()
    .int()
    .nonnegative()
    .default(0)
    .describe('seed of all random choices: the same seed gives the same metrics'),
  backend: z
    .enum(['auto', 'tensorflow', 'webgpu', 'wasm', 'cpu'])
    .default('auto')
    .describe(
      'tensor backend; auto takes the best that starts: a GPU, else for language models tensorflow where it is installed, else wasm',
    ),
  iterations: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(40)
    .describe('rounds of rollout, credit and update; 0 stops after the warm start'),
  groups: count.default(16).describe('tasks in an iteration'),
  groupSize: z.int().min(2).max(65_536).default(8).describe('episodes for each task'),
  taskSampling: curriculumConfigSchema
    .default({ kind: 'passes' })
    .describe(`which tasks an iteration plays: ${summariesOf(curricula)}; or module, a file of your own`),
  async: z
    .int()
    .min(0)
    .max(1000)
    .default(0)
    .describe(
      'number of iterations that rollouts may run ahead of the updates, with weights at most that old; above 0 the run depends on timing and is not reproducible',
    ),
  temperature: z
    .number()
    .min(0.001)
    .max(1000)
    .default(1)
    .describe('sampling temperature in rollouts; below 1 is greedier'),
  credit: creditConfigSchema
    .prefault({ kind: creditEstimators[0].kind })
    .describe(`the credit estimator: ${summariesOf(creditEstimators)}; or module, a file of your own`),
  evidence: evidenceConfigSchema
    .default([])
    .describe(
      `computed from episodes before credit is assigned, such as values of a critic: ${summariesOf(evidenceSources)}; or module, a file of your own`,
    ),
  policy: policyConfigSchema.prefault({ kind: 'choice' }),
  warmStart: warmStartSchema.prefault({}),
  update: updateSchema.prefault({}),
  evaluation: z
    .strictObject({
      every: count.default(10).describe('iterations between two evaluations on devPanel'),
      tasks: count
        .default(128)
        .describe('number of tasks of devPanel to play, from the first; all of a smaller panel'),
      finalTasks: count
        .optional()
        .describe('number of tasks of each of finalPanels to play, from the first; default: all'),
      decoding: z.enum(['sampled', 'greedy']).default('sampled').describe('how evaluations choose actions'),
    })
    .prefault({}),
  /** One checkpoint after every iteration, so that a kill loses at most the current iteration. */
  checkpoints: z
    .strictObject({
      every: count.default(1).describe('iterations between two checkpoints'),
      keep: count.default(2).describe('number of newest checkpoints to keep, beside the best'),
    })
    .prefault({}),
  trajectories: z
    .strictObject({
      every: count.default(1).describe('iterations between two whose episodes are stored'),
      maxMegabytes: z
        .number()
        .min(0.001)
        .max(1_000_000_000)
        .default(256)
        .describe('maximum disk space of stored episodes, in MiB; the oldest are removed'),
    })
    .prefault({}),
});
export type TrainConfig = z.output<typeof trainConfigSchema>;
export type TrainConfigInput = z.input<typeof trainConfigSchema>;
