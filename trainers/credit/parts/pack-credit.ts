import type { BatchRows } from './batch-rows.ts';
import type { BatchCredit, TrajectoryCredit } from '../estimator.ts';
import { creditStatistics } from './statistics.ts';

/** The credit of a batch before it is cut into trajectories. */
export interface FlatCredit {
  /** Left out: the sum of the terms. */
  readonly advantage?: Float64Array; // (rows)
  readonly episode: Float64Array; // (rows)
  readonly step: Float64Array; // (rows)
  /** Weight of the step term. */
  readonly omega: number;
  readonly stepReturn: Float64Array; // (rows)
  readonly anchor: Int32Array; // (rows)
  readonly anchorSizes: Int32Array; // (anchors)
}

/** Adds the terms up, where that is not done, and cuts the columns into trajectories, whose arrays are views of them. */
export function packCredit(
  rows: BatchRows,
  credit: FlatCredit,
  statistics: Readonly<Record<string, number>> = {},
): BatchCredit {
  const { episode, step, omega, stepReturn, anchor } = credit;
  const advantage = credit.advantage ?? sumOfTerms(credit);
  const creditOf = (trajectory: number): TrajectoryCredit => {
    const start = rows.rowStart[trajectory] as number;
    const end = rows.rowStart[trajectory + 1] as number;
    return {
      advantage: advantage.subarray(start, end),
      episode: episode.subarray(start, end),
      step: step.subarray(start, end),
      anchor: anchor.subarray(start, end),
      stepReturn: stepReturn.subarray(start, end),
    };
  };
  const groups = rows.verdicts.map((_, group) => {
    const first = rows.trajectoryStart[group] as number;
    const members = (rows.trajectoryStart[group + 1] as number) - first;
    return Array.from({ length: members }, (_member, place) => creditOf(first + place));
  });
  return {
    groups,
    verdicts: rows.verdicts,
    anchorSizes: credit.anchorSizes,
    statistics: { ...statistics, ...creditStatistics(rows, { advantage, episode, step, omega, stepReturn }) },
  };
}

function sumOfTerms({ episode, step, omega }: FlatCredit): Float64Array {
  const advantage = new Float64Array(episode.length); // (rows)
  for (let row = 0; row < advantage.length; row += 1)
    advantage[row] = (episode[row] as number) + omega * (step[row] as number);
  return advantage;
}
