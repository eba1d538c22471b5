import { readUnlessDamaged } from '../../agents/rollout/store/skim-store.ts';
import { isSolved, returnOf, scoreOf } from '../../agents/rollout/trajectory.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { didYouMean, nearest } from '../../envs/core/near-miss.ts';
import { iterationOf } from '../../trainers/loop/iterations/iteration-label.ts';
import { stopWord, type GroupSummary } from './groups.ts';
import type { Selection } from './select-groups.ts';

/** Which of the stored episodes are wanted, and in which order. */
export interface EpisodePick {
  /** Only episodes that are not solved. */
  readonly failed: boolean;
  /** From the lowest return; else as stored. */
  readonly worst: boolean;
  /** Only tasks of this family. */
  readonly family?: string | undefined;
}

/** One episode of any group. */
export interface PickedEpisode extends Pick<GroupSummary, 'group' | 'iteration' | 'task' | 'family'> {
  readonly member: number;
  readonly agent: string;
  readonly outcome: string;
  readonly score: number;
  readonly return: number;
  readonly steps: number;
}

/** The picked episodes, and what they were picked from. */
export interface PickedEpisodes {
  readonly episodes: readonly PickedEpisode[];
  /** Episodes that could be read. */
  readonly of: number;
  readonly damage: Selection['damage'];
}

/**
 * Reads every selected group and picks episodes. Groups keep the numbers that they have in the selection.
 * @throws UsageError for a family that no episode has, and where all groups are damaged
 */
export async function pickEpisodes(
  { groups, damage: hidden }: Selection,
  pick: EpisodePick,
  signal: AbortSignal,
): Promise<PickedEpisodes> {
  const damage = [...hidden];
  const families = new Set<string>();
  const episodes: PickedEpisode[] = [];
  let of = 0;
  for (const [index, entry] of groups.entries()) {
    signal.throwIfAborted();
    const group = await readUnlessDamaged(entry);
    if (UsageError.is(group)) {
      damage.push({ ...entry, error: group });
      continue;
    }
    for (const [number, member] of group.members.entries()) {
      of += 1;
      families.add(member.family);
      if (pick.failed && isSolved(member)) continue;
      if (pick.family !== undefined && pick.family !== member.family) continue;
      episodes.push({
        group: index,
        member: number,
        iteration: iterationOf(entry.label),
        task: `${group.task.panel}/${group.task.index}`,
        family: member.family,
        agent: member.agent,
        outcome: stopWord(member.stop),
        score: scoreOf(member),
        return: returnOf(member),
        steps: member.steps.length,
      });
    }
  }
  const [first] = damage;
  if (first !== undefined && of === 0) throw first.error;
  if (pick.family !== undefined && of > 0 && !families.has(pick.family))
    throw unknownFamily(pick.family, [...families].toSorted());
  const ordered = pick.worst ? episodes.toSorted((a, b) => a.return - b.return) : episodes;
  return { episodes: ordered, of, damage };
}

const unknownFamily = (family: string, there: readonly string[]): UsageError =>
  new UsageError({
    where: `--family ${family}`,
    what: 'no stored episode is of that family.',
    fix: `${didYouMean(nearest(family, there))}There are those of ${there.join(', ')}.`,
  });
