import { z } from 'zod';
import {
  decodingSchema,
  fingerprintSchema,
  rateEstimateSchema,
  scoreEstimateSchema,
} from '../results/estimate.ts';

/*
 * The lines of `metrics.jsonl` and `timings.jsonl`. The first has no times, so that two runs with one seed
 * are byte-equal; measured times go into the second. A number that was not measured is absent, not 0.
 */

const count = z.int().min(0);

/** Named numbers, such as `update/entropy`. NaN and infinities are refused before they are written. */
const figures = z.record(z.string().min(1), z.number());

/** One pass of imitation over the demonstrations, before training by reward. */
const warmStartLineSchema = z.strictObject({
  kind: z.literal('warm-start'),
  /** From 1. */
  epoch: z.int().min(1),
  /** Mean cross entropy of the demonstrated choices, in nats. */
  loss: z.number(),
  /** Success on the `dev` panel after this epoch, where it was measured. */
  devSuccess: rateEstimateSchema.optional(),
  figures: figures.optional(),
});

/**
 * One round of rollout, credit and update. The means are over the episodes of this iteration that ended (faulted ones left
 * out) and absent when none did.
 */
const iterationLineSchema = z.strictObject({
  kind: z.literal('iteration'),
  /** From 1. */
  iteration: z.int().min(1),
  /** Since the start of the run, this iteration included. */
  environmentSteps: count,
  /** Since the start of the run, this iteration included. */
  episodes: count,
  /** Share of episodes solved. */
  success: z.number().min(0).max(1).optional(),
  /** Score less penalties, which training uses. */
  return: z.number().optional(),
  /** The env's rewards, without penalties. */
  score: z.number().optional(),
  /** Steps per episode. */
  episodeLength: z.number().min(0).optional(),
  figures,
});

/** An evaluation in the course of a run, in short: the whole result stands in its own file. */
const evaluationLineSchema = z.strictObject({
  kind: z.literal('evaluation'),
  /** After this iteration; 0 before the first. */
  iteration: count,
  /** Training steps done by then, so that curves share an axis. */
  environmentSteps: count,
  panel: z.string(),
  fingerprint: fingerprintSchema,
  agent: z.string(),
  decoding: decodingSchema,
  success: rateEstimateSchema,
  score: scoreEstimateSchema,
  byFamily: z.record(z.string(), rateEstimateSchema.extend({ tasks: count })),
  figures: figures.optional(),
});

/** A line of `metrics.jsonl`. */
export const metricsLineSchema = z.discriminatedUnion('kind', [
  warmStartLineSchema,
  iterationLineSchema,
  evaluationLineSchema,
]);
export type MetricsLine = Readonly<z.output<typeof metricsLineSchema>>;
export type WarmStartLine = Extract<MetricsLine, { readonly kind: 'warm-start' }>;
export type IterationLine = Extract<MetricsLine, { readonly kind: 'iteration' }>;
export type EvaluationLine = Extract<MetricsLine, { readonly kind: 'evaluation' }>;

/** A line of `timings.jsonl`: what a clock said, in seconds. */
export const timingsLineSchema = z.strictObject({
  kind: z.enum(['warm-start', 'iteration', 'evaluation']),
  /** The epoch of a warm start, else the iteration. */
  iteration: count,
  seconds: z.number().min(0),
  /** By phase, such as `rollout`, `credit`, `update`, `checkpoint`; they need not add up to `seconds`. */
  phases: z.record(z.string(), z.number().min(0)),
  /** Steps done in this unit of work; absent where none were. */
  environmentSteps: count.optional(),
});
export type TimingsLine = Readonly<z.output<typeof timingsLineSchema>>;
