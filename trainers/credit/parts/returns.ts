import type { BatchRows } from './batch-rows.ts';

/**
 * How the rollout's penalty for an unusable reply is charged. `own-step`: to that step only, after
 * discounting, as verl-agent does. `propagated`: like any other reward, so earlier steps share it.
 */
export type InvalidPenalty = 'own-step' | 'propagated';

/**
 * Discounted return of each step, R_t = r_t + gamma R_{t+1} (GiGPO, Eq. 5). NaN up to a trajectory's last
 * step without a reward: those returns are unknown.
 */
export function discountReturns(
  rows: BatchRows,
  gamma: number,
  invalidPenalty: InvalidPenalty,
): Float64Array {
  const { reward, penalty, rowStart } = rows;
  const returns = new Float64Array(rows.count); // (rows)
  const propagated = invalidPenalty === 'propagated';
  for (let trajectory = rowStart.length - 2; trajectory >= 0; trajectory -= 1) {
    const start = rowStart[trajectory] as number;
    let following = 0;
    for (let row = (rowStart[trajectory + 1] as number) - 1; row >= start; row -= 1) {
      const paid = reward[row] as number;
      const charge = penalty[row] as number;
      following = (propagated ? paid + charge : paid) + gamma * following;
      returns[row] = propagated ? following : following + charge;
    }
  }
  return returns;
}

/**
 * Score of the episode for each of its steps. `own-step`: the env's score plus the step's own penalty, so
 * rows of one episode may differ (verl-agent's row score). `propagated`: the score with all penalties. NaN in
 * an episode with an unrewarded step.
 */
export function episodeScores(rows: BatchRows, invalidPenalty: InvalidPenalty): Float64Array {
  const { reward, penalty, rowStart } = rows;
  const scores = new Float64Array(rows.count); // (rows)
  const propagated = invalidPenalty === 'propagated';
  for (let trajectory = 0; trajectory + 1 < rowStart.length; trajectory += 1) {
    const start = rowStart[trajectory] as number;
    const end = rowStart[trajectory + 1] as number;
    let score = 0;
    for (let row = start; row < end; row += 1) {
      score += reward[row] as number;
      if (propagated) score += penalty[row] as number;
    }
    for (let row = start; row < end; row += 1)
      scores[row] = propagated ? score : score + (penalty[row] as number);
  }
  return scores;
}
