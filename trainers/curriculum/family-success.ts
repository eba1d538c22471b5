import { isSolved, type Trajectory } from '../../agents/rollout/trajectory.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { familySuccessFigure } from '../run/metrics-schema.ts';

/**
 * An estimate, for drawing tasks, of the share of each family's episodes that is solved: a running mean that begins at
 * {@link unknownSuccess}, newer episodes counting more. Families not yet played are not in it.
 */
export type FamilySuccess = ReadonlyMap<string, number>;

/** What a family is taken for before its first episode. */
export const unknownSuccess = 0.5;

/**
 * A running mean over about `memory` episodes of each family, moved by `episodes` in their order. Faulted ones tell nothing.
 * @param memory in episodes, at least 1
 */
export function successAfter(
  before: FamilySuccess,
  episodes: readonly Trajectory[],
  memory: number,
): FamilySuccess {
  const after = new Map(before);
  for (const episode of episodes) {
    if (episode.stop.kind === 'faulted') continue;
    const known = after.get(episode.family) ?? unknownSuccess;
    after.set(episode.family, known + ((isSolved(episode) ? 1 : 0) - known) / memory);
  }
  return after;
}

/** Families beyond which a line of metrics would be about little else. */
const mostInFigures = 24;

/** The share of these episodes that was solved, by family, as figures of an iteration; none where there are too many families to read. */
export function successFigures(episodes: readonly Trajectory[]): Readonly<Record<string, number>> {
  const played = new Map<string, { episodes: number; solved: number }>();
  for (const episode of episodes) {
    if (episode.stop.kind === 'faulted') continue;
    const of = played.get(episode.family) ?? { episodes: 0, solved: 0 };
    played.set(episode.family, {
      episodes: of.episodes + 1,
      solved: of.solved + (isSolved(episode) ? 1 : 0),
    });
  }
  if (played.size > mostInFigures) return {};
  return Object.fromEntries(
    [...played].map(([family, of]) => [`${familySuccessFigure}${family}`, of.solved / of.episodes]),
  );
}

const prefix = 'family-success/';

/** As counters of a checkpoint. */
export function successCounters(success: FamilySuccess): Readonly<Record<string, number>> {
  return Object.fromEntries([...success].map(([family, rate]) => [`${prefix}${family}`, rate]));
}

/** What the counters of a checkpoint tell of it. A number that is no share is a `UsageError`. */
export function successFrom(counters: Readonly<Record<string, number>>): FamilySuccess {
  const success = new Map<string, number>();
  for (const [name, rate] of Object.entries(counters)) {
    if (!name.startsWith(prefix)) continue;
    if (!(rate >= 0 && rate <= 1))
      throw new UsageError({
        where: `counter ${name} of a checkpoint`,
        what: `${rate} is no share of episodes.`,
        mend: 'The checkpoint was changed since: restore it, or delete it to go on from an older one.',
      });
    success.set(name.slice(prefix.length), rate);
  }
  return success;
}
