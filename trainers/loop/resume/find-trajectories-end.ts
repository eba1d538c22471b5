import { stat } from 'node:fs/promises';
import { labelOf } from '../../../agents/rollout/episode-path.ts';
import {
  hasBorderAt,
  readUnlessDamaged,
  skimTrajectories,
  type StoredGroup,
} from '../../../agents/rollout/store/skim-store.ts';
import { describeShortFile, findShortFile } from '../../../agents/rollout/store/store.ts';
import { storeFile, storeFileNumber, type StorePosition } from '../../../agents/rollout/store/store-files.ts';
import { messageOf, UsageError } from '../../../envs/core/errors.ts';
import { describeNumbers, plural } from '../../results/number-words.ts';
import type { RunFolder } from '../../run/open-run.ts';
import { describePlace, storeName, trajectoriesAt } from '../../run/checkpoint-names.ts';
import type { TrainConfig } from '../../config/config.ts';
import type { ResumePoint } from './find-resume-point.ts';
import { isStored } from '../iterations/iteration.ts';
import { iterationOf } from '../iterations/iteration-label.ts';

/** Where the trajectories of a run go on. */
export interface TrajectoriesEnd {
  readonly resumeAt: StorePosition;
  readonly inNextFile: boolean;
  /** What of them is lost; undefined where they are as the checkpoint knows them. */
  readonly warning: string | undefined;
}

/**
 * Finds where the trajectories end that `start` knows, and changes nothing. Training never reads them, so that it goes on without
 * those that are lost. A file that is not as the checkpoint knows it is left as it is, but for whole episodes at its end that will be played again.
 */
export async function findTrajectoriesEnd(
  run: RunFolder,
  start: ResumePoint,
  config: Pick<TrainConfig, 'iterations' | 'groups' | 'trajectories'>,
): Promise<TrajectoriesEnd> {
  if (start.kind === 'beginning')
    return { resumeAt: { file: 1, bytes: 0 }, inNextFile: false, warning: undefined };
  const { manifest } = start.checkpoint;
  const folder = run.paths.trajectories;
  const position = trajectoriesAt(manifest);
  const changed = await findChange(folder, position);
  if (changed === undefined) return { resumeAt: position, inNextFile: false, warning: undefined };
  const { left, end, lost } = await surveyLeft(folder, changed, manifest.iteration).then(
    (survey) => ({
      ...survey,
      lost: describeLost(survey.left, {
        config,
        done: manifest.iteration,
        oldestFile: storeFileNumber(survey.left[0]?.file ?? changed.path) ?? 1,
      }),
    }),
    (thrown: unknown) => ({
      left: [],
      end: changed.bytes ?? 0,
      lost: `What of them is left could not be counted (${messageOf(thrown)})`,
    }), // nothing of it is needed to go on
  );
  const next = storeFile(folder, storeName, position.file + 1).path;
  const copy =
    left.length === 0 && changed.bytes === undefined
      ? 'put it back'
      : `put its first ${position.bytes} bytes back`;
  const warning = [
    `${changed.path}: ${changed.how}`,
    lost,
    `Training needs none of it and goes on from ${describePlace(start.checkpoint)}; \`cairn inspect\` and \`cairn export\` show what is left, which stays where it is, and new episodes go to ${next}.`,
    `Where there is a copy of the file as it was, ${copy} at any time.`,
  ];
  return { resumeAt: { file: position.file, bytes: end }, inNextFile: true, warning: warning.join(' ') };
}

interface Change {
  readonly path: string;
  /** Undefined where the file is gone. */
  readonly bytes: number | undefined;
  /** A sentence. */
  readonly how: string;
}

/** In what the file of that place is not as it was; undefined where a group still ends there. */
async function findChange(folder: string, position: StorePosition): Promise<Change | undefined> {
  const short = await findShortFile({ folder, name: storeName }, position);
  if (short !== undefined) return { ...short, how: describeShortFile(short, position) };
  const { path } = storeFile(folder, storeName, position.file);
  const bytes = await stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
  if (position.bytes === 0 || bytes === undefined || (await hasBorderAt(path, position.bytes)))
    return undefined;
  return {
    path,
    bytes,
    how: `no group of episodes ends at its byte ${position.bytes} any more, where the last did when the checkpoint was made.`,
  };
}

/** The groups that are left, and the byte of the changed file behind which there are only whole groups of iterations that will be done again. */
async function surveyLeft(
  folder: string,
  { path, bytes = 0 }: Change,
  done: number,
): Promise<{ readonly left: readonly StoredGroup[]; readonly end: number }> {
  const groups: StoredGroup[] = [];
  for await (const group of skimTrajectories(folder, storeName, {
    onTornTail: () => undefined,
    onDamage: () => undefined,
  }))
    groups.push(group);
  const left = groups.filter(
    ({ label, file }) =>
      (iterationOf(label) ?? 0) <= done && (storeFileNumber(file) ?? 0) <= (storeFileNumber(path) ?? 0),
  );
  let end = bytes;
  for (const group of groups.filter(({ file }) => file === path).toReversed()) {
    if (!(await isToBeDoneAgain(group, done))) break;
    end = group.offset;
  }
  return { left, end };
}

/** Read whole: what a head says of its group has no check sum. */
async function isToBeDoneAgain(stored: StoredGroup, done: number): Promise<boolean> {
  const group = await readUnlessDamaged(stored);
  if (UsageError.is(group)) return false;
  const [first] = group.members;
  return first !== undefined && (iterationOf(labelOf(first.path)) ?? 0) > done;
}

/** How many groups are gone, and of which iterations. Those before the oldest file made room for others and are not missed. */
function describeLost(
  left: readonly StoredGroup[],
  {
    config,
    done,
    oldestFile,
  }: {
    readonly config: Pick<TrainConfig, 'iterations' | 'groups' | 'trajectories'>;
    readonly done: number;
    readonly oldestFile: number;
  },
): string {
  const counts = new Map<number, number>();
  for (const { label } of left)
    counts.set(iterationOf(label) ?? 0, (counts.get(iterationOf(label) ?? 0) ?? 0) + 1);
  const lacks = (iteration: number): number => Math.max(0, config.groups - (counts.get(iteration) ?? 0));
  const first = oldestFile === 1 ? 1 : Math.min(done, ...counts.keys()) + 1; // of the oldest that is there, a part may have made room, too
  const iterations = Array.from({ length: Math.max(0, done + 1 - first) }, (_, index) => first + index);
  const lacking = iterations.filter((iteration) => isStored(config, iteration) && lacks(iteration) > 0);
  const lost = lacking.reduce((sum, iteration) => sum + lacks(iteration), 0);
  if (lost === 0) return 'No group of episodes is missed.';
  return `${lost} ${plural(lost, 'group')} of episodes of ${plural(lacking.length, 'iteration')} ${describeNumbers(lacking)} ${lost === 1 ? 'is' : 'are'} gone.`;
}
