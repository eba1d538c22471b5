import type { Rng } from '../../../envs/core/rng.ts';
import type { TokenModel } from '../../../models/token/token-model.ts';
import { imitationPass } from '../imitation-pass.ts';
import type { ImitatedSoFar, ImitationSettings, PassOptions } from '../policy.ts';
import { shuffledBatches } from './learn-tokens.ts';
import { trainingOfRows, type PackedRows } from './pack-tokens.ts';

/** A pass over demonstrated rows in mini-batches: lowers the cross entropy of what was written. */
export async function imitateTokens(options: {
  readonly model: TokenModel;
  readonly packed: PackedRows;
  readonly settings: ImitationSettings;
  /** The order is drawn from it. */
  readonly rng: Rng;
  readonly pass: PassOptions;
}): Promise<ImitatedSoFar> {
  const { model, settings, rng, pass } = options;
  const packed = {
    ...options.packed,
    behaviourLogprob: new Float32Array(options.packed.batch.scored.length),
  }; // the result does not depend on these log-probabilities, which may be unknown
  const whole = new AbortController().signal;
  return imitationPass({
    batches: shuffledBatches(packed, settings.batchSteps, rng),
    settings,
    pass,
    accumulate: async (rows) => {
      const { policyLoss, weight } = await model.accumulate(
        trainingOfRows(packed, rows, { proximal: packed.behaviourLogprob }),
        { kind: 'imitate', temperature: 1, entropyWeight: 0 },
        whole,
      );
      return { loss: policyLoss, weight };
    },
    apply: (step) => model.apply(step),
  });
}
