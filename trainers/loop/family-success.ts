import { isSolved, type Trajectory } from '../../agents/rollout/trajectory.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { familySuccessFigure } from '../run-folder/metrics-schema.ts';

/** Share of the latest episodes of each family that was solved, newer ones counting more; families not yet played are not in it. */
export type FamilySuccess = ReadonlyMap<string, number>;

/** What a family is taken for before its first episode. */
export const unknownSuccess = 0.5;

/**
 * A running mean over about `memory` episodes of each family, moved by `episodes` in their order. Faulted ones tell nothing.
 * @param memory in episodes, at least 1
 */
export function successAfter(before: FamilySuccess, episodes: readonly Trajectory[], memory: number): FamilySuccess {
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

/** As figures of an iteration; none where there are too many families to read. */
export function successFigures(success: FamilySuccess): Readonly<Record<string, number>> {
  return success.size > mostInFigures ? {} : Object.fromEntries([...success].map(([family, rate]) => [`${familySuccessFigure}${family}`, rate]));
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
    if (!(rate >= 0 && rate <= 1)) throw new UsageError({ where: `counter ${name} of a checkpoint`, what: `${rate} is no share of episodes.`, mend: 'The checkpoint was changed since: restore it, or delete it to go on from an older one.' });
    success.set(name.slice(prefix.length), rate);
  }
  return success;
}
