import { describeShortFile, findShortFile } from '../../agents/rollout/store/store.ts';
import type { ListedCheckpoint } from '../../trainers/run/checkpoint-store.ts';
import { trainConfigSchema } from '../../trainers/config/config.ts';
import type { StoreSurvey } from './describe-stored.ts';

/**
 * Finds lost trajectories of a run, by its newest checkpoint. A checkpoint is written after its trajectories
 * are on the disk.
 */
export async function flawsOfStores(
  folder: string,
  newest: ListedCheckpoint | undefined,
): Promise<readonly string[]> {
  const ends = Object.entries(newest?.manifest.trajectories ?? {});
  const flaws = await Promise.all(
    ends.map(async ([name, position]) => {
      const short = await findShortFile({ folder, name }, position);
      return short === undefined
        ? []
        : [
            `${short.path}: ${describeShortFile(short, position)} Put the file back as it was; without a copy npx cairn-gym train --resume goes on all the same and keeps what is left.`,
          ];
    }),
  );
  return flaws.flat();
}

/**
 * Finds metrics that end before the stored episodes do. An iteration's line is written after its episodes, so
 * the episodes are ahead by the current iteration. With --async they are ahead by as many more as may be
 * played ahead.
 */
export function metricsBehind(
  path: string,
  recorded: number,
  of: { readonly stores: readonly StoreSurvey[]; readonly config: unknown },
): readonly string[] {
  const parsed = trainConfigSchema.safeParse(of.config);
  const ahead = 1 + (parsed.success ? parsed.data.async : 0);
  const latest = Math.max(0, ...of.stores.flatMap(({ stored }) => [...stored.keys()]));
  if (latest <= recorded + ahead) return [];
  return [
    `${path} ends with iteration ${recorded}, and there are episodes of iteration ${latest}: lines of it are gone. npx cairn-gym train --resume tells how to go on.`,
  ];
}
