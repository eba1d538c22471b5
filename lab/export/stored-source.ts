import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { readUnlessDamaged, type StoredGroup } from '../../agents/rollout/store/skim-store.ts';
import {
  isSolved,
  returnOf,
  type Trajectory,
  type TrajectoryGroup,
} from '../../agents/rollout/trajectory.ts';
import type { DamagedStretch } from '../../agents/rollout/store/walk-groups.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import { iterationOf } from '../../trainers/loop/iterations/iteration-label.ts';
import type { CreditOfRun } from '../../trainers/run/open-run-credit.ts';
import type { ExportPlace } from './export-chat.ts';
import { readRun } from '../read/read-run.ts';
import { findEpisodes } from '../inspect/episode-place.ts';
import { groupsOf, skimEpisodes, surveyIterations } from '../inspect/stored-episodes.ts';

/** Which of the stored episodes are wanted. */
export interface EpisodeFilter {
  readonly store?: string | undefined;
  readonly panel?: string | undefined;
  readonly iteration?: number | undefined;
  readonly successful?: boolean | undefined;
  readonly minReturn?: number | undefined;
  /** Episodes at most. */
  readonly limit?: number | undefined;
}

/** What is to be read, and of which run it is. */
export interface StoredSource {
  /** In the order in which they were written. */
  readonly groups: readonly NumberedGroup[];
  /** What hides others. */
  readonly damage: readonly DamagedStretch[];
  readonly run: string | undefined;
  readonly seed: number | undefined;
  /** The run whose credit they have; undefined where they are of none. */
  readonly ofRun: CreditOfRun | undefined;
  /** Whether the run trains a language model, whose folder holds its tokenizer and its prompt. */
  readonly ofModel: boolean;
  /** The part of the env's config that identifies its tasks, if the run has it. */
  readonly identity: Json | undefined;
}

interface NumberedGroup {
  readonly stored: StoredGroup;
  /** Among all that are stored, from 0. */
  readonly number: number;
}

/** An episode, its group and its place. */
export interface StoredEpisode {
  readonly trajectory: Trajectory;
  readonly group: TrajectoryGroup;
  readonly place: ExportPlace;
}

const configSchema = z.looseObject({
  seed: z.int().optional(),
  policy: z.looseObject({ kind: z.string().optional() }).optional(),
});

/**
 * Finds the groups in question without reading any whole.
 * @throws UsageError where none of the iteration or the panel is stored
 */
export async function openStored(
  path: string,
  { store, panel, iteration }: EpisodeFilter,
  session: { readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<StoredSource> {
  const place = await findEpisodes(path);
  const run = place.kind === 'run' ? await readRun(path) : undefined; // refuses a folder that is no run
  const skimmed = await skimEpisodes({ path, place, store, ...session });
  const { groups: all, damage } = skimmed;
  const numbers = new Map(all.map((group, number) => [group, number]));
  const done = run?.metrics.findLast((line) => line.kind === 'iteration')?.iteration ?? 0;
  const config = run?.document.config;
  const ofIteration =
    iteration === undefined ? all : groupsOf(iteration, skimmed, surveyIterations(skimmed, config, done));
  const groups = panel === undefined ? ofIteration : ofIteration.filter(({ task }) => task.panel === panel);
  if (panel !== undefined && groups.length === 0) throw noPanel(panel, ofIteration);
  const { data: settings } = configSchema.safeParse(config);
  return {
    groups: groups.map((stored) => ({ stored, number: numbers.get(stored) as number })),
    damage,
    run: run === undefined ? undefined : basename(resolve(path)),
    seed: settings?.seed,
    ofRun: run === undefined ? undefined : { folder: path, document: run.document },
    ofModel: settings?.policy?.kind === 'token',
    identity: run?.document.identity,
  };
}

/** Reads one group after the other and hands out every episode of it; what was read before is not held. `onDamage` hears of groups that cannot be read. */
export async function* readEpisodes(
  { groups, run, seed }: StoredSource,
  {
    signal,
    onDamage,
  }: {
    readonly signal: AbortSignal;
    readonly onDamage: (group: StoredGroup, stretch: DamagedStretch) => void;
  },
): AsyncGenerator<StoredEpisode, void> {
  for (const { stored, number } of groups) {
    signal.throwIfAborted();
    const group = await readUnlessDamaged(stored);
    if (UsageError.is(group)) {
      onDamage(stored, { ...stored, error: group });
      continue;
    }
    const iteration = iterationOf(stored.label);
    for (const [member, trajectory] of group.members.entries()) {
      yield { trajectory, group, place: { run, seed, iteration, group: number, member } };
    }
  }
}

/** Whether the episode has the requested result. */
export const passes = (trajectory: Trajectory, { successful, minReturn }: EpisodeFilter): boolean =>
  (successful !== true || isSolved(trajectory)) &&
  (minReturn === undefined || returnOf(trajectory) >= minReturn);

function noPanel(panel: string, groups: readonly StoredGroup[]): UsageError {
  const panels = [...new Set(groups.map(({ task }) => task.panel))].toSorted();
  return new UsageError({
    where: `--panel ${panel}`,
    what: 'no episode of that panel is stored.',
    fix: panels.length === 0 ? 'No episode is stored at all.' : `There are those of ${panels.join(', ')}.`,
  });
}
