import type { Context } from '../../../envs/core/context.ts';
import type { Rng } from '../../../envs/core/rng.ts';
import type { ChoiceModel } from '../../../models/choice/choice-model.ts';
import { assertSynchronous, largestGap } from '../behaviour-gap.ts';
import { policyObjective } from '../policy-objective.ts';
import { FigureMeans } from '../figure-means.ts';
import type { UpdateSettings } from '../policy.ts';
import { shuffledParts } from '../mini-batches.ts';
import type { PackedChoices } from './pack-choices.ts';
import { rowsOf, selectDecisions, selectValues } from './select-decisions.ts';

/**
 * One update: shuffles the credited decisions into mini-batches and changes the weights for some epochs by
 * the clipped objective. Sources: Schulman et al. 2017, eq. 7, with separate bounds as in DAPO, Yu et al.
 * 2025, eq. 10. `reference` is the KL anchor. It is required if `klWeight` is not 0. If it is given, the KL
 * is measured at any weight.
 */
export async function learnChoices(options: {
  readonly model: ChoiceModel;
  readonly packed: PackedChoices;
  readonly settings: UpdateSettings;
  readonly reference: ChoiceModel | undefined;
  readonly context: Context;
}): Promise<Readonly<Record<string, number>>> {
  const { model, packed, settings, context } = options;
  if (packed.chosen.length === 0) return { 'update/steps': 0 };
  const { proximal, gap } = await proximalLogprobs(model, packed, settings, context.rng.fork('spot-check'));
  const reference = await referenceLogprobs(options, packed);
  const means = new FigureMeans();
  for (let epoch = 0; epoch < settings.epochs; epoch += 1) {
    const rng = context.rng.fork('shuffle').fork(epoch);
    for (const part of shuffledParts(packed.chosen.length, settings.batchSteps, (items) =>
      rng.shuffle(items),
    )) {
      context.signal.throwIfAborted();
      const figures = await model.accumulate(
        {
          ...selectDecisions(packed.batch, part),
          chosen: Int32Array.from(part, (at) => packed.chosen[at] as number),
          advantage: selectValues(packed.advantage, part),
          weight: new Float32Array(part.length).fill(1),
          behaviourLogprob: selectValues(packed.behaviourLogprob, part),
          proximalLogprob: selectValues(proximal, part),
          ...(reference === undefined
            ? {}
            : { referenceLogprobs: selectValues(reference, rowsOf(packed.batch, part)) }),
        },
        policyObjective(settings),
        context.signal,
      );
      const { gradNorm } = await model.apply({
        learningRate: settings.learningRate,
        optimiser: settings.optimiser,
        maxGradNorm: settings.maxGradNorm,
        weightDecay: settings.weightDecay,
      });
      means.add(
        reference === undefined ? { ...figures, referenceKl: undefined } : figures,
        gradNorm,
        part.length,
      );
    }
  }
  return { ...sizesOf(packed), 'update/behaviour-gap': gap, ...means.result() };
}

/** How much there was to learn from. */
function sizesOf({ chosen, batch }: PackedChoices): Readonly<Record<string, number>> {
  return {
    'update/steps': chosen.length,
    'update/candidates': batch.candidateStart.length - 1,
    'update/features': batch.stateFeatures.length + batch.candidateFeatures.length,
  };
}

/**
 * Log-probability of each chosen candidate under the weights before the update, and how far those of the rollouts are from it at
 * most. Synchronous rollouts have them already: a mini-batch of decisions drawn at random is scored to prove it.
 */
async function proximalLogprobs(
  model: ChoiceModel,
  { batch, chosen, behaviourLogprob }: PackedChoices,
  { synchronous, temperature, batchSteps }: UpdateSettings,
  rng: Rng,
): Promise<{ readonly proximal: Float32Array; readonly gap: number }> {
  if (!synchronous) {
    const proximal = await chosenLogprobs(model, { batch, chosen }, temperature);
    return { proximal, gap: largestGap(behaviourLogprob, proximal) };
  }
  const sample = shuffledParts(chosen.length, batchSteps, (items) => rng.shuffle(items))[0] as Int32Array;
  const drawn = {
    batch: selectDecisions(batch, sample),
    chosen: Int32Array.from(sample, (at) => chosen[at] as number),
  };
  const gap = largestGap(
    selectValues(behaviourLogprob, sample),
    await chosenLogprobs(model, drawn, temperature),
  );
  assertSynchronous(gap);
  return { proximal: behaviourLogprob, gap };
}

/** Log-probability of each chosen candidate under the weights of now. */
async function chosenLogprobs(
  model: ChoiceModel,
  { batch, chosen }: Pick<PackedChoices, 'batch' | 'chosen'>,
  temperature: number,
): Promise<Float32Array> {
  const all = await model.logprobs(batch, temperature);
  return Float32Array.from(
    chosen,
    (candidate, decision) => all[(batch.rowStart[decision] as number) + candidate] as number,
  );
}

/** Log-probabilities of all candidates under the reference policy; undefined where there is none and none is needed. */
async function referenceLogprobs(
  { reference, settings }: { readonly reference: ChoiceModel | undefined; readonly settings: UpdateSettings },
  packed: PackedChoices,
): Promise<Float32Array | undefined> {
  if (reference !== undefined) return reference.logprobs(packed.batch, settings.temperature);
  if (settings.klWeight > 0) throw new TypeError('a KL weight needs a reference policy');
  return undefined;
}
