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

/** Where the trajectories of a run continue. */
export interface TrajectoriesEnd {
  readonly resumeAt: StorePosition;
  readonly inNextFile: boolean;
  /** A description of lost trajectories; undefined if they match the checkpoint. */
  readonly warning: string | undefined;
}

/**
 * Finds the end of the trajectories that `start` records, and changes nothing. Training never reads them, so
 * it continues without lost ones. A file that does not match the checkpoint is left unchanged, except for
 * whole episodes at its end that will be replayed.
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
      lost: `The remaining episodes could not be counted (${messageOf(thrown)})`,
    }), // nothing of it is needed to resume
  );
  const next = storeFile(folder, storeName, position.file + 1).path;
  const copy =
    left.length === 0 && changed.bytes === undefined
      ? 'restore it'
      : `restore its first ${position.bytes} bytes`;
  const warning = [
    `${changed.path}: ${changed.how}`,
    lost,
    `Training needs none of it and goes on from ${describePlace(start.checkpoint)}; \`npx cairn-gym inspect\` and \`npx cairn-gym export\` show what is left, which stays where it is, and new episodes go to ${next}.`,
    `If there is a copy of the original file, ${copy} at any time.`,
  ];
  return { resumeAt: { file: position.file, bytes: end }, inNextFile: true, warning: warning.join(' ') };
}

interface Change {
  readonly path: string;
  /** Undefined if the file is missing. */
  readonly bytes: number | undefined;
  /** A sentence. */
  readonly how: string;
}

/** How the file of that position has changed; undefined if a group still ends there. */
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
    how: `no group of episodes ends at its byte ${position.bytes}, where one ended when the checkpoint was made.`,
  };
}

/**
 * The remaining groups, and the byte of the changed file after which there are only whole groups of
 * iterations that will be repeated.
 */
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

/** Reads the whole group, because the header of a group has no checksum. */
async function isToBeDoneAgain(stored: StoredGroup, done: number): Promise<boolean> {
  const group = await readUnlessDamaged(stored);
  if (UsageError.is(group)) return false;
  const [first] = group.members;
  return first !== undefined && (iterationOf(labelOf(first.path)) ?? 0) > done;
}

/**
 * How many groups are lost, and of which iterations. Groups before the oldest file were removed by the size
 * limit and are not lost.
 */
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
  // the size limit may have removed part of the oldest iteration too
  const first = oldestFile === 1 ? 1 : Math.min(done, ...counts.keys()) + 1;
  const iterations = Array.from({ length: Math.max(0, done + 1 - first) }, (_, index) => first + index);
  const lacking = iterations.filter((iteration) => isStored(config, iteration) && lacks(iteration) > 0);
  const lost = lacking.reduce((sum, iteration) => sum + lacks(iteration), 0);
  if (lost === 0) return 'No group of episodes is lost.';
  return `${lost} ${plural(lost, 'group')} of episodes of ${plural(lacking.length, 'iteration')} ${describeNumbers(lacking)} ${lost === 1 ? 'is' : 'are'} lost.`;
}
