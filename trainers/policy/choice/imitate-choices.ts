import type { Rng } from '../../../envs/core/rng.ts';
import type { ChoiceModel } from '../../model/choice/choice-model.ts';
import type { ImitationSettings } from '../policy.ts';
import { shuffledParts } from '../shuffled-parts.ts';
import type { PackedChoices } from './pack-choices.ts';
import { selectDecisions } from './select-decisions.ts';

/** One pass over demonstrated choices in mini-batches: lowers their cross entropy, and says what it was, on average. */
export async function imitateChoices(options: {
  readonly model: ChoiceModel;
  readonly packed: Pick<PackedChoices, 'batch' | 'chosen'>;
  readonly settings: ImitationSettings;
  /** The order is drawn from it. */
  readonly rng: Rng;
  readonly onDone?: ((share: number) => void) | undefined;
}): Promise<number> {
  const { model, packed, settings, rng, onDone } = options;
  const whole = new AbortController().signal;
  let loss = 0;
  const parts = shuffledParts(packed.chosen.length, settings.batchSteps, (items) => rng.shuffle(items));
  for (const [at, part] of parts.entries()) {
    const zeros = new Float32Array(part.length);
    const figures = await model.accumulate(
      {
        ...selectDecisions(packed.batch, part),
        chosen: Int32Array.from(part, (at) => packed.chosen[at] as number),
        advantage: zeros,
        weight: new Float32Array(part.length).fill(1),
        behaviourLogprob: zeros,
        proximalLogprob: zeros,
      },
      { kind: 'imitate', temperature: 1, labelSmoothing: 0, entropyWeight: 0 },
      whole,
    );
    await model.apply({ learningRate: settings.learningRate(at, parts.length), maxGradNorm: settings.maxGradNorm, weightDecay: settings.weightDecay });
    loss += (figures.loss * part.length) / packed.chosen.length;
    onDone?.((at + 1) / parts.length);
  }
  return loss;
}
