import * as fileSystem from 'node:fs/promises';
import {
  skimTrajectories,
  skimTrajectoryFile,
  type StoredGroup,
} from '../../agents/rollout/store/skim-store.ts';
import { listStoreFiles, storeFileNumber } from '../../agents/rollout/store/store-files.ts';
import type { DamagedStretch, TornTail } from '../../agents/rollout/store/walk-groups.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { trainConfigSchema, type TrainConfig } from '../../trainers/config/config.ts';
import { describeNumbers } from '../../trainers/results/number-words.ts';
import { isStored } from '../../trainers/loop/iterations/iteration.ts';
import { iterationOf } from '../../trainers/loop/iterations/iteration-label.ts';
import { storeName } from '../../trainers/run/checkpoint-names.ts';
import { chooseStore } from '../read/trajectory-stores.ts';
import { describeDamage } from './describe-damage.ts';
import type { EpisodePlace } from './episode-place.ts';

/** Where episodes are looked for, and who hears of a group that was never finished. */
export interface EpisodeSource {
  readonly path: string;
  /** What the path holds. */
  readonly place: EpisodePlace;
  readonly store: string | undefined;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** The stored content, as far as it is known without reading any group completely. */
export interface SkimmedEpisodes {
  /** In the order in which they were written. */
  readonly groups: readonly StoredGroup[];
  /** What hides groups, or hides what they are of. */
  readonly damage: readonly DamagedStretch[];
  /** Number of the oldest file. */
  readonly oldestFile: number;
  /** Name of the store; undefined of a single file. */
  readonly store: string | undefined;
}

/**
 * Scans everything stored. The caller reports damage.
 * @throws UsageError if nothing can be read because of damage
 */
export async function skimEpisodes({
  path,
  place,
  store,
  say,
  signal,
}: EpisodeSource): Promise<SkimmedEpisodes> {
  const damage: DamagedStretch[] = [];
  const listener = {
    onTornTail: ({ file, bytes }: TornTail): void =>
      say(`${file}: its last group was never finished, ${bytes} bytes are left out`),
    onDamage: (stretch: DamagedStretch): void => void damage.push(stretch),
  };
  const of =
    place.kind === 'file'
      ? undefined
      : { folder: place.folder, name: await chooseStore(place.folder, store) };
  const stored =
    of === undefined ? skimTrajectoryFile(path, listener) : skimTrajectories(of.folder, of.name, listener);
  const groups: StoredGroup[] = [];
  for await (const group of stored) {
    signal.throwIfAborted();
    groups.push(group);
  }
  const [first] = damage;
  if (first !== undefined && groups.length === 0) throw first.error;
  const [oldest] = of === undefined ? [] : await listStoreFiles(fileSystem, of.folder, of.name);
  return { groups, damage, oldestFile: oldest?.number ?? storeFileNumber(path) ?? 1, store: of?.name };
}

/** What of a run's iterations is stored. */
export interface StoredIterations {
  /** With the number of their groups. */
  readonly stored: ReadonlyMap<number, number>;
  /** Those that were written down and have made room for later ones. */
  readonly rotatedAway: readonly number[];
  /** Those that were written down, have not made room, and of which nothing can be read any more. */
  readonly lost: readonly number[];
  /** Groups that a whole iteration has; undefined where the run does not say. */
  readonly groupsEach: number | undefined;
  /** Iterations between two that are written down, and the room for them in MiB; undefined where the run does not say. */
  readonly kept: TrainConfig['trajectories'] | undefined;
}

/** @param done iterations that the run has done */
export function surveyIterations(
  { groups, oldestFile, store }: Omit<SkimmedEpisodes, 'damage'>,
  config: unknown,
  done: number,
): StoredIterations {
  const stored = new Map<number, number>();
  for (const { label } of groups) {
    const iteration = iterationOf(label);
    if (iteration !== undefined) stored.set(iteration, (stored.get(iteration) ?? 0) + 1);
  }
  const parsed = trainConfigSchema.safeParse(config);
  if (!parsed.success) return { stored, rotatedAway: [], lost: [], groupsEach: undefined, kept: undefined };
  const first = oldestFile === 1 ? 1 : Math.min(...stored.keys(), done + 1); // rotation takes the oldest files, and nothing else takes any
  const written = Array.from({ length: Math.max(done, first - 1) }, (_, index) => index + 1).filter(
    (iteration) => isStored(parsed.data, iteration),
  );
  const rotatedAway = written.filter((iteration) => iteration < first);
  const isOfTraining = store === storeName && groups.every(({ label }) => iterationOf(label) !== undefined);
  const lost = isOfTraining
    ? written.filter((iteration) => iteration >= first && !stored.has(iteration))
    : [];
  return { stored, rotatedAway, lost, groupsEach: parsed.data.groups, kept: parsed.data.trajectories };
}

/** The groups of one iteration, or a `UsageError` that says why there are none. */
export function groupsOf(
  iteration: number,
  { groups, damage }: Pick<SkimmedEpisodes, 'groups' | 'damage'>,
  survey: StoredIterations,
): readonly StoredGroup[] {
  const found = groups.filter(({ label }) => iterationOf(label) === iteration);
  if (found.length > 0) return found;
  const { stored } = survey;
  const others =
    stored.size === 0
      ? 'No iteration has any.'
      : `There are those of ${describeNumbers([...stored.keys()])}.`;
  const isGone = damage.length === 0 && survey.lost.includes(iteration);
  const whatLost = isGone
    ? ['Files of trajectories were cut or lost: bring them back from a copy.']
    : describeDamage(damage);
  throw new UsageError({
    where: `iteration ${iteration}`,
    what: whyNone(iteration, survey),
    fix: [...whatLost, others].join(' '),
  });
}

function whyNone(iteration: number, { rotatedAway, lost, kept }: StoredIterations): string {
  if (rotatedAway.includes(iteration))
    return `its episodes were rotated away: beyond ${kept?.maxMegabytes} MiB (trajectories.maxMegabytes) the oldest go.`;
  if (lost.includes(iteration)) return 'its episodes were written down, and none of them can be read.';
  const every =
    kept === undefined || kept.every === 1
      ? ''
      : ` One in ${kept.every} is written down (trajectories.every).`;
  return `no episodes of it are stored.${every}`;
}
