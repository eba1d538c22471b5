import { z } from 'zod';
import { creditConfigSchema } from '../credit/credit-config.ts';
import { creditEstimators } from '../credit/estimators/list.ts';
import { evidenceSources } from '../critics/list.ts';
import { evidenceConfigSchema } from '../critics/open-evidence.ts';
import { curricula } from '../curriculum/list.ts';
import { curriculumConfigSchema } from '../curriculum/open-curriculum.ts';
import { objectives } from '../../models/objectives/list.ts';
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
      "number of the searcher's demonstrations to clone, from tasks of all families; tasks repeat if there are too few; 0 uses the policy as it is; default: 32 for a choice policy without initial weights if the env has a searcher, else 0",
    ),
  epochs: count.default(40).describe('most passes over the demonstrations'),
  patience: count
    .default(3)
    .describe('evaluations on devPanel without improvement after which it stops early'),
  evaluateEvery: count.default(5).describe('passes between two evaluations on devPanel'),
  learningRate: rate.default(3e-3).describe('peak learning rate of the cloning'),
  schedule: cloningScheduleSchema
    .default({ kind: 'constant' })
    .describe(
      'schedule of the learning rate over the mini-batches of all possible passes, even if cloning stops early',
    ),
  batchSteps: count.default(128).describe('steps in a mini-batch'),
});

/** How a batch of credited steps changes the weights. */
export const updateSchema = z.strictObject({
  epochs: count.default(2).describe('passes over the steps of an iteration'),
  batchSteps: count.default(512).describe('steps in a mini-batch'),
  learningRate: rate.default(3e-3).describe('peak learning rate'),
  schedule: scheduleSchema
    .default({ kind: 'linear', warmup: 0, floor: 0.1 })
    .describe('schedule of the learning rate over the iterations'),
  objective: objectiveConfigSchema
    .prefault({ kind: 'clipped' })
    .describe(`the policy objective: ${summariesOf(objectives)}; or module, a file of your own`),
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
    .describe('for a negative advantage the loss is at most this times -advantage; default: no bound'),
  zeroAdvantage: z
    .enum(['leave-out', 'keep'])
    .default('leave-out')
    .describe(
      'groups in which every advantage is 0: left out of the update, or kept, so that KL and entropy apply to them and means count their steps',
    ),
  klWeight: weight
    .default(0)
    .describe(
      'weight of the KL from the policy after the warm start, or at the last reset; groups without any advantage are excluded, see zeroAdvantage',
    ),
  referenceEvery: count
    .optional()
    .describe(
      'iterations after which the current weights become the reference of the KL and the optimiser is reset (ProRL); default: never',
    ),
  klSchedule: scheduleSchema
    .default({ kind: 'constant' })
    .describe('schedule of klWeight over the iterations'),
  entropyWeight: weight
    .default(0.01)
    .describe('weight of the entropy bonus; groups without any advantage are excluded, see zeroAdvantage'),
  importanceCap: z
    .number()
    .positive()
    .max(1000)
    .default(2)
    .describe('upper bound of the weight of a stale sample, proximal / behaviour'),
  maxGradNorm: z
    .number()
    .positive()
    .max(1_000_000)
    .default(1)
    .describe('largest gradient norm; longer gradients are scaled down'),
  weightDecay: fraction
    .default(0)
    .describe(
      'weight decay of AdamW: this share of the weights, times the learning rate, is removed at each update',
    ),
});

/**
 * The config of a training run. Every key has its default here, except the three that depend on the env: see
 * `resolveConfig`.
 */
export const trainConfigSchema = z.strictObject({
  env: z.string().min(1).describe('id of the environment, such as household-v1'),
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
    .describe(
      'held-out panels, played once at the end with the final checkpoint; default: the first held-out panel of the env',
    ),
  seed: z
    .number()
    .int()
    .nonnegative()
    .default(0)
    .describe('seed of all randomness: the same seed gives the same metrics'),
  backend: z
    .enum(['auto', 'tensorflow', 'webgpu', 'wasm', 'cpu'])
    .default('auto')
    .describe('tensor backend; auto takes the best that starts'),
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
      'how many iterations rollouts may run ahead of the updates, with weights that are at most this many iterations old; above 0 the results depend on timing and cannot be reproduced',
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
      `what to compute from episodes before credit is assigned, such as values of a critic: ${summariesOf(evidenceSources)}; or module, a file of your own`,
    ),
  policy: policyConfigSchema.prefault({ kind: 'choice' }),
  warmStart: warmStartSchema.prefault({}),
  update: updateSchema.prefault({}),
  evaluation: z
    .strictObject({
      every: count.default(10).describe('iterations between two evaluations on devPanel'),
      tasks: count
        .default(128)
        .describe('how many tasks of devPanel are played, from the first; all if the panel has fewer'),
      decoding: z.enum(['sampled', 'greedy']).default('sampled').describe('how evaluations choose actions'),
    })
    .prefault({}),
  /** One checkpoint after every iteration, so that a kill loses at most the current iteration. */
  checkpoints: z
    .strictObject({
      every: count.default(1).describe('iterations between two checkpoints'),
      keep: count.default(2).describe('newest checkpoints to keep, in addition to the best'),
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
        .describe('disk space for episodes, in MiB; beyond it the oldest are removed'),
    })
    .prefault({}),
});
export type TrainConfig = z.output<typeof trainConfigSchema>;
export type TrainConfigInput = z.input<typeof trainConfigSchema>;
