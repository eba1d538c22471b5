import { z } from 'zod';
import { rowsOf, type TokenRow } from '../../../agents/render/rows.ts';
import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import type { BatchCredit } from '../../credit/estimator.ts';
import { hasNoAdvantage } from '../../credit/parts/credit-statistics.ts';
import type { UpdateSettings } from '../policy.ts';
import { rowAdvantages } from './row-advantages.ts';
import { selectRows, type TokenBatch, type TokenTraining } from '../../../models/token/token-batch.ts';

/** How the losses of tokens become one: their mean within each unit, and then the mean over units. Data, as objectives are. */
export const lossAggregationSchema = z
  .strictObject({
    unit: z
      .enum(['token', 'sequence', 'step', 'trajectory'])
      .default('token')
      .describe(
        'unit whose means have equal weight: all tokens, each row, each step of the environment, or each episode',
      ),
    /** Dr. GRPO, Liu et al. 2025. */
    horizon: z
      .number()
      .positive()
      .max(1_000_000_000)
      .optional()
      .describe(
        'divide the sum of each unit by this number of tokens instead of its length, so that no length is favoured',
      ),
  })
  .refine(
    ({ unit, horizon }) => unit !== 'token' || horizon === undefined,
    'a horizon needs a unit of more than one token',
  );
export type LossAggregation = z.output<typeof lossAggregationSchema>;

/** A row and what its tokens earned. */
export interface CreditedRow {
  readonly row: TokenRow;
  /** Number of the trajectory that it is of. */
  readonly trajectory: number;
  readonly advantage: Float64Array; // (T)
}

/** Rows to learn from; what is not of the batch has one entry a scored token. */
export interface PackedRows {
  readonly batch: TokenBatch;
  readonly advantage: Float32Array; // (S)
  /** NaN where the sampler gave none. */
  readonly behaviourLogprob: Float32Array; // (S)
  readonly weight: Float32Array; // (S)
  /** The token's share of a unit: those of a unit add up to 1. The loss of any rows is divided by the sum of theirs. */
  readonly share: Float32Array; // (S)
  /** How many steps of the env begin to be written in each row. */
  readonly steps: Int32Array; // (R)
}

/**
 * The one place where trajectories become rows of tokens: every token that the policy wrote in a trajectory that has credit, once.
 * Groups whose advantages are all zero are left out unless they are to be kept.
 */
export function packTokens(options: {
  readonly groups: readonly TrajectoryGroup[];
  readonly credit: BatchCredit;
  readonly aggregation: LossAggregation;
  readonly zeroAdvantage: UpdateSettings['zeroAdvantage'];
}): PackedRows {
  const credited: CreditedRow[] = [];
  let trajectories = 0;
  for (const [groupIndex, group] of options.groups.entries()) {
    const credits = options.credit.groups[groupIndex] ?? [];
    if (options.zeroAdvantage === 'leave-out' && hasNoAdvantage(credits)) continue;
    for (const [member, trajectory] of group.members.entries()) {
      const credit = credits[member];
      if (credit === undefined || credit.advantage.length === 0) continue;
      const rows = rowsOf(trajectory);
      const advantages = rowAdvantages(rows, credit);
      for (const [at, row] of rows.entries())
        credited.push({ row, trajectory: trajectories, advantage: advantages[at] as Float64Array });
      trajectories += 1;
    }
  }
  return packCreditedRows(credited, options.aggregation);
}

/** The rows packed end to end, in their order; rows in which nothing was written are left out. */
export function packCreditedRows(
  credited: readonly CreditedRow[],
  { unit, horizon }: LossAggregation,
): PackedRows {
  const trained = credited.filter(({ row }) => row.sampled.includes(1));
  const rowStart = new Int32Array(trained.length + 1);
  for (const [at, { row }] of trained.entries())
    rowStart[at + 1] = (rowStart[at] as number) + row.tokens.length;
  const tokens = new Int32Array(rowStart.at(-1) as number);
  const written: {
    readonly place: number;
    readonly at: number;
    readonly of: CreditedRow;
    readonly unit: string;
  }[] = [];
  for (const [at, of] of trained.entries()) {
    const first = rowStart[at] as number;
    tokens.set(of.row.tokens, first);
    for (const [place, sampled] of of.row.sampled.entries()) {
      if (sampled === 1)
        written.push({
          place: first + place,
          at: place,
          of,
          unit: unitOf(unit, {
            row: at,
            place: first + place,
            step: of.row.steps[place] as number,
            trajectory: of.trajectory,
          }),
        });
    }
  }
  const lengths = new Map<string, number>();
  for (const token of written) lengths.set(token.unit, (lengths.get(token.unit) ?? 0) + 1);
  const share = Float32Array.from(written, (token) => 1 / (lengths.get(token.unit) as number));
  return {
    batch: {
      tokens,
      rowStart,
      scored: Int32Array.from(written, ({ place }) => place),
      ...allowedOf(written),
    },
    advantage: Float32Array.from(written, ({ at, of }) => of.advantage[at] ?? Number.NaN), // training refuses NaN by name
    behaviourLogprob: Float32Array.from(written, ({ at, of }) => of.row.logprobs[at] as number),
    weight: horizon === undefined ? share : new Float32Array(written.length).fill(1 / horizon),
    share,
    steps: countSteps(trained),
  };
}

/**
 * Rows of what was packed as a batch to learn from, such as that of one step of the optimiser.
 * @param logprobs of all scored tokens of the whole; those of the rollouts are the proximal ones where they are of the same weights
 */
export function trainingOfRows(
  packed: PackedRows,
  which: ArrayLike<number>,
  logprobs: { readonly proximal: Float32Array; readonly reference?: Float32Array },
): TokenTraining {
  const { batch, scored } = selectRows(packed.batch, which);
  const pick = (values: Float32Array): Float32Array =>
    Float32Array.from(scored, (at) => values[at] as number);
  return {
    ...batch,
    advantage: pick(packed.advantage),
    weight: pick(packed.weight),
    behaviourLogprob: pick(packed.behaviourLogprob),
    proximalLogprob: pick(logprobs.proximal),
    ...(logprobs.reference === undefined ? {} : { referenceLogprob: pick(logprobs.reference) }),
    normaliser: pick(packed.share).reduce((total, share) => total + share, 0),
  };
}

/** A step whose context was reset is written in several rows, and counts in the first. */
function countSteps(rows: readonly CreditedRow[]): Int32Array {
  const seen = new Set<string>();
  return Int32Array.from(rows, ({ row, trajectory }) => {
    const before = seen.size;
    for (const step of row.steps) if (step >= 0) seen.add(`${trajectory}/${step}`);
    return seen.size - before;
  });
}

function unitOf(
  unit: LossAggregation['unit'],
  of: { readonly row: number; readonly place: number; readonly step: number; readonly trajectory: number },
): string {
  switch (unit) {
    case 'token':
      return `${of.place}`;
    case 'sequence':
      return `${of.row}`;
    case 'step':
      return `${of.trajectory}/${of.step}`;
    case 'trajectory':
      return `${of.trajectory}`;
    default:
      return unit satisfies never;
  }
}

/** Only where some token was restricted. */
function allowedOf(
  written: readonly { readonly at: number; readonly of: CreditedRow }[],
): Pick<TokenBatch, 'allowed'> {
  const choices = written.map(({ at, of }) => of.row.allowed.get(at) ?? []);
  if (choices.every((among) => among.length === 0)) return {};
  const start = new Int32Array(choices.length + 1);
  for (const [at, among] of choices.entries()) start[at + 1] = (start[at] as number) + among.length;
  return { allowed: { members: Int32Array.from(choices.flat()), start } };
}
