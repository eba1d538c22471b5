import { listStores } from '../read/trajectory-stores.ts';
import { findDamagedGroups } from './damaged-groups.ts';
import { describeDamage } from './describe-damage.ts';
import type { StoreSurvey } from './describe-stored.ts';
import { findDoubledGroups } from './doubled-groups.ts';
import { messageIfRefused } from './refusal.ts';
import { skimEpisodes, surveyIterations, type EpisodeSource } from './stored-episodes.ts';

/** What is stored of a run, and what is wrong with it; a store that cannot be read is left out. */
export async function surveyStores(
  source: EpisodeSource,
  of: {
    readonly folder: string;
    readonly config: unknown;
    /** Iterations done. */ readonly recorded: number;
  },
): Promise<{ readonly stores: readonly StoreSurvey[]; readonly notes: readonly string[] }> {
  const stores: StoreSurvey[] = [];
  const notes: string[] = [];
  for (const store of await listStores(of.folder)) {
    const skimmed = await skimEpisodes({ ...source, store, say: (line) => notes.push(line) }).catch(
      (error: unknown) => {
        notes.push(messageIfRefused(error));
        return undefined;
      },
    );
    if (skimmed === undefined) continue;
    const { groups } = skimmed;
    const damaged = await findDamagedGroups(groups, source.signal);
    notes.push(...describeDamage(skimmed.damage), ...(damaged ?? []), ...findDoubledGroups(groups));
    stores.push({
      store,
      groups,
      isReadThrough: damaged !== undefined,
      ...surveyIterations(skimmed, of.config, of.recorded),
    });
  }
  return { stores, notes };
}
