import { readStartedJsonl } from '../../files/read-jsonl.ts';
import { backendNames, type BackendName } from '../../models/backend/backend.ts';
import type { EvaluationResult } from '../results/result.ts';
import { newestCheckpoint } from './checkpoint-store.ts';
import { timingsLineSchema } from './metrics-schema.ts';
import { runPaths } from './open-run.ts';
import { readRunDocument, type RunDocument } from './run-document.ts';

/** What a run folder says to the training that goes on with it. */
export interface ResumedRun {
  readonly document: RunDocument;
  /** Whether it has a checkpoint from which it goes on. */
  readonly hasCheckpoint: boolean;
  /** The backend of the run. On another backend, which `auto` may find, the numbers would not be those of an uninterrupted run. */
  readonly backend: BackendName | undefined;
}

export async function readResumedRun(folder: string): Promise<ResumedRun> {
  const document = await readRunDocument(folder);
  const newest = await newestCheckpoint(runPaths(folder).checkpoints);
  return {
    document,
    hasCheckpoint: newest !== undefined,
    backend: backendNames.find((name) => name === document.versions['backend']),
  };
}

/** Seconds that the phases and the final evaluations of the run took, over all its sessions. Work that a kill lost counts once. */
export async function secondsOfRun(
  folder: string,
  results: readonly Pick<EvaluationResult, 'seconds'>[],
): Promise<number> {
  const { lines } = await readStartedJsonl(runPaths(folder).timings, timingsLineSchema);
  return [...lines, ...results].reduce((sum, { seconds }) => sum + seconds, 0);
}
