import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { readRows, type BatchRows } from '../parts/batch-rows.ts';
import type { BatchCredit, CreditEstimator, GivenCredit, GivenTrajectoryCredit } from '../estimator.ts';
import { packCredit, type FlatCredit } from '../parts/pack-credit.ts';

/**
 * Makes the credit of a batch whole from what an estimator of a user's own said, which was found to have its shape: columns that it left
 * out, verdicts, sizes of anchors, and the figures that the metrics of every run have.
 */
export function completeCredit(
  groups: readonly TrajectoryGroup[],
  given: GivenCredit,
  compares: NonNullable<CreditEstimator['compares']>,
): BatchCredit {
  const rows = withVerdicts(readRows(groups), compares);
  const columns: FlatCredit = {
    episode: new Float64Array(rows.count),
    step: new Float64Array(rows.count),
    omega: 1,
    stepReturn: new Float64Array(rows.count).fill(Number.NaN),
    anchor: new Int32Array(rows.count).fill(-1),
    anchorSizes: new Int32Array(0),
  };
  const advantage = new Float64Array(rows.count);
  const members = given.groups.flat();
  for (let trajectory = 0; trajectory < members.length; trajectory += 1)
    fillRows(
      columns,
      advantage,
      rows.rowStart[trajectory] as number,
      members[trajectory] as GivenTrajectoryCredit,
    );
  const { statistics, ...credit } = packCredit(rows, {
    ...columns,
    advantage,
    anchorSizes: sizesOf(columns.anchor),
  });
  const tellsParts = members.some(({ episode, step }) => episode !== undefined || step !== undefined);
  const told = tellsParts
    ? credit.groups
    : credit.groups.map((all) => all.map((member) => ({ ...member, tellsParts })));
  return {
    ...credit,
    groups: told,
    statistics: { ...given.statistics, ...(tellsParts ? statistics : withoutParts(statistics)) },
  }; // counts of the trainer's own are right, those of an estimator within another may be the inner one's
}

/** Figures of the two terms say something only of an estimator that has them. */
function withoutParts({
  'credit/groups-zero-episode': _zero,
  'credit/step-share': _share,
  ...others
}: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return others;
}

/** An episode that is alone in its group has still the rest of a batch to be compared with. */
function withVerdicts(rows: BatchRows, compares: NonNullable<CreditEstimator['compares']>): BatchRows {
  if (compares === 'group') return rows;
  return {
    ...rows,
    verdicts: rows.verdicts.map((verdict) => (verdict === 'single-survivor' ? 'credited' : verdict)),
  };
}

function fillRows(
  columns: FlatCredit,
  advantage: Float64Array,
  start: number,
  credit: GivenTrajectoryCredit,
): void {
  for (let step = 0; step < credit.advantage.length; step += 1) {
    const row = start + step;
    const whole = credit.advantage[step] as number;
    const ofEpisode = credit.episode?.[step] ?? 0;
    advantage[row] = whole;
    columns.episode[row] = ofEpisode;
    columns.step[row] = credit.step?.[step] ?? whole - ofEpisode;
    if (credit.anchor !== undefined) columns.anchor[row] = credit.anchor[step] as number;
    if (credit.stepReturn !== undefined) columns.stepReturn[row] = credit.stepReturn[step] as number;
  }
}

function sizesOf(anchor: Int32Array): Int32Array {
  let anchors = 0;
  for (const number of anchor) anchors = Math.max(anchors, number + 1);
  const sizes = new Int32Array(anchors);
  for (const number of anchor) if (number >= 0) sizes[number] = (sizes[number] as number) + 1;
  return sizes;
}
