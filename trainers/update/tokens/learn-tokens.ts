import type { Context } from '../../../envs/core/context.ts';
import type { Rng } from '../../../envs/core/rng.ts';
import { selectRows } from '../../../models/token/token-batch.ts';
import type { TokenModel } from '../../../models/token/token-model.ts';
import { assertSynchronous, largestGap } from '../behaviour-gap.ts';
import { policyObjective } from '../policy-objective.ts';
import { FigureMeans } from '../figure-means.ts';
import { mismatchFigures } from '../mismatch.ts';
import type { UpdateSettings } from '../policy.ts';
import { miniBatches, rowNumbers } from '../mini-batches.ts';
import type { TokenLossConfig } from './token-loss-config.ts';
import { trainingOfRows, type PackedRows } from './pack-tokens.ts';

/** Nats from which a token's two log-probabilities count as different: arithmetic in half precision gives less. */
const mismatchThreshold = 0.1;

/**
 * One update: the rows are shuffled into mini-batches and move the weights for some epochs by the clipped objective, token by token.
 * Where a reference is kept the KL is measured at any weight.
 */
export async function learnTokens(options: {
  readonly model: TokenModel;
  readonly packed: PackedRows;
  readonly settings: UpdateSettings;
  readonly loss: TokenLossConfig;
  /** Whether the rollouts were sampled elsewhere, by another arithmetic. */
  readonly isElsewhere: boolean;
  readonly keepsReference: boolean;
  readonly context: Context;
}): Promise<Readonly<Record<string, number>>> {
  const { model, loss, isElsewhere, keepsReference, context } = options;
  const settings = isElsewhere ? { ...options.settings, synchronous: false } : options.settings;
  if (options.packed.batch.scored.length === 0) return { 'update/steps': 0 };
  if (settings.klWeight > 0 && !keepsReference) throw new TypeError('a KL weight needs a reference policy');
  const { proximal, behaviour, gap } = await proximalLogprobs(
    model,
    options.packed,
    settings,
    context.rng.fork('spot-check'),
  );
  const packed = { ...options.packed, behaviourLogprob: behaviour };
  const reference = keepsReference
    ? { reference: await model.referenceLogprobs(packed.batch, settings.temperature) }
    : {};
  const objective = { ...policyObjective(settings), ratio: loss.ratio, klEstimator: loss.klEstimator };
  const means = new FigureMeans();
  for (let epoch = 0; epoch < settings.epochs; epoch += 1) {
    for (const rows of shuffledBatches(
      packed,
      settings.batchSteps,
      context.rng.fork('shuffle').fork(epoch),
    )) {
      context.signal.throwIfAborted();
      const figures = await model.accumulate(
        trainingOfRows(packed, rows, { proximal, ...reference }),
        objective,
        context.signal,
      );
      const { gradNorm } = await model.apply({
        learningRate: settings.learningRate,
        optimiser: settings.optimiser,
        maxGradNorm: settings.maxGradNorm,
        weightDecay: settings.weightDecay,
      });
      means.add(keepsReference ? figures : { ...figures, referenceKl: undefined }, gradNorm, figures.weight);
    }
  }
  const mismatch = isElsewhere ? compared(options.packed, proximal, settings) : {};
  return { ...sizesOf(packed), 'update/behaviour-gap': gap, ...mismatch, ...means.result() };
}

/** The mismatch of rows that were sampled elsewhere, where there is nothing to learn from them: a server is watched all the same. */
export async function compareTokens(
  model: TokenModel,
  packed: PackedRows,
  settings: UpdateSettings,
): Promise<Readonly<Record<string, number>>> {
  return packed.batch.scored.length === 0
    ? {}
    : compared(packed, await model.logprobs(packed.batch, settings.temperature), settings);
}

/** The mismatch of the tokens whose log-probability was given, and which share of all was given none. */
function compared(
  { behaviourLogprob }: PackedRows,
  recomputed: Float32Array,
  { importanceCap }: UpdateSettings,
): Readonly<Record<string, number>> {
  const isGiven = (_: number, at: number): boolean => !Number.isNaN(behaviourLogprob[at]);
  const given = behaviourLogprob.filter(isGiven);
  const figures = mismatchFigures(given, recomputed.filter(isGiven), {
    threshold: mismatchThreshold,
    cap: importanceCap,
  });
  return { ...figures, 'update/logprobs-missing': 1 - given.length / behaviourLogprob.length };
}

/** The rows in an order of chance, in mini-batches of about so many steps. */
export function shuffledBatches(
  { steps }: Pick<PackedRows, 'steps'>,
  batchSteps: number,
  rng: Rng,
): readonly (readonly number[])[] {
  return miniBatches(rng.shuffle(rowNumbers(steps.length)), steps, batchSteps);
}

/** How much there was to learn from. */
function sizesOf({ batch, steps }: PackedRows): Readonly<Record<string, number>> {
  return {
    'update/steps': steps.reduce((sum, count) => sum + count, 0),
    'update/rows': steps.length,
    'update/tokens': batch.tokens.length,
    'update/tokens-written': batch.scored.length,
  };
}

/** Log-probabilities of all scored tokens (S), and how far the two are apart at most. */
interface BeforeUpdate {
  /** Under the weights before the update. */
  readonly proximal: Float32Array;
  /** Those of the rollouts; where a sampler gave none, the proximal one. */
  readonly behaviour: Float32Array;
  readonly gap: number;
}

/** Synchronous rollouts have the proximal ones already: a mini-batch of rows drawn at random is scored to prove it. */
async function proximalLogprobs(
  model: TokenModel,
  packed: PackedRows,
  { synchronous, temperature, batchSteps }: UpdateSettings,
  rng: Rng,
): Promise<BeforeUpdate> {
  const { batch, behaviourLogprob } = packed;
  if (!synchronous) {
    const proximal = await model.logprobs(batch, temperature);
    const behaviour = behaviourLogprob.map((logprob, at) =>
      Number.isNaN(logprob) ? (proximal[at] as number) : logprob,
    );
    return { proximal, behaviour, gap: largestGap(behaviour, proximal) };
  }
  const drawn = selectRows(batch, shuffledBatches(packed, batchSteps, rng)[0] ?? []);
  const gap = largestGap(
    Float32Array.from(drawn.scored, (at) => behaviourLogprob[at] as number),
    await model.logprobs(drawn.batch, temperature),
  );
  assertSynchronous(gap);
  return { proximal: behaviourLogprob, behaviour: behaviourLogprob, gap };
}
