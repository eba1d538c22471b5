import type { Audit } from '../core/env.ts';
import type { Rng } from '../core/rng.ts';
import { readCommand } from './command.ts';
import type { Goal } from './goals/goal.ts';
import { isPurchase } from './session.ts';
import type { Shop } from './shop.ts';
import { readPoint, withGoal } from './snapshot.ts';

/** Puts another goal behind the same instruction. What the agent sees must not change until it buys. */
export function swapGoalIn(
  shop: Shop,
  anyGoal: (rng: Rng) => Goal,
): NonNullable<Audit<string>['swapHidden']> {
  return (snapshot, rng) => {
    const { goal } = readPoint(snapshot, shop);
    return {
      snapshot: withGoal(snapshot, { ...anyGoal(rng), instruction: goal.instruction }),
      reveals: (action) => isPurchase(readCommand(action, shop)),
    };
  };
}
