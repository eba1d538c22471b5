import {
  readBest,
  sortCheckpoints,
  type ListedCheckpoint,
  type SortedCheckpoints,
} from '../../trainers/run/checkpoint-store.ts';
import { findMissingBytes } from '../../trainers/run/read-checkpoint.ts';
import { messageIfRefused } from './refusal.ts';

/** The checkpoints of a run, which of them is said to be the best, and what is wrong with them and with that. */
export interface CheckpointSurvey {
  /** Those whose manifests can be read, oldest first. */
  readonly listed: readonly (ListedCheckpoint & { readonly damage: string | undefined })[];
  readonly best: string | undefined;
  readonly notes: readonly string[];
}

/** @param recorded iterations that the run has recorded */
export async function surveyCheckpoints(checkpoints: string, recorded: number): Promise<CheckpointSurvey> {
  const notes: string[] = [];
  const noted = async <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch((error: unknown) => {
      notes.push(messageIfRefused(error));
      return undefined;
    });
  const sorted = await noted(sortCheckpoints(checkpoints));
  const best = (await noted(readBest(checkpoints)))?.name;
  const listed = await Promise.all(
    (sorted?.listed ?? []).map(async (found) => ({
      ...found,
      damage: await findMissingBytes(found.folder, found.manifest),
    })),
  );
  notes.push(...noneLeft(checkpoints, sorted, recorded));
  notes.push(
    ...(sorted?.unreadable ?? []).map(({ name, what }) => `checkpoint ${name} is left out: ${what}`),
  );
  notes.push(
    ...listed.flatMap(({ name, damage }) =>
      damage === undefined
        ? []
        : [
            `checkpoint ${name} is damaged${name === best ? ', and it is said to be the best' : ''}: ${damage}`,
          ],
    ),
  );
  if (
    best !== undefined &&
    !listed.some(({ name }) => name === best) &&
    sorted?.unreadable.some(({ name }) => name === best) !== true
  ) {
    notes.push(`checkpoint ${best} is said to be the best, and is gone.`);
  }
  return { listed, best, notes };
}

/** A trainer that does iterations keeps at least the last checkpoint. */
function noneLeft(
  checkpoints: string,
  sorted: SortedCheckpoints | undefined,
  recorded: number,
): readonly string[] {
  if (recorded === 0 || sorted === undefined || sorted.listed.length + sorted.unreadable.length > 0)
    return [];
  return [
    `${checkpoints} holds no checkpoint, and the metrics record ${recorded} iterations: bring the checkpoints back from a copy, for without them nothing goes on.`,
  ];
}
