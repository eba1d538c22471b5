import type { GroupResult } from '../../../agents/rollout/rollout-plan.ts';
import {
  isSolved,
  returnOf,
  scoreOf,
  type Trajectory,
  type TrajectoryStep,
} from '../../../agents/rollout/trajectory.ts';

/**
 * Figures of an iteration's rollouts. Means are over episodes without a fault; undefined if there are none.
 */
export interface RolloutFigures {
  readonly environmentSteps: number;
  readonly episodes: number;
  /** Episodes that still faulted after all retries. */
  readonly faulted: number;
  readonly success: number | undefined;
  readonly return: number | undefined;
  readonly score: number | undefined;
  readonly episodeLength: number | undefined;
  readonly figures: Readonly<Record<string, number>>;
}

export function rolloutFigures(results: readonly GroupResult<unknown, unknown>[]): RolloutFigures {
  const members = results.flatMap(({ group }) => group.members);
  const ended = members.filter(({ stop }) => stop.kind !== 'faulted');
  const left = members.filter(({ stop }) => stop.kind === 'faulted');
  const replaced = results.flatMap((result) => result.replaced);
  const steps = ended.flatMap((trajectory) => trajectory.steps);
  const unpaid = unpaidSolves(
    results.map(({ group }) => group.members.filter(({ stop }) => stop.kind !== 'faulted')),
  );
  const share = (count: number): number => (steps.length === 0 ? 0 : count / steps.length);
  return {
    environmentSteps: sum([...members, ...replaced], ({ steps: { length } }) => length),
    episodes: members.length,
    faulted: left.length,
    success: mean(ended, (trajectory) => (isSolved(trajectory) ? 1 : 0)),
    return: mean(ended, returnOf),
    score: mean(ended, scoreOf),
    episodeLength: mean(ended, (trajectory) => trajectory.steps.length),
    figures: {
      'rollout/inadmissible-rate': share(steps.filter(({ verdict }) => verdict === 'inadmissible').length),
      'rollout/malformed-rate': share(steps.filter(({ verdict }) => verdict === 'malformed').length),
      'rollout/repeated-rate': share(sum(ended, repeats)),
      ...(unpaid === 0 ? {} : { 'rollout/solved-unpaid': unpaid }),
      'faults/share': left.length / Math.max(1, members.length),
      ...(left.length === 0 ? {} : { 'faults/count': left.length }),
      ...(replaced.length === 0 ? {} : { 'faults/retried': replaced.length }),
      ...faultsByLength([...left, ...replaced]),
    },
  };
}

/**
 * Counts solved episodes to which the env paid no more than to the failed ones of their group, on average. If
 * no group has both, the whole iteration is compared. Such rewards cannot teach to solve a task.
 */
function unpaidSolves(groups: readonly (readonly Trajectory[])[]): number {
  const hasBoth = (members: readonly Trajectory[]): boolean =>
    members.some(isSolved) && !members.every(isSolved);
  const mixed = groups.filter(hasBoth);
  const compared = mixed.length > 0 ? mixed : [groups.flat()].filter(hasBoth);
  return sum(compared, (members) => {
    const failed =
      mean(
        members.filter((member) => !isSolved(member)),
        scoreOf,
      ) ?? 0;
    return members.filter((member) => isSolved(member) && scoreOf(member) <= failed + 1e-9).length;
  });
}

/** Counts steps that repeat an earlier action after the same observation: a sign of going in circles. */
function repeats(trajectory: Trajectory): number {
  const seen = new Set<string>();
  let count = 0;
  for (const step of trajectory.steps) {
    const key = `${JSON.stringify(step.observation)}\n${actionWords(step)}`;
    if (seen.has(key)) count += 1;
    seen.add(key);
  }
  return count;
}

function actionWords({ decision, reply }: TrajectoryStep): string {
  if (decision?.kind === 'choice') return decision.candidates[decision.index] ?? '';
  return reply.kind === 'action' ? JSON.stringify(reply.action) : reply.text;
}

/** Fault counts by episode length. Faults that favour long episodes would bias training. */
function faultsByLength(faulted: readonly Trajectory[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { steps } of faulted) {
    const name =
      steps.length === 0
        ? 'at-start'
        : steps.length <= 10
          ? 'within-10-steps'
          : steps.length <= 30
            ? 'within-30-steps'
            : 'later';
    counts[`faults/${name}`] = (counts[`faults/${name}`] ?? 0) + 1;
  }
  return counts;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

function mean<T>(items: readonly T[], of: (item: T) => number): number | undefined {
  return items.length === 0 ? undefined : sum(items, of) / items.length;
}
