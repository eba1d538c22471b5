import type { Trajectory, TrajectoryGroup, TrajectoryStep } from '../../../agents/rollout/trajectory.ts';
import { RunError, UsageError } from '../../../envs/core/errors.ts';
import type { GroupVerdict } from '../estimator.ts';

/**
 * A flattened batch: one row for each step, trajectory after trajectory, group after group. A faulted
 * trajectory has no rows and thus no effect.
 */
export interface BatchRows {
  readonly count: number;
  /** Index of each group's first trajectory, followed by the total. */
  readonly trajectoryStart: Int32Array; // (groups + 1)
  /** Index of each trajectory's first row, followed by the total. */
  readonly rowStart: Int32Array; // (trajectories + 1)
  /** The env's reward; NaN if the step has none. */
  readonly reward: Float64Array; // (rows)
  /** Term for the penalty of the step: 0 or negative. */
  readonly penalty: Float64Array; // (rows)
  readonly verdicts: readonly GroupVerdict[]; // (groups)
  /** How many trajectories faulted. */
  readonly faulted: number;
}

/**
 * Flattens a batch. @throws RunError for a reward that is not finite
 * @throws UsageError for a trajectory with several acting seats, whose rewards must not be summed
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

/** The facts of a batch that complete any credit and do not depend on the estimator. */
export interface BatchScan {
  readonly verdicts: readonly GroupVerdict[]; // (groups)
  /** Steps of trajectories that did not fault. */
  readonly steps: number;
  /** Trajectories that faulted. */
  readonly faulted: number;
  /** Trajectories without a fault that have no steps, or a step without a reward. */
  readonly unscored: number;
}

/**
 * Scans a batch without flattening it. Throws like {@link readRows} for non-finite rewards and several seats,
 * which estimators need not check.
 */
export function scanBatch(groups: readonly TrajectoryGroup[]): BatchScan {
  const { verdicts, count, faulted } = countRows(groups);
  let unscored = 0;
  for (const { members } of groups) {
    for (const member of members) if (!isFaulted(member) && !isScored(member)) unscored += 1;
  }
  return { verdicts, steps: count, faulted, unscored };
}

/** Whether an episode has steps and all have rewards. */
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

/** A faulted episode is no evidence about the policy, however long it was. */
export const isFaulted = (trajectory: Trajectory): boolean => trajectory.stop.kind === 'faulted';

/** Refuses episodes with several acting seats. @throws UsageError */
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
    what: `its reward is ${total}, so credit cannot be assigned.`,
    fix: 'Fix the env: it must pay finite rewards, or no reward for a step.',
  });
}

function severalSeats(trajectory: Trajectory): UsageError {
  return new UsageError({
    where: `credit for ${trajectory.path} in ${trajectory.env.id}`,
    what: 'several seats acted in it, and their rewards cannot be summed.',
    fix: 'Split it into one trajectory for each seat before credit is assigned.',
  });
}
