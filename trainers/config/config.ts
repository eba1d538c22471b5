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
/** Of a term of the loss, where the others are of size 1. */
const weight = z.number().min(0).max(100);

/** What the policy is before reinforcement learning: cloned from the env's searcher. */
export const warmStartSchema = z.strictObject({
  episodes: z
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe(
      "demonstrations of the env's searcher to clone, of tasks spread over the families, which are played again where they are fewer; 0 starts from the policy as it is; left out: 32 for a choice policy that names no weights to begin from, where the env has a searcher, else 0",
    ),
  epochs: count.default(40).describe('passes over the demonstrations, at most'),
  patience: count
    .default(3)
    .describe('ends early after so many evaluations on devPanel without a better one'),
  evaluateEvery: count.default(5).describe('passes between two evaluations on devPanel'),
  learningRate: rate.default(3e-3).describe('learning rate of the cloning at its height'),
  schedule: cloningScheduleSchema
    .default({ kind: 'constant' })
    .describe(
      'how it moves over the mini-batches of all passes that there may be, also where cloning ends early',
    ),
  batchSteps: count.default(128).describe('steps a mini-batch'),
});

/** How a batch of credited steps moves the weights. */
export const updateSchema = z.strictObject({
  epochs: count.default(2).describe('passes over the steps of an iteration'),
  batchSteps: count.default(512).describe('steps a mini-batch'),
  learningRate: rate.default(3e-3).describe('learning rate at its height'),
  schedule: scheduleSchema
    .default({ kind: 'linear', warmup: 0, floor: 0.1 })
    .describe('how the learning rate moves over the iterations'),
  objective: objectiveConfigSchema
    .prefault({ kind: 'clipped' })
    .describe(`what rewards the policy: ${summariesOf(objectives)}; or module, a file of your own`),
  clipLow: clip
    .default(defaultBounds.clipLow)
    .describe('ratios below 1 - clipLow earn no gradient where lowering them further would gain'),
  clipHigh: clip
    .default(defaultBounds.clipHigh)
    .describe('ratios above 1 + clipHigh earn no gradient where raising them further would gain'),
  dualClip: z
    .number()
    .gt(1)
    .max(1000)
    .optional()
    .describe('with a negative advantage the loss is at most this times -advantage; left out: no such bound'),
  zeroAdvantage: z
    .enum(['leave-out', 'keep'])
    .default('leave-out')
    .describe(
      'groups in which every advantage is 0: left out of the update, as they teach nothing, or kept, so that the KL and the entropy act on them and means count their steps',
    ),
  klWeight: weight
    .default(0)
    .describe(
      'weight of the KL from the policy after the warm start, or at the last reset; groups without any advantage are left out of it, see zeroAdvantage',
    ),
  referenceEvery: count
    .optional()
    .describe(
      'iterations between two after which the weights of then become what the KL is taken from, and the optimiser begins anew (ProRL); left out: never',
    ),
  klSchedule: scheduleSchema.default({ kind: 'constant' }).describe('how klWeight moves over the iterations'),
  entropyWeight: weight
    .default(0.01)
    .describe(
      'weight of the entropy, which is maximised; groups without any advantage are left out of it, see zeroAdvantage',
    ),
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
    .describe('gradients longer than this are shortened to it'),
  weightDecay: fraction
    .default(0)
    .describe('share of the weights taken off, times the learning rate, at each update (AdamW)'),
});

/** A training run, whole. Every key has its default here, but for the three that depend on the env: see `resolveConfig`. */
export const trainConfigSchema = z.strictObject({
  env: z.string().min(1).describe('id of the environment, such as household-v1'),
  ...rolloutSettingsShape,
  panel: z.string().default('train').describe('panel to train on'),
  devPanel: z
    .string()
    .optional()
    .describe(
      'panel on which every choice is made, never a held-out one; left out: dev, else the first of purpose dev that the env has',
    ),
  finalPanels: z
    .array(z.string())
    .optional()
    .describe(
      'held-out panels, run once, at the end, with the final checkpoint; left out: the first that the env has',
    ),
  seed: z
    .number()
    .int()
    .nonnegative()
    .default(0)
    .describe('of all chance: the same seed gives the same metrics'),
  backend: z
    .enum(['auto', 'tensorflow', 'webgpu', 'wasm', 'cpu'])
    .default('auto')
    .describe('what computes the tensors; auto takes the best that starts'),
  iterations: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(40)
    .describe('rounds of rollout, credit and update; 0 stops after the warm start'),
  groups: count.default(16).describe('tasks an iteration'),
  groupSize: z.int().min(2).max(65_536).default(8).describe('episodes a task'),
  taskSampling: curriculumConfigSchema
    .default({ kind: 'passes' })
    .describe(`which tasks an iteration plays: ${summariesOf(curricula)}; or module, a file of your own`),
  async: z
    .int()
    .min(0)
    .max(1000)
    .default(0)
    .describe(
      'iterations whose rollouts may run ahead of the updates, by weights that are so many iterations old at most; above 0 the numbers depend on timing and are not the same again',
    ),
  temperature: z
    .number()
    .min(0.001)
    .max(1000)
    .default(1)
    .describe('of the sampling in rollouts; below 1 is greedier'),
  credit: creditConfigSchema
    .prefault({ kind: creditEstimators[0].kind })
    .describe(`how credit is given: ${summariesOf(creditEstimators)}; or module, a file of your own`),
  evidence: evidenceConfigSchema
    .default([])
    .describe(
      `what is computed from episodes before credit is given, such as values of a critic: ${summariesOf(evidenceSources)}; or module, a file of your own`,
    ),
  policy: policyConfigSchema.prefault({ kind: 'choice' }),
  warmStart: warmStartSchema.prefault({}),
  update: updateSchema.prefault({}),
  evaluation: z
    .strictObject({
      every: count.default(10).describe('iterations between two evaluations on devPanel'),
      tasks: count
        .default(128)
        .describe('first tasks of devPanel that are played; all of a panel that has fewer'),
      decoding: z.enum(['sampled', 'greedy']).default('sampled').describe('how evaluations pick actions'),
    })
    .prefault({}),
  /** One after every iteration, so that a kill costs no more than the iteration under way. */
  checkpoints: z
    .strictObject({
      every: count.default(1).describe('iterations between two checkpoints'),
      keep: count.default(2).describe('newest checkpoints that are kept, beside the best'),
    })
    .prefault({}),
  trajectories: z
    .strictObject({
      every: count.default(1).describe('iterations between two whose episodes are written down'),
      maxMegabytes: z
        .number()
        .min(0.001)
        .max(1_000_000_000)
        .default(256)
        .describe('disk space for episodes, in MiB; beyond it the oldest go'),
    })
    .prefault({}),
});
export type TrainConfig = z.output<typeof trainConfigSchema>;
export type TrainConfigInput = z.input<typeof trainConfigSchema>;
