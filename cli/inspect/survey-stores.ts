import { listStores } from '../trajectory-stores.ts';
import { findDamagedGroups } from './damaged-groups.ts';
import type { StoreSurvey } from './describe-stored.ts';
import { findDoubledGroups } from './doubled-groups.ts';
import { messageIfRefused } from './refusal.ts';
import { skimEpisodes, surveyIterations, type EpisodeSource } from './stored-episodes.ts';

/** What is stored of a run, and what is wrong with it; a store that cannot be read is left out. */
export async function surveyStores(
  source: EpisodeSource,
  of: { readonly folder: string; readonly config: unknown; /** Iterations done. */ readonly recorded: number },
): Promise<{ readonly stores: readonly StoreSurvey[]; readonly notes: readonly string[] }> {
  const stores: StoreSurvey[] = [];
  const notes: string[] = [];
  for (const store of await listStores(of.folder)) {
    const groups = await skimEpisodes({ ...source, store, say: (line) => notes.push(line) }).catch((error: unknown) => {
      notes.push(messageIfRefused(error));
      return undefined;
    });
    if (groups === undefined) continue;
    const damaged = await findDamagedGroups(groups, source.signal);
    notes.push(...(damaged ?? []), ...findDoubledGroups(groups));
    stores.push({ store, groups, isReadThrough: damaged !== undefined, ...surveyIterations(groups, of.config, of.recorded) });
  }
  return { stores, notes };
}
