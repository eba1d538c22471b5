import { isSolved, type Trajectory } from '../../agents/rollout/trajectory.ts';
import { familySuccessFigure } from '../run-folder/metrics-schema.ts';

/** Share of the latest episodes of each family that was solved, newer ones counting more; families not yet played are not in it. */
export type FamilySuccess = Readonly<Record<string, number>>;

/** What a family is taken for before its first episode. */
export const unknownSuccess = 0.5;

/**
 * A running mean over about `memory` episodes of each family, moved by `episodes` in their order. Faulted ones tell nothing.
 * @param memory in episodes, at least 1
 */
export function successAfter(before: FamilySuccess, episodes: readonly Trajectory[], memory: number): FamilySuccess {
  const after = new Map(Object.entries(before));
  for (const episode of episodes) {
    if (episode.stop.kind === 'faulted') continue;
    const known = after.get(episode.family) ?? unknownSuccess;
    after.set(episode.family, known + ((isSolved(episode) ? 1 : 0) - known) / memory);
  }
  return Object.fromEntries(after);
}

/** Families beyond which a line of metrics would be about little else. */
const mostInFigures = 24;

/** As figures of an iteration; none where there are too many families to read. */
export function successFigures(success: FamilySuccess): Readonly<Record<string, number>> {
  const families = Object.entries(success);
  return families.length > mostInFigures ? {} : Object.fromEntries(families.map(([family, rate]) => [`${familySuccessFigure}${family}`, rate]));
}

const prefix = 'family-success/';

/** As counters of a checkpoint. */
export function successCounters(success: FamilySuccess): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(success).map(([family, rate]) => [`${prefix}${family}`, rate]));
}

/** What the counters of a checkpoint tell of it. */
export function successFrom(counters: Readonly<Record<string, number>>): FamilySuccess {
  return Object.fromEntries(Object.entries(counters).flatMap(([name, rate]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), rate] as const] : [])));
}
