import type { StorePosition } from '../../agents/rollout/store/store-files.ts';
import type { CheckpointManifest } from './checkpoint-manifest.ts';
import type { ListedCheckpoint } from './checkpoint-store.ts';
import { plural } from '../results/number-words.ts';
import { cloningFrom, isBest, type CloningState } from './cloning-state.ts';

/** Name of the checkpoint during the warm start; it is removed afterwards. */
export const cloningName = 'cloning';

/** Name of the checkpoint after the warm start; it is kept to the end of the run. */
export const warmStartName = 'warm-start';

/** Name of the checkpoint after an iteration. */
export const iterationName = (iteration: number): string => `iteration-${String(iteration).padStart(5, '0')}`;

/** Name of the checkpoint that ends a run of so many iterations. */
export const finalName = (iterations: number): string =>
  iterations === 0 ? warmStartName : iterationName(iterations);

/** Name of the checkpoint that holds the reference of the KL after so many iterations. */
export function referenceName(every: number | undefined, iteration: number): string {
  return finalName(every === undefined ? 0 : iteration - (iteration % every));
}

/** The folder of a checkpoint that holds the policy. */
export const policyFolder = 'policy';

/** The folder of a checkpoint of cloning that holds the policy as it was when it was best on `dev`; undefined before it was played. */
export function bestFolder(state: CloningState): string | undefined {
  if (isBest(state)) return policyFolder;
  return state.evaluated > 0 ? 'best' : undefined;
}

/** Name of the store of training trajectories: checkpoints know its end by it. */
export const storeName = 'train';

const failedStart = 'failed-';

/** Name of the store of the episodes that the final policy failed, by the name of their result. */
export const failedStore = (result: string): string => `${failedStart}${result}`;

export const isFailedStore = (name: string): boolean => name.startsWith(failedStart);

/** Where the training trajectories ended at a checkpoint. */
export const trajectoriesAt = ({ trajectories }: Pick<CheckpointManifest, 'trajectories'>): StorePosition =>
  trajectories[storeName] ?? { file: 1, bytes: 0 };

/** How far a run had come at a checkpoint, such as `iteration 12`. */
export function describePlace({ name, manifest }: Pick<ListedCheckpoint, 'name' | 'manifest'>): string {
  if (name === cloningName) return describeCloning(cloningFrom(manifest));
  return manifest.iteration === 0 ? 'the end of the warm start' : `iteration ${manifest.iteration}`;
}

function describeCloning({ epoch, pass: { batches } }: CloningState): string {
  return batches === 0
    ? `pass ${epoch} of the warm start`
    : `pass ${epoch + 1} of the warm start, after ${batches} ${plural(batches, 'mini-batch', 'mini-batches')}`;
}
