import type { OptimiserStepInput } from '../../models/policy-model.ts';
import { passBegins, type ImitatedSoFar, type ImitationSettings, type PassOptions } from './policy.ts';

/** What a mini-batch came to: its mean cross entropy, and how much there was of it. */
interface BatchLoss {
  readonly loss: number;
  readonly weight: number;
}

/**
 * The pass over these mini-batches, one behind the other, from where it was, unless it had more or fewer then; ends early, between two of them,
 * where its signal says so.
 */
export async function imitationPass<B>(options: {
  readonly batches: readonly B[];
  readonly settings: ImitationSettings;
  readonly pass: PassOptions;
  readonly accumulate: (batch: B) => Promise<BatchLoss>;
  readonly apply: (step: OptimiserStepInput) => Promise<unknown>;
}): Promise<ImitatedSoFar> {
  const {
    batches,
    settings: { learningRate, optimiser, maxGradNorm, weightDecay },
    pass: { signal, onDone },
    accumulate,
    apply,
  } = options;
  const { from } = options.pass;
  let { batches: done, lossSum, weight } = from.of === batches.length ? from : passBegins;
  while (done < batches.length && !signal.aborted) {
    const figures = await accumulate(batches[done] as B);
    await apply({ optimiser, learningRate: learningRate(done, batches.length), maxGradNorm, weightDecay });
    done += 1;
    lossSum += figures.loss * figures.weight;
    weight += figures.weight;
    onDone?.(done / batches.length);
  }
  return { batches: done, of: batches.length, lossSum, weight, isWhole: done === batches.length };
}
