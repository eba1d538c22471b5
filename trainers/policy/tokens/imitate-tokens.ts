import type { Rng } from '../../../envs/core/rng.ts';
import type { TokenModel } from '../../model/token/token-model.ts';
import type { ImitationSettings } from '../policy.ts';
import { shuffledBatches } from './learn-tokens.ts';
import { trainingOfRows, type PackedRows } from './pack-tokens.ts';

/** One pass over demonstrated rows in mini-batches: lowers the cross entropy of what was written, and says what it was, on average. */
export async function imitateTokens(options: {
  readonly model: TokenModel;
  readonly packed: PackedRows;
  readonly settings: ImitationSettings;
  /** The order is drawn from it. */
  readonly rng: Rng;
  readonly onDone?: ((share: number) => void) | undefined;
}): Promise<number> {
  const { model, settings, rng, onDone } = options;
  const packed = { ...options.packed, behaviourLogprob: new Float32Array(options.packed.batch.scored.length) }; // nothing hangs on what it was, which nobody may know
  const whole = new AbortController().signal;
  let [loss, weight] = [0, 0];
  const batches = shuffledBatches(packed, settings.batchSteps, rng);
  for (const [at, rows] of batches.entries()) {
    const figures = await model.accumulate(trainingOfRows(packed, rows, { proximal: packed.behaviourLogprob }), { kind: 'imitate', temperature: 1, entropyWeight: 0 }, whole);
    await model.apply({ learningRate: settings.learningRate(at, batches.length), maxGradNorm: settings.maxGradNorm, weightDecay: settings.weightDecay });
    loss += figures.policyLoss * figures.weight;
    weight += figures.weight;
    onDone?.((at + 1) / batches.length);
  }
  return loss / weight;
}
