import { readStoredGroup, readUnlessDamaged } from '../../agents/rollout/store/skim-store.ts';
import {
  returnOf,
  scoreOf,
  type Stop,
  type Trajectory,
  type TrajectoryGroup,
} from '../../agents/rollout/trajectory.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { BatchCredit } from '../../trainers/credit/estimator.ts';
import type { ValidatedEstimator } from '../../trainers/credit/validation/validated-estimator.ts';
import { iterationOf } from '../../trainers/loop/iterations/iteration-label.ts';
import { describeDamage } from './describe-damage.ts';
import type { Selection } from './select-groups.ts';

/** One stored group. */
export interface GroupSummary {
  /** Its number among those that are selected, from 0. */
  readonly group: number;
  readonly iteration: number | undefined;
  readonly task: string;
  readonly family: string;
  readonly outcomes: readonly string[];
  readonly steps: number;
}

/**
 * Reads every selected group. Groups that cannot be read are listed as damage.
 * @throws UsageError where all groups are damaged
 */
export async function summariseGroups(
  { groups: stored, damage: hidden }: Selection,
  signal: AbortSignal,
): Promise<{ readonly groups: readonly GroupSummary[]; readonly damage: Selection['damage'] }> {
  const damage = [...hidden];
  const groups: GroupSummary[] = [];
  for (const [index, entry] of stored.entries()) {
    signal.throwIfAborted();
    const group = await readUnlessDamaged(entry);
    if (UsageError.is(group)) {
      damage.push({ ...entry, error: group });
      continue;
    }
    const { task, members } = group;
    groups.push({
      group: index,
      iteration: iterationOf(entry.label),
      task: `${task.panel}/${task.index}`,
      family: members[0]?.family ?? '',
      outcomes: members.map(({ stop }) => stopWord(stop)),
      steps: members.reduce((sum, member) => sum + member.steps.length, 0),
    });
  }
  const [first] = damage;
  if (first !== undefined && groups.length === 0) throw first.error;
  return { groups, damage };
}

/** Reads the whole group of that number. */
export async function readGroup(
  { name, groups, damage }: Selection,
  number: number,
): Promise<TrajectoryGroup> {
  const entry = groups[number];
  if (entry !== undefined) return readStoredGroup(entry);
  throw new UsageError({
    where: `group ${number} of ${name}`,
    what: `there are ${groups.length} groups${damage.length === 0 ? '' : ' that can be read'}.`,
    fix: [...describeDamage(damage), 'Count from 0.'].join(' '),
  });
}

/** One episode of a group. */
export interface EpisodeSummary {
  readonly member: number;
  readonly path: string;
  readonly agent: string;
  readonly outcome: string;
  readonly score: number;
  readonly return: number;
  readonly steps: number;
  /** Credit of the episode as a whole, where the estimator gives one. */
  readonly episodeAdvantage?: number;
  /** Mean credit of its steps, where the estimator gives none for the episode. */
  readonly meanAdvantage?: number;
}

/** The episodes of a group, with their credit where the estimator is known. */
export function summariseEpisodes(
  group: TrajectoryGroup,
  estimator: ValidatedEstimator | undefined,
): readonly EpisodeSummary[] {
  const credit = estimator?.assign([group]);
  return group.members.map((member, index) => ({
    member: index,
    path: member.path,
    agent: member.agent,
    outcome: stopWord(member.stop),
    score: scoreOf(member),
    return: returnOf(member),
    steps: member.steps.length,
    ...worthOf(credit, index),
  }));
}

export function memberOf(group: TrajectoryGroup, member: number): Trajectory {
  const trajectory = group.members[member];
  if (trajectory !== undefined) return trajectory;
  throw new UsageError({
    where: `member ${member}`,
    what: `the group has ${group.members.length}.`,
    fix: 'Count from 0.',
  });
}

/** The episode part of a member's credit or, where the estimator gives no parts, its mean advantage; nothing for a faulted episode. */
function worthOf(
  credit: BatchCredit | undefined,
  member: number,
): Pick<EpisodeSummary, 'episodeAdvantage' | 'meanAdvantage'> {
  const { advantage = new Float64Array(0), episode = [] } = credit?.groups[0]?.[member] ?? {};
  const [first] = episode;
  if (credit === undefined || first === undefined) return {};
  if (credit.hasParts) return { episodeAdvantage: first };
  return { meanAdvantage: advantage.reduce((sum, value) => sum + value, 0) / advantage.length };
}

/** How an episode ended, such as `failed (turn-limit)`. */
export function stopWord(stop: Stop): string {
  if (stop.kind === 'terminated')
    return stop.limit === undefined ? stop.outcome : `${stop.outcome} (${stop.limit})`;
  return stop.kind === 'truncated' ? `truncated (${stop.limit})` : `faulted (${stop.fault.kind})`;
}
