import type { Rng } from '../../../envs/core/rng.ts';
import type { ChoiceModel } from '../../../models/choice/choice-model.ts';
import { imitationPass } from '../imitation-pass.ts';
import type { ImitatedSoFar, ImitationSettings, PassOptions } from '../policy.ts';
import { shuffledParts } from '../mini-batches.ts';
import type { PackedChoices } from './pack-choices.ts';
import { selectDecisions } from './select-decisions.ts';

/** A pass over demonstrated choices in mini-batches: lowers their cross entropy. */
export async function imitateChoices(options: {
  readonly model: ChoiceModel;
  readonly packed: Pick<PackedChoices, 'batch' | 'chosen'>;
  readonly settings: ImitationSettings;
  /** The order is drawn from it. */
  readonly rng: Rng;
  readonly pass: PassOptions;
}): Promise<ImitatedSoFar> {
  const { model, packed, settings, rng, pass } = options;
  const whole = new AbortController().signal;
  return imitationPass({
    batches: shuffledParts(packed.chosen.length, settings.batchSteps, (items) => rng.shuffle(items)),
    settings,
    pass,
    accumulate: async (part) => {
      const zeros = new Float32Array(part.length);
      const { loss } = await model.accumulate(
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
      return { loss, weight: part.length };
    },
    apply: (step) => model.apply(step),
  });
}
