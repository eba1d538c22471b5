import { z } from 'zod';
import type { FaultKind } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import { decodingSchema, fingerprintSchema, rateEstimateSchema, scoreEstimateSchema } from './estimate.ts';
import { calibrationSchema } from './calibration.ts';
import { inadmissibleSchema, inadmissibleShareSchema } from './inadmissible.ts';
import { lineageSchema } from './lineage.ts';
import { passesSchema } from './passes-schema.ts';
import { readingSchema, unreadableSchema } from './reading.ts';
import { tokenCountsSchema } from './token-counts.ts';

/** Version of the result format. It increases when new code could not read a file of the old code. */
export const resultSchemaNumber = 1;

const count = z.int().min(0);
const json: z.ZodType<Json> = z.json();

const faultKindSchema = z.enum({
  'env-crashed': 'env-crashed',
  'deadline-passed': 'deadline-passed',
  'task-broken': 'task-broken',
  'sandbox-failed': 'sandbox-failed',
  'retriever-failed': 'retriever-failed',
  'tool-server-failed': 'tool-server-failed',
  'sampler-failed': 'sampler-failed',
} satisfies { readonly [Kind in FaultKind]: Kind });

/** One episode of an evaluation. */
const episodeRowSchema = z
  .strictObject({
    seed: z.int(),
    /** Of the task within its panel. */
    index: count,
    family: z.string(),
    outcome: z.enum(['solved', 'failed', 'truncated', 'faulted']),
    /** What ended it, if a limit or a fault did, such as `turn-limit` or `env-crashed`. */
    cause: z.string().optional(),
    /** Of a fault: what went wrong, in a sentence. */
    fault: z.string().optional(),
    /** Of a fault: its code, where it has one. */
    code: z.string().optional(),
    /** The env's reward without penalties; for a faulted episode up to the fault. */
    score: z.number(),
    turns: count,
    /** The env's metrics, by name, summed over steps; absent if there are none. */
    metrics: z.record(z.string(), z.number()).optional(),
    /** Of text agents. */
    tokens: tokenCountsSchema.optional(),
    /** Of text agents: absent where every reply could be read. */
    unreadable: unreadableSchema.optional(),
    /** Absent where every action could be done, and in results of older versions. */
    inadmissible: inadmissibleSchema.optional(),
  })
  .superRefine(({ outcome, cause }, context) => {
    if (outcome !== 'faulted' || cause === undefined) return; // of others it is the name of a limit, which may be an env's own
    for (const { message } of faultKindSchema.safeParse(cause).error?.issues ?? [])
      context.addIssue({ code: 'custom', path: ['cause'], message });
  });
export type EpisodeRow = Readonly<z.output<typeof episodeRowSchema>>;

/** A fault of an episode that was played again. */
export const retriedFaultSchema = z.strictObject({
  seed: z.int(),
  /** Of the task within its panel. */
  index: count,
  family: z.string(),
  /** Its kind, such as `env-crashed`. */
  cause: faultKindSchema,
  /** What went wrong, in a sentence. */
  fault: z.string(),
  /** Steps that were done before it. */
  steps: count,
});
export type RetriedFault = Readonly<z.output<typeof retriedFaultSchema>>;

/** What a policy was trained on, if that differs from what it plays. */
const trainedOnSchema = z.strictObject({
  env: z.string(),
  /**
   * Config keys that differ, with their values in training and in play; absent values are not set. If there
   * are none, the tasks differ.
   */
  differences: z
    .array(z.strictObject({ key: z.string(), trained: json.optional(), played: json.optional() }))
    .min(1)
    .readonly(),
});
export type TrainedOn = Readonly<z.output<typeof trainedOnSchema>>;

const promptSchema = z.strictObject({ name: z.string(), fingerprint: fingerprintSchema });

/** What the agent was shown and how it was run. Numbers are comparable only with equal values. */
export const shownSchema = z.strictObject({
  /**
   * Choice agents choose among listed actions, text agents write; scripted ones do neither and are not
   * trained. Own ones are agents of users, of which nothing else is known.
   */
  kind: z.enum(['choice', 'text', 'scripted', 'own']),
  /** Whether it was shown the admissible actions. */
  admissible: z.boolean(),
  /** How much of the episode it remembered, such as `all steps` or `last 3 steps`. */
  history: z.string(),
  decoding: decodingSchema,
  /** Name of the weights; absent for agents that have none. */
  checkpoint: z.string().optional(),
  /** On what its weights were trained; absent where that is what it plays. */
  trainedOn: trainedOnSchema.optional(),
  /** For our language models: their prompt and what they could write. */
  written: z
    .strictObject({
      prompt: promptSchema,
      /** Most tokens of a reply. */
      maxTokens: z.int().min(1),
      /** Most tokens of a prompt and a reply together. */
      contextLength: z.int().min(2),
      /** Whether only admissible actions could be written. */
      restricted: z.boolean(),
    })
    .optional(),
  /** For external models: which one, where and how. */
  remote: z
    .strictObject({
      model: z.string(),
      /** Host and port, without credentials. */
      server: z.string(),
      prompt: promptSchema,
      /** Most tokens of a reply. */
      maxTokens: z.int().min(1),
      /** Most characters of an observation that it saw; absent where they are the prompt's. */
      observationCharacters: z.int().min(1).optional(),
      /** Fields of each request beside the usual ones; absent for none. */
      fields: z.record(z.string(), json).optional(),
    })
    .optional(),
});
export type Shown = Readonly<z.output<typeof shownSchema>>;

/** Whether it can have weights: scripted agents and users' own agents have none that are known here. */
export const isPolicy = ({ kind }: Pick<Shown, 'kind'>): boolean => kind === 'choice' || kind === 'text';

const familySchema = rateEstimateSchema.extend({
  tasks: count,
  score: scoreEstimateSchema,
  /** Of the episodes that did not fault; absent when all did. */
  meanTurns: z.number().min(0).optional(),
});

/** How often episodes faulted, and the effect on the rates. */
const faultsSchema = z.strictObject({
  /** Episodes that still had a fault after all retries. */
  count,
  /** Episodes that were tried again. */
  retried: count,
  /** The faults of those, by seeds and tasks; absent where there are none. Of results of older versions, and where a process was killed at that moment, some may be missing. */
  retries: z.array(retriedFaultSchema).readonly().optional(),
  /** `count` over all episodes. */
  share: z.number().min(0).max(1),
  /** Success with faults counted as failures: the rate that is reported. */
  rateLow: z.number().min(0).max(1),
  /** Success with faults left out; absent when nothing else is left. */
  rateHigh: z.number().min(0).max(1).optional(),
  /** How many of them each cause has, such as `env-crashed`; absent where there are none. */
  byCause: z.record(z.string(), count).optional(),
  /** The first of them in the order of seeds and tasks, and the steps that were done before it. */
  first: z
    .strictObject({
      seed: z.int(),
      index: count,
      steps: count,
      cause: z.string(),
      fault: z.string().optional(),
      code: z.string().optional(),
    })
    .optional(),
  /** The mean score with faulted episodes left out; `score` has them with what was paid until the fault. Absent when nothing else is left. */
  scoreHigh: z.number().optional(),
  /** True if `share` exceeds 1 %: the evaluation is unreliable and the command exits with 1. */
  excessive: z.boolean(),
});

/** How the intervals were made. */
const intervalMethodSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('wilson'), level: z.number() }),
  z.strictObject({ kind: z.literal('bootstrap-tasks'), level: z.number(), resamples: count }),
  z.strictObject({ kind: z.literal('student-seeds-bootstrap-tasks'), level: z.number(), resamples: count }),
]);

/** A complete evaluation: every number can be recomputed from `episodes`. */
export const evaluationResultSchema = z.strictObject({
  schema: z.literal(resultSchemaNumber),
  env: z.string(),
  config: json,
  /**
   * The part of the config, and of the env's data, that distinguishes results; absent if the config is
   * enough.
   */
  identity: json.optional(),
  agent: z.string(),
  panel: z.strictObject({
    name: z.string(),
    fingerprint: fingerprintSchema,
    tasks: count,
    /** Which tasks of the panel were played, in order; absent where they are the first ones. */
    indices: z.array(count).readonly().optional(),
  }),
  shown: shownSchema,
  /** What trained its weights; absent of agents that no training of ours made, and in results of older versions. */
  training: lineageSchema.optional(),
  episodesPerTask: z.int().min(1),
  /** Of the luck of the episodes; of results that were pooled, of the trainings. */
  seeds: z.array(z.int()).min(1).readonly(),
  interval: intervalMethodSchema,
  success: rateEstimateSchema,
  /** Where each task was played several times; absent elsewhere, and in results of older versions. */
  passes: passesSchema.optional(),
  score: scoreEstimateSchema,
  byFamily: z.record(z.string(), familySchema),
  /** Of the episodes that did not fault; absent when all did. */
  meanTurns: z.number().min(0).optional(),
  faults: faultsSchema,
  /** What the env counted beside, as means of all episodes: 0 for one that has none of that name. Absent where it counted nothing, and in results of older versions. */
  metrics: z.record(z.string(), scoreEstimateSchema).optional(),
  /** Of envs that report the metric `confidence`. Absent where no episode has one, and in results of older versions. */
  calibration: calibrationSchema.optional(),
  /** Environment steps of all episodes. */
  steps: count,
  /**
   * For text agents, in all counted episodes. Replaced attempts are in `replacedTokens`; the total cost is
   * the sum.
   */
  tokens: tokenCountsSchema.optional(),
  /** Of text agents, in tries that faulted and were played again, in whatever session; absent where there was no reply in any. */
  replacedTokens: tokenCountsSchema.optional(),
  /** Of text agents: how many of their replies could be read. */
  reading: readingSchema.optional(),
  /** Actions that the env found inadmissible; absent in results of older versions. */
  inadmissible: inadmissibleShareSchema.optional(),
  /** By the clock of the caller. */
  seconds: z.number().min(0),
  episodes: z.array(episodeRowSchema).readonly(),
  /** Of the package, of Node and of whatever else moves numbers. */
  versions: z.record(z.string(), z.string()),
  /** Why the command that printed the result failed, where it did. */
  error: z.looseObject({ kind: z.string(), message: z.string() }).optional(),
});
export type EvaluationResult = Readonly<z.output<typeof evaluationResultSchema>>;
export type FamilyResult = Readonly<z.output<typeof familySchema>>;
export type IntervalMethod = Readonly<z.output<typeof intervalMethodSchema>>;
