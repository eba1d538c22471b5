import type { Anchors } from './anchors.ts';
import { rowsOfGroup, type BatchRows } from './batch-rows.ts';
import { compareWithPeers, type PeerRule } from './peers.ts';
import { episodeScores, type InvalidPenalty } from './returns.ts';

/**
 * What the episode statistics count. `rows`: every step of every member, so long episodes weigh more
 * (verl-agent's `compute_mean_std_cross_steps`). `trajectories`: every member once; its steps share its
 * weight.
 */
export type EpisodeWeighting = 'rows' | 'trajectories';

export interface EpisodeRule extends PeerRule {
  readonly episodeWeighting: EpisodeWeighting;
  readonly invalidPenalty: InvalidPenalty;
}

/**
 * Advantage of each step's episode within its group (GiGPO, Eq. 3; GRPO). An episode with an unrewarded step
 * has no score: it is excluded and gets 0, and so does a group with fewer than two scores.
 */
export function episodeTerm(rows: BatchRows, rule: EpisodeRule): Float64Array {
  const { rowStart, trajectoryStart, verdicts } = rows;
  const values = episodeScores(rows, rule.invalidPenalty);
  const weights = new Float64Array(rows.count); // (rows)
  const peers = new Int32Array(rows.count).fill(-1);
  const self = new Int32Array(rows.count);
  for (let group = 0; group < verdicts.length; group += 1) {
    const first = trajectoryStart[group] as number;
    const next = trajectoryStart[group + 1] as number;
    let scored = 0;
    for (let trajectory = first; trajectory < next; trajectory += 1) {
      const start = rowStart[trajectory] as number;
      const end = rowStart[trajectory + 1] as number;
      self.fill(trajectory, start, end);
      if (start === end || Number.isNaN(values[start])) continue;
      weights.fill(rule.episodeWeighting === 'rows' ? 1 : 1 / (end - start), start, end);
      scored += 1;
    }
    if (scored > 1) peers.fill(group, ...rowsOfGroup(rows, group));
  }
  return compareWithPeers(
    { values, peers, groups: verdicts.length, weights, self, selves: rowStart.length - 1 },
    rule,
  );
}

export interface StepRule extends PeerRule {
  /** `first`: only a trajectory's first visit of an anchor is compared; later visits get 0. */
  readonly visits: 'every' | 'first';
}

/**
 * Advantage of each step's return among the steps with the same anchor (GiGPO, Eq. 7). Steps without a key,
 * alone at their anchor, or with an unknown return get 0. Steps with an unknown return are also excluded from
 * the statistics of the others.
 */
export function stepTerm(
  rows: BatchRows,
  anchors: Anchors,
  returns: Float64Array,
  rule: StepRule,
): Float64Array {
  const weights = new Float64Array(rows.count); // (rows)
  for (let row = 0; row < rows.count; row += 1) {
    const counts = rule.visits === 'every' || anchors.revisit[row] === 0;
    weights[row] = counts && !Number.isNaN(returns[row]) ? 1 : 0;
  }
  const peers = anchors.ofRow.slice();
  rows.verdicts.forEach((verdict, group) => {
    if (verdict !== 'credited') peers.fill(-1, ...rowsOfGroup(rows, group));
  });
  const { visitor: self, visitors: selves, sizes } = anchors;
  return compareWithPeers({ values: returns, peers, groups: sizes.length, weights, self, selves }, rule);
}
