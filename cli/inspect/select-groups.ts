import { readRun } from '../../trainers/report/read-run.ts';
import type { Selection } from './groups.ts';
import { groupsOf, skimEpisodes, surveyIterations, type EpisodeSource } from './stored-episodes.ts';

/** The groups that are asked for, and the credit settings of the run; episodes that are no run's have none. */
export async function selectGroups(source: EpisodeSource, iteration: number | undefined): Promise<{ readonly selection: Selection; readonly credit: unknown }> {
  const { path, place } = source;
  const run = place.kind === 'run' ? await readRun(path) : undefined; // refuses a folder that is no run
  const skimmed = await skimEpisodes(source);
  const { damage } = skimmed;
  const config = run?.document.config;
  const credit = typeof config === 'object' && config !== null && 'credit' in config ? config['credit'] : undefined;
  if (iteration === undefined) return { selection: { name: path, groups: skimmed.groups, damage }, credit };
  const done = run?.metrics.findLast((line) => line.kind === 'iteration')?.iteration ?? 0;
  const name = `iteration ${iteration} of ${path}`;
  return { selection: { name, groups: groupsOf(iteration, skimmed, surveyIterations(skimmed, config, done)), damage }, credit };
}
