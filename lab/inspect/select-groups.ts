import type { CreditOfRun } from '../../trainers/run/open-run-credit.ts';
import { readRun } from '../read/read-run.ts';
import type { StoredGroup } from '../../agents/rollout/store/skim-store.ts';
import type { DamagedStretch } from '../../agents/rollout/store/walk-groups.ts';
import { groupsOf, skimEpisodes, surveyIterations, type EpisodeSource } from './stored-episodes.ts';

/** Some of the stored groups, counted from 0. */
export interface Selection {
  /** What they are, such as `iteration 12 of runs/first`. */
  readonly name: string;
  readonly groups: readonly StoredGroup[];
  /** What hides others. */
  readonly damage: readonly DamagedStretch[];
}

/** The groups that are asked for, and the run whose credit they have; undefined of episodes that are no run's. */
export async function selectGroups(
  source: EpisodeSource,
  iteration: number | undefined,
): Promise<{ readonly selection: Selection; readonly ofRun: CreditOfRun | undefined }> {
  const { path, place } = source;
  const run = place.kind === 'run' ? await readRun(path) : undefined; // refuses a folder that is no run
  const skimmed = await skimEpisodes(source);
  const { damage } = skimmed;
  const config = run?.document.config;
  const ofRun = run === undefined ? undefined : { folder: path, document: run.document };
  if (iteration === undefined) return { selection: { name: path, groups: skimmed.groups, damage }, ofRun };
  const done = run?.metrics.findLast((line) => line.kind === 'iteration')?.iteration ?? 0;
  const name = `iteration ${iteration} of ${path}`;
  return {
    selection: {
      name,
      groups: groupsOf(iteration, skimmed, surveyIterations(skimmed, config, done)),
      damage,
    },
    ofRun,
  };
}
