import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { hasNoAdvantage } from '../../credit/parts/credit-statistics.ts';
import type { ChoiceBatch } from '../../../models/choice/choice-batch.ts';
import { ChoiceRows } from '../../../models/encode/choice-rows.ts';
import type { CreditedGroups, UpdateSettings } from '../policy.ts';
import type { ChoiceScorer, TurnReader } from './choice-scorer.ts';

/** The decisions of an iteration, packed for the model. All arrays but the batch's own have one entry a decision. */
export interface PackedChoices {
  readonly batch: ChoiceBatch;
  readonly chosen: Int32Array; // (B)
  readonly advantage: Float32Array; // (B)
  readonly behaviourLogprob: Float32Array; // (B)
}

/**
 * The one place where trajectories become rows: every decision of every trajectory that has credit, once, in order. Groups
 * whose advantages are all zero are left out unless they are to be kept.
 */
export function packChoices(
  { groups, credit, zeroAdvantage }: CreditedGroups & Pick<UpdateSettings, 'zeroAdvantage'>,
  scorer: ChoiceScorer,
  reader: TurnReader,
): PackedChoices {
  const rows = new ChoiceRows(scorer.model.config.buckets);
  const chosen: number[] = [];
  const advantage: number[] = [];
  const behaviourLogprob: number[] = [];
  for (const [groupIndex, group] of groups.entries()) {
    const credits = credit.groups[groupIndex] ?? [];
    if (zeroAdvantage === 'leave-out' && hasNoAdvantage(credits)) continue;
    for (const [member, trajectory] of group.members.entries()) {
      const steps = credits[member]?.advantage ?? [];
      if (steps.length === 0) continue;
      scorer.encodeTrajectory(trajectory, reader, rows);
      for (const [index, step] of trajectory.steps.entries()) {
        if (step.decision?.kind !== 'choice') continue;
        chosen.push(step.decision.index);
        advantage.push(steps[index] ?? 0);
        behaviourLogprob.push(step.decision.logprob);
      }
    }
  }
  return {
    batch: rows.pack(),
    chosen: Int32Array.from(chosen),
    advantage: Float32Array.from(advantage),
    behaviourLogprob: Float32Array.from(behaviourLogprob),
  };
}

/** The decisions of demonstrations, each to be imitated. */
export function packDemonstrations(
  groups: readonly TrajectoryGroup[],
  scorer: ChoiceScorer,
  reader: TurnReader,
): Pick<PackedChoices, 'batch' | 'chosen'> {
  const rows = new ChoiceRows(scorer.model.config.buckets);
  const chosen: number[] = [];
  for (const { members } of groups) {
    for (const trajectory of members) {
      scorer.encodeTrajectory(trajectory, reader, rows);
      for (const step of trajectory.steps)
        if (step.decision?.kind === 'choice') chosen.push(step.decision.index);
    }
  }
  return { batch: rows.pack(), chosen: Int32Array.from(chosen) };
}
