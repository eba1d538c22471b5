import { createRng, type Rng } from '../../envs/core/rng.ts';
import { selectBags } from '../../models/kernels/bag.ts';
import type { ChoiceBatch, ChoiceTraining } from '../../models/choice/choice-batch.ts';

/** A ragged batch: 1 to `candidates` candidates, 0 to `features` features a row, some features more than once; a third of the rows repeat others, unless all are to be distinct. */
export function randomBatch(
  seed: number,
  of: {
    readonly decisions: number;
    readonly candidates: number;
    readonly features: number;
    readonly buckets: number;
    readonly distinct?: boolean;
  },
): ChoiceBatch {
  const rng = createRng(seed);
  const rowStart = starts(rng, of.decisions, 1, of.candidates);
  const stateStart = starts(rng, of.decisions, 0, 2 * of.features);
  const features = (start: Int32Array): Int32Array =>
    Int32Array.from({ length: start[start.length - 1] as number }, () => rng.int(of.buckets));
  const rows = rowStart[of.decisions] as number;
  const start = starts(rng, rows, 0, of.features);
  const which = Int32Array.from({ length: rows }, (_, row) =>
    rng.int(3) === 0 && of.distinct !== true ? rng.int(row + 1) : row,
  );
  const candidates = selectBags({ members: features(start), start }, which);
  return {
    stateFeatures: features(stateStart),
    stateStart,
    candidateFeatures: candidates.members,
    candidateStart: candidates.start,
    rowStart,
  };
}

function starts(rng: Rng, count: number, low: number, high: number): Int32Array {
  const start = new Int32Array(count + 1);
  for (let at = 0; at < count; at += 1) start[at + 1] = (start[at] as number) + low + rng.int(high - low + 1);
  return start;
}

/** The batch with everything that training asks for; log-probabilities a little off any policy's, a few weights 0. */
export function randomTraining(
  seed: number,
  batch: ChoiceBatch,
): ChoiceTraining & { readonly referenceLogprobs: Float32Array } {
  const rng = createRng(seed).fork('training');
  const decisions = batch.rowStart.length - 1;
  const size = (decision: number): number =>
    (batch.rowStart[decision + 1] as number) - (batch.rowStart[decision] as number);
  const perDecision = (draw: (decision: number) => number): Float32Array =>
    Float32Array.from({ length: decisions }, (_, decision) => draw(decision));
  const proximalLogprob = perDecision((decision) => -Math.log(size(decision)) - 0.6 * rng.uniform());
  return {
    ...batch,
    chosen: Int32Array.from({ length: decisions }, (_, decision) => rng.int(size(decision))),
    advantage: perDecision(() => 4 * rng.uniform() - 2),
    weight: perDecision(() => (rng.int(8) === 0 ? 0 : 0.5 + rng.uniform())),
    proximalLogprob,
    behaviourLogprob: proximalLogprob.map((value) => value + 0.4 * rng.uniform() - 0.2),
    referenceLogprobs: randomDistributions(rng, batch.rowStart),
  };
}

function randomDistributions(rng: Rng, rowStart: Int32Array): Float32Array {
  const logprobs = new Float32Array(rowStart[rowStart.length - 1] as number);
  for (let decision = 0; decision + 1 < rowStart.length; decision += 1) {
    const from = rowStart[decision] as number;
    const to = rowStart[decision + 1] as number;
    const masses = Array.from({ length: to - from }, () => 0.1 + rng.uniform());
    const total = masses.reduce((sum, mass) => sum + mass, 0);
    for (const [index, mass] of masses.entries()) logprobs[from + index] = Math.log(mass / total);
  }
  return logprobs;
}

/** The batch without the decisions that `isOut` names. */
export function withoutDecisions<Batch extends ChoiceBatch>(
  batch: Batch,
  isOut: (decision: number) => boolean,
): Batch {
  const decisions = Array.from({ length: batch.rowStart.length - 1 }, (_, decision) => decision).filter(
    (decision) => !isOut(decision),
  );
  const rows = decisions.flatMap((decision) => range(batch.rowStart, decision));
  const kept = {
    stateFeatures: pick(
      batch.stateFeatures,
      decisions.flatMap((decision) => range(batch.stateStart, decision)),
    ),
    stateStart: startsOf(batch.stateStart, decisions),
    candidateFeatures: pick(
      batch.candidateFeatures,
      rows.flatMap((row) => range(batch.candidateStart, row)),
    ),
    candidateStart: startsOf(batch.candidateStart, rows),
    rowStart: startsOf(batch.rowStart, decisions),
  };
  const others = Object.entries(batch).filter(([name]) => !(name in kept));
  const cut = others.map(([name, values]: [string, unknown]) => {
    if (!(values instanceof Float32Array) && !(values instanceof Int32Array)) return [name, values] as const;
    return [name, pick(values, name === 'referenceLogprobs' ? rows : decisions)] as const;
  });
  return { ...batch, ...kept, ...Object.fromEntries(cut) };
}

function range(start: Int32Array, index: number): readonly number[] {
  const from = start[index] as number;
  return Array.from({ length: (start[index + 1] as number) - from }, (_, offset) => from + offset);
}

function startsOf(start: Int32Array, indices: readonly number[]): Int32Array {
  const kept = new Int32Array(indices.length + 1);
  for (const [at, index] of indices.entries())
    kept[at + 1] = (kept[at] as number) + range(start, index).length;
  return kept;
}

function pick<Values extends Float32Array | Int32Array>(values: Values, places: readonly number[]): Values {
  const picked = values.slice(0, places.length);
  for (const [at, place] of places.entries()) picked[at] = values[place] as number;
  return picked as Values;
}
