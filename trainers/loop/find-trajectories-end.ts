import { skimTrajectories, type StoredGroup } from '../../agents/rollout/skim-store.ts';
import { describeShortFile, findShortFile, type ShortFile } from '../../agents/rollout/store.ts';
import { storeFile, storeFileNumber, type StorePosition } from '../../agents/rollout/store-files.ts';
import { describeNumbers } from '../evaluate/describe-numbers.ts';
import { plural } from '../evaluate/number-words.ts';
import type { RunFolder } from '../run-folder/open-run.ts';
import { describePlace, storeName, trajectoriesAt } from './checkpoint-names.ts';
import type { TrainConfig } from './config.ts';
import type { Start } from './find-start.ts';
import { isStored } from './iteration.ts';
import { iterationOf } from './iteration-label.ts';

/** Where the trajectories of a run go on. */
export interface TrajectoriesEnd {
  readonly resumeAt: StorePosition;
  readonly inNextFile: boolean;
  /** What of them is lost; undefined where they are as the checkpoint knows them. */
  readonly warning: string | undefined;
}

/**
 * Finds where the trajectories end that `start` knows, and changes nothing. Training never reads them, so that it goes on without
 * those that a cut file has lost; what is left of that file is kept, but for episodes that will be played again.
 */
export async function findTrajectoriesEnd(run: RunFolder, start: Start, config: Pick<TrainConfig, 'iterations' | 'groups' | 'trajectories'>): Promise<TrajectoriesEnd> {
  if (start.kind === 'beginning') return { resumeAt: { file: 1, bytes: 0 }, inNextFile: false, warning: undefined };
  const { manifest } = start.checkpoint;
  const folder = run.paths.trajectories;
  const position = trajectoriesAt(manifest);
  const short = await findShortFile({ folder, name: storeName }, position);
  if (short === undefined) return { resumeAt: position, inNextFile: false, warning: undefined };
  const { left, end } = await surveyLeft(folder, short, manifest.iteration);
  const next = storeFile(folder, storeName, position.file + 1).path;
  const warning = [
    `${short.path}: ${describeShortFile(short, position)}`,
    describeLost(left, { config, done: manifest.iteration, oldestFile: storeFileNumber(left[0]?.file ?? short.path) ?? 1 }),
    `Training needs none of it and goes on from ${describePlace(start.checkpoint)}; \`cairn inspect\` and \`cairn export\` show what is left, which stays where it is, and new episodes go to ${next}.`,
    'Where there is a copy of the file as it was, put it back at any time.',
  ];
  return { resumeAt: { file: position.file, bytes: end }, inNextFile: true, warning: warning.join(' ') };
}

/** The groups of iterations that are done, and the byte of the short file behind which there are only others. */
async function surveyLeft(folder: string, { path, bytes = 0 }: ShortFile, done: number): Promise<{ readonly left: readonly StoredGroup[]; readonly end: number }> {
  const left: StoredGroup[] = [];
  for await (const group of skimTrajectories(folder, storeName, { onTornTail: () => undefined, onDamage: () => undefined })) {
    if ((iterationOf(group.label) ?? 0) > done) return { left, end: group.file === path ? group.offset : bytes };
    left.push(group);
  }
  return { left, end: bytes };
}

/** How many groups are gone, and of which iterations. Those before the oldest file made room for others and are not missed. */
function describeLost(
  left: readonly StoredGroup[],
  { config, done, oldestFile }: { readonly config: Pick<TrainConfig, 'iterations' | 'groups' | 'trajectories'>; readonly done: number; readonly oldestFile: number },
): string {
  const counts = new Map<number, number>();
  for (const { label } of left) counts.set(iterationOf(label) ?? 0, (counts.get(iterationOf(label) ?? 0) ?? 0) + 1);
  const lacks = (iteration: number): number => Math.max(0, config.groups - (counts.get(iteration) ?? 0));
  const first = oldestFile === 1 ? 1 : Math.min(done, ...counts.keys());
  const iterations = Array.from({ length: done + 1 - first }, (_, index) => first + index);
  const lacking = iterations.filter((iteration) => isStored(config, iteration) && lacks(iteration) > 0);
  const lost = lacking.reduce((sum, iteration) => sum + lacks(iteration), 0);
  if (lost === 0) return 'No group of episodes is missed.';
  return `${lost} ${plural(lost, 'group')} of episodes of ${plural(lacking.length, 'iteration')} ${describeNumbers(lacking)} ${lost === 1 ? 'is' : 'are'} gone.`;
}
