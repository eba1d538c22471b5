import { reward, type Reward } from '../core/step.ts';
import type { RewardWeights } from './config.ts';
import type { Judgement } from './exercise.ts';

/**
 * The reward of a step: its cost, and at the end the value of the judgement; no value where nothing was
 * handed in.
 */
export function rewardOf(weights: RewardWeights, judgement?: Judgement | 'nothing'): Reward {
  const cost: Readonly<Record<string, number>> = weights.turn === 0 ? {} : { turn: -weights.turn };
  if (judgement === undefined) return reward(cost);
  const { share, solved, formed } =
    judgement === 'nothing' ? { share: 0, solved: false, formed: false } : judgement;
  return reward({
    tests: weights.tests * share,
    solved: solved ? weights.solved : 0,
    format: formed ? weights.format : 0,
    ...cost,
  });
}
