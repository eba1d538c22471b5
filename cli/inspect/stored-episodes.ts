import { skimTrajectories, skimTrajectoryFile, type StoredGroup } from '../../agents/rollout/skim-store.ts';
import type { TornTail } from '../../agents/rollout/read-store.ts';
import { storeFileNumber } from '../../agents/rollout/store-files.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { trainConfigSchema, type TrainConfig } from '../../trainers/loop/config.ts';
import { isStored } from '../../trainers/loop/iteration.ts';
import { iterationOf } from '../../trainers/loop/iteration-label.ts';
import { chooseStore } from '../trajectory-stores.ts';
import { describeNumbers } from './describe-numbers.ts';
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

/** The groups that are stored, in the order in which they were written; none of them is read whole. */
export async function skimEpisodes({ path, place, store, say, signal }: EpisodeSource): Promise<readonly StoredGroup[]> {
  const onTornTail = ({ file, bytes }: TornTail): void => say(`${file}: its last group was never finished, ${bytes} bytes are left out`);
  const stored =
    place.kind === 'file' ? skimTrajectoryFile(path, { onTornTail }) : skimTrajectories(place.folder, await chooseStore(place.folder, store), { onTornTail });
  const groups: StoredGroup[] = [];
  for await (const group of stored) {
    signal.throwIfAborted();
    groups.push(group);
  }
  return groups;
}

/** What of a run's iterations is stored. */
export interface StoredIterations {
  /** With the number of their groups. */
  readonly stored: ReadonlyMap<number, number>;
  /** Those that were written down and have made room for later ones. */
  readonly rotatedAway: readonly number[];
  /** Groups that a whole iteration has; undefined where the run does not say. */
  readonly groupsEach: number | undefined;
  /** Iterations between two that are written down, and the room for them in MiB; undefined where the run does not say. */
  readonly kept: TrainConfig['trajectories'] | undefined;
}

/** @param done iterations that the run has done */
export function surveyIterations(groups: readonly StoredGroup[], config: unknown, done: number): StoredIterations {
  const stored = new Map<number, number>();
  for (const { label } of groups) {
    const iteration = iterationOf(label);
    if (iteration !== undefined) stored.set(iteration, (stored.get(iteration) ?? 0) + 1);
  }
  const parsed = trainConfigSchema.safeParse(config);
  if (!parsed.success) return { stored, rotatedAway: [], groupsEach: undefined, kept: undefined };
  const oldest = storeFileNumber(groups[0]?.file ?? '') ?? 1;
  const first = oldest === 1 ? 1 : Math.min(...stored.keys(), done + 1); // rotation takes the oldest files, and nothing else takes any
  const before = Array.from({ length: first - 1 }, (_, index) => index + 1);
  const rotatedAway = before.filter((iteration) => isStored(parsed.data, iteration));
  return { stored, rotatedAway, groupsEach: parsed.data.groups, kept: parsed.data.trajectories };
}

/** The groups of one iteration, or a `UsageError` that says why there are none. */
export function groupsOf(iteration: number, groups: readonly StoredGroup[], survey: StoredIterations): readonly StoredGroup[] {
  const found = groups.filter(({ label }) => iterationOf(label) === iteration);
  if (found.length > 0) return found;
  const { stored, rotatedAway, kept } = survey;
  const every = kept === undefined || kept.every === 1 ? '' : ` One in ${kept.every} is written down (trajectories.every).`;
  throw new UsageError({
    where: `iteration ${iteration}`,
    what: rotatedAway.includes(iteration)
      ? `its episodes were rotated away: beyond ${kept?.maxMegabytes} MiB (trajectories.maxMegabytes) the oldest go.`
      : `no episodes of it are stored.${every}`,
    mend: stored.size === 0 ? 'No iteration has any.' : `There are those of ${describeNumbers([...stored.keys()])}.`,
  });
}
