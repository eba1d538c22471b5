import type { ChoiceBatch, ChoiceTraining } from '../../models/choice/choice-batch.ts';
import { ChoiceRows } from '../../models/encode/choice-rows.ts';
import { createRng } from '../../envs/core/rng.ts';
import { householdEnv } from '../../envs/household/definition.ts';
import type { ChoiceModel } from '../../models/choice/choice-model.ts';
import { ChoiceScorer } from '../../trainers/update/choice/choice-scorer.ts';
import { selectDecisions } from '../../trainers/update/choice/select-decisions.ts';
import { shuffledParts } from '../../trainers/update/mini-batches.ts';
import { openBatches } from '../credit/batches.ts';

/** A mini-batch of so many decisions of an iteration of household episodes, as training draws it. */
export async function playedDecisions(model: ChoiceModel, count: number): Promise<ChoiceBatch> {
  const scorer = new ChoiceScorer(model);
  const rows = new ChoiceRows(model.config.buckets);
  const play = await openBatches();
  for (const { members } of await play(1)) {
    for (const trajectory of members)
      scorer.encodeTrajectory(
        trajectory,
        { words: (observation) => householdEnv.text.observation(String(observation)) },
        rows,
      );
  }
  const [part] = shuffledParts(rows.decisions, count, (items) => createRng(count).shuffle(items));
  if (part?.length !== count) throw new Error(`an iteration has fewer than ${count} decisions`);
  return selectDecisions(rows.pack(), part);
}

/** The decisions with all that learning from them takes. */
export function trainingOf(batch: ChoiceBatch): ChoiceTraining {
  const decisions = batch.rowStart.length - 1;
  const rng = createRng(decisions).fork('training');
  const candidates = (decision: number): number =>
    (batch.rowStart[decision + 1] as number) - (batch.rowStart[decision] as number);
  const logprob = Float32Array.from({ length: decisions }, (_, decision) => -Math.log(candidates(decision)));
  return {
    ...batch,
    chosen: Int32Array.from({ length: decisions }, (_, decision) => rng.int(candidates(decision))),
    advantage: Float32Array.from({ length: decisions }, () => 2 * rng.uniform() - 1),
    weight: new Float32Array(decisions).fill(1),
    behaviourLogprob: logprob,
    proximalLogprob: logprob,
  };
}
