import type { TrajectoryOutput } from '../estimator.ts';
import type { BatchRows } from './batch-rows.ts';

/** The credit of a batch in flat columns. */
export interface CreditColumns {
  readonly advantage: Float64Array; // (rows)
  readonly episode: Float64Array; // (rows)
  readonly step: Float64Array; // (rows)
  readonly stepReturn: Float64Array; // (rows)
  /** By the name of the grouping. */
  readonly anchors?: Readonly<Record<string, Int32Array>>; // (rows) each
}

/** Splits columns into trajectories, indexed [group][member]. Their arrays are views of the columns. */
export function splitColumns(
  rows: BatchRows,
  { advantage, episode, step, stepReturn, anchors = {} }: CreditColumns,
): readonly (readonly TrajectoryOutput[])[] {
  const groupings = Object.entries(anchors);
  const outputOf = (trajectory: number): TrajectoryOutput => {
    const start = rows.rowStart[trajectory] as number;
    const end = rows.rowStart[trajectory + 1] as number;
    const ofTrajectory: Record<string, Int32Array> = {};
    for (const [name, ofRow] of groupings) ofTrajectory[name] = ofRow.subarray(start, end);
    return {
      advantage: advantage.subarray(start, end),
      episode: episode.subarray(start, end),
      step: step.subarray(start, end),
      anchors: ofTrajectory,
      stepReturn: stepReturn.subarray(start, end),
    };
  };
  return rows.verdicts.map((_, group) => {
    const first = rows.trajectoryStart[group] as number;
    const members = (rows.trajectoryStart[group + 1] as number) - first;
    return Array.from({ length: members }, (_member, place) => outputOf(first + place));
  });
}

/** The advantage of two terms: `episode + omega * step` (GiGPO, Eq. 8). */
export function sumOfTerms(episode: Float64Array, step: Float64Array, omega: number): Float64Array {
  const advantage = new Float64Array(episode.length); // (rows)
  for (let row = 0; row < advantage.length; row += 1)
    advantage[row] = (episode[row] as number) + omega * (step[row] as number);
  return advantage;
}
