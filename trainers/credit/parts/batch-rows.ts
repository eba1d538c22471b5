import type { Trajectory, TrajectoryGroup, TrajectoryStep } from '../../../agents/rollout/trajectory.ts';
import { RunError, UsageError } from '../../../envs/core/errors.ts';
import type { GroupVerdict } from '../estimator.ts';

/**
 * A batch laid flat: one row a step, trajectory after trajectory, group after group. A faulted trajectory has no rows,
 * which is what makes it inert.
 */
export interface BatchRows {
  readonly count: number;
  /** Trajectories before each group, and then all of them. */
  readonly trajectoryStart: Int32Array; // (groups + 1)
  /** Rows before each trajectory, and then all of them. */
  readonly rowStart: Int32Array; // (trajectories + 1)
  /** What the env paid; NaN where it was never scored. */
  readonly reward: Float64Array; // (rows)
  /** What is added for the penalty of the step: 0 or negative. */
  readonly penalty: Float64Array; // (rows)
  readonly verdicts: readonly GroupVerdict[]; // (groups)
  /** How many trajectories faulted. */
  readonly faulted: number;
}

/**
 * Lays a batch flat. Throws a {@link RunError} on a reward that is not finite, and a {@link UsageError} on a trajectory
 * in which several seats acted, whose rewards must not be summed.
 */
export function readRows(groups: readonly TrajectoryGroup[]): BatchRows {
  const bounds = countRows(groups);
  const rows = { reward: new Float64Array(bounds.count), penalty: new Float64Array(bounds.count) };
  let row = 0;
  for (const { members } of groups) {
    for (const member of members) if (!isFaulted(member)) row = readRewards(member, row, rows);
  }
  return { ...bounds, ...rows };
}

function countRows(groups: readonly TrajectoryGroup[]): Omit<BatchRows, 'reward' | 'penalty'> {
  const trajectories = groups.reduce((sum, group) => sum + group.members.length, 0);
  const trajectoryStart = new Int32Array(groups.length + 1);
  const rowStart = new Int32Array(trajectories + 1);
  const verdicts: GroupVerdict[] = [];
  let count = 0;
  let trajectory = 0;
  let faulted = 0;
  for (const { members } of groups) {
    let survivors = 0;
    for (const member of members) {
      if (isFaulted(member)) faulted += 1;
      else if (member.steps.length > 0) {
        survivors += 1;
        count += member.steps.length;
      }
      trajectory += 1;
      rowStart[trajectory] = count;
    }
    verdicts.push(survivors > 1 ? 'credited' : survivors === 1 ? 'single-survivor' : 'all-faulted');
    trajectoryStart[verdicts.length] = trajectory;
  }
  return { count, trajectoryStart, rowStart, verdicts, faulted };
}

/** What every credit is completed with: the facts of a batch that do not depend on how credit is given. */
export interface BatchScan {
  readonly verdicts: readonly GroupVerdict[]; // (groups)
  /** Steps of trajectories that did not fault. */
  readonly steps: number;
  /** Trajectories that faulted. */
  readonly faulted: number;
  /** Trajectories without a fault that have no steps, or a step that was never scored. */
  readonly unscored: number;
}

/**
 * Scans a batch without laying it flat. Throws like {@link readRows} on rewards that are not finite and on several seats, which estimators
 * need not look at.
 */
export function scanBatch(groups: readonly TrajectoryGroup[]): BatchScan {
  const { verdicts, count, faulted } = countRows(groups);
  let unscored = 0;
  for (const { members } of groups) {
    for (const member of members) if (!isFaulted(member) && !isScored(member)) unscored += 1;
  }
  return { verdicts, steps: count, faulted, unscored };
}

/** Whether all steps of an episode were scored, and there are some. */
function isScored(trajectory: Trajectory): boolean {
  const { steps } = trajectory;
  const seat = steps[0]?.seat;
  let scored = steps.length > 0;
  for (let index = 0; index < steps.length; index += 1) {
    const { seat: other, reward, penalty = 0 } = steps[index] as TrajectoryStep;
    if (other !== seat) throw severalSeats(trajectory);
    if (reward === undefined) scored = false;
    else if (!Number.isFinite(reward.total - penalty)) throw notFinite(trajectory, index, reward.total);
  }
  return scored;
}

/** First row of a group, and the first after it. */
export function rowsOfGroup(
  { trajectoryStart, rowStart }: BatchRows,
  group: number,
): [start: number, end: number] {
  return [
    rowStart[trajectoryStart[group] as number] as number,
    rowStart[trajectoryStart[group + 1] as number] as number,
  ];
}

/** A faulted episode says nothing of the policy, however far it got. */
export const isFaulted = (trajectory: Trajectory): boolean => trajectory.stop.kind === 'faulted';

/** Refuses, with a `UsageError`, episodes in which several seats acted. */
export function assertOneSeat(groups: readonly TrajectoryGroup[]): void {
  for (const member of groups.flatMap(({ members }) => members)) {
    if (member.steps.some(({ seat }) => seat !== member.steps[0]?.seat)) throw severalSeats(member);
  }
}

/** Fills the rows of one trajectory and returns the first row after them. */
function readRewards(
  trajectory: Trajectory,
  start: number,
  rows: Pick<BatchRows, 'reward' | 'penalty'>,
): number {
  const { steps } = trajectory;
  const seat = steps[0]?.seat;
  let row = start;
  for (const step of steps) {
    if (step.seat !== seat) throw severalSeats(trajectory);
    const { reward, penalty = 0 } = step;
    if (reward !== undefined && !Number.isFinite(reward.total - penalty))
      throw notFinite(trajectory, row - start, reward.total);
    rows.reward[row] = reward?.total ?? Number.NaN;
    rows.penalty[row] = 0 - penalty;
    row += 1;
  }
  return row;
}

function notFinite(trajectory: Trajectory, step: number, total: number): RunError {
  return new RunError({
    where: `step ${step + 1} of ${trajectory.path} in ${trajectory.env.id}`,
    what: `its reward is ${total}, and no credit can be given for it.`,
    fix: 'Fix the env: it must pay finite rewards, or leave a step unscored.',
  });
}

function severalSeats(trajectory: Trajectory): UsageError {
  return new UsageError({
    where: `credit for ${trajectory.path} in ${trajectory.env.id}`,
    what: 'several seats acted in it, and their rewards are not one return.',
    fix: 'Split it into one trajectory a seat before credit is given.',
  });
}
