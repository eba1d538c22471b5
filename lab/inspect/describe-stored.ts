import type { StoredGroup } from '../../agents/rollout/store/skim-store.ts';
import { mostBytesRead } from './damaged-groups.ts';
import { isFailedStore } from '../../trainers/run/checkpoint-names.ts';
import { describeNumbers, plural } from '../../trainers/results/number-words.ts';
import type { StoredIterations } from './stored-episodes.ts';

/** The groups of one store, and what they are of the run's iterations. */
export interface StoreSurvey extends StoredIterations {
  readonly store: string;
  readonly groups: readonly StoredGroup[];
  /** Whether every byte was looked at, for damage; else the beginning of each group was. */
  readonly isReadThrough: boolean;
}

/** The same as plain JSON. */
export function storeDocument({
  store,
  groups,
  isReadThrough,
  stored,
  rotatedAway,
  lost,
}: StoreSurvey): Readonly<Record<string, unknown>> {
  return {
    store,
    groups: groups.length,
    episodes: episodesOf(groups),
    bytes: bytesOf(groups),
    isReadThrough,
    iterations: [...stored.keys()],
    rotatedAway,
    lost,
  };
}

/** What is there, what is not and why, and how to see it. */
export function describeStored(survey: StoreSurvey, folder: string): readonly string[] {
  const { store, groups, isReadThrough, stored, rotatedAway, lost, groupsEach, kept } = survey;
  const iterations = [...stored.keys()];
  const latest = iterations.at(-1);
  const size = `${store}: ${episodesOf(groups)} ${plural(episodesOf(groups), 'episode')} in ${groups.length} ${plural(groups.length, 'group')}, ${(bytesOf(groups) / 1e6).toFixed(1)} MB`;
  const unread = isReadThrough
    ? []
    : [
        `not read through for damage, being more than ${mostBytesRead / 2 ** 20} MiB: npx cairn-gym export ${folder} --store ${store} --what episodes reads all of it`,
      ];
  const gone =
    lost.length === 0
      ? []
      : [
          `lost: ${plural(lost.length, 'iteration')} ${describeNumbers(lost)}, of which nothing can be read any more`,
        ];
  if (latest === undefined)
    return [
      size,
      ...unread,
      ...gone,
      ...(isFailedStore(store)
        ? [`to see them: npx cairn-gym inspect ${folder} --failed --store ${store}`]
        : []),
    ];
  const every = kept === undefined || kept.every === 1 ? '' : ` (trajectories.every is ${kept.every})`;
  const parts = [...stored].filter(([, count]) => groupsEach !== undefined && count < groupsEach);
  return [
    size,
    ...unread,
    `iterations ${describeNumbers(iterations)}${every}`,
    ...parts.map(([iteration, count]) => `of iteration ${iteration} only ${count} of ${groupsEach} groups`),
    ...(rotatedAway.length === 0
      ? []
      : [
          `rotated away: iterations ${describeNumbers(rotatedAway)}; beyond ${kept?.maxMegabytes} MiB (trajectories.maxMegabytes) the oldest go`,
        ]),
    ...gone,
    `to see them: npx cairn-gym inspect ${folder} --iteration ${latest}`,
  ];
}

const bytesOf = (groups: readonly StoredGroup[]): number => groups.reduce((sum, { bytes }) => sum + bytes, 0);

const episodesOf = (groups: readonly StoredGroup[]): number =>
  groups.reduce((sum, { members }) => sum + members, 0);
