import {
  metricsOf,
  scoreOf,
  type Trajectory,
  type TrajectoryGroup,
} from '../../agents/rollout/trajectory.ts';
import { describeFault, UsageError } from '../../envs/core/errors.ts';
import { canonicalJson, type Json } from '../../envs/core/json.ts';
import type { TaskPanel } from '../../envs/core/task.ts';
import { statisticsOf, type Retries } from './episode-statistics.ts';
import { poolLineages, describeSettings, type Lineage } from './lineage.ts';
import {
  resultSchemaNumber,
  type EpisodeRow,
  type EvaluationResult,
  type RetriedFault,
  type Shown,
} from './result.ts';
import { inadmissibleOf } from './inadmissible.ts';
import { unreadableOf } from './reading.ts';
import { addTokens, tokensOf, type TokenCounts } from './token-counts.ts';

/** The episodes of one seed: a group for each task of the panel, in any order. */
export interface SeedRun {
  readonly seed: number;
  readonly groups: readonly TrajectoryGroup[];
}

/** Facts that the trajectories do not contain. */
export interface EvaluationFacts {
  readonly agent: string;
  readonly panel: TaskPanel;
  readonly shown: Shown;
  /** What trained the agent's weights, where a training of ours did. */
  readonly training?: Lineage;
  /** Episodes that were tried again because the world failed. */
  readonly retried: number;
  /** What their tries had used before, where text agents played; undefined where nothing was. */
  readonly replacedTokens?: TokenCounts | undefined;
  /** The faults of those, as far as they are known. */
  readonly retries?: readonly RetriedFault[];
  readonly seconds: number;
  readonly versions: Readonly<Record<string, string>>;
  /** What the env gives for its config in fingerprints, where it gives something. */
  readonly identity?: Json;
}

/**
 * The result of an evaluation. Remaining faults count as failures. @throws UsageError for groups that do not
 * cover the panel exactly, or not each task equally often
 */
export function summarise(runs: readonly SeedRun[], facts: EvaluationFacts): EvaluationResult {
  const onPanel = new Set(facts.panel.tasks.map((task) => `${task.panel}/${task.index}`));
  const rows = runs.flatMap(({ seed, groups }) =>
    groups.flatMap(({ members }) =>
      members.map((member) => {
        assertOnPanel(member, facts.panel, onPanel);
        return episodeRow(seed, member);
      }),
    ),
  );
  return summariseRows(rows, facts);
}

/** The same from rows that were built while episodes arrived, so that trajectories need not be kept. */
export function summariseRows(rows: readonly EpisodeRow[], facts: EvaluationFacts): EvaluationResult {
  const { panel, retried, retries = [], replacedTokens, ...rest } = facts;
  return resultOf(
    rows,
    { retried, retries, replacedTokens },
    {
      env: panel.env,
      config: panel.config,
      panel: {
        name: panel.name,
        fingerprint: panel.fingerprint,
        tasks: panel.tasks.length,
        ...(panel.tasks.every(({ index }, at) => index === at)
          ? {}
          : { indices: panel.tasks.map(({ index }) => index) }),
      },
      ...rest,
    },
  );
}

/** The result of one run of a method. */
export interface RunResult {
  readonly seed: number;
  readonly result: EvaluationResult;
}

/**
 * Pools the results of several runs of one method on one panel, such as their final checkpoints. `seed` is
 * that of the run and replaces the seed of its evaluation. @throws UsageError for different panels or
 * `shown`, a repeated seed, results with several seeds, and trainings with other settings, if known
 */
export function poolSeeds(
  runs: readonly RunResult[],
  as: { readonly agent: string; readonly checkpoint?: string },
): EvaluationResult {
  const [first] = runs;
  if (first === undefined) throw new RangeError('poolSeeds takes at least one result');
  for (const [position, run] of runs.entries()) assertPoolable(runs.slice(0, position), run);
  const { checkpoint: _several, ...shown } = first.result.shown;
  const training = poolLineages(runs.map(({ result }) => result.training));
  const { inadmissible, ...pooled } = resultOf(
    runs.flatMap(({ seed, result }) => result.episodes.map((row) => ({ ...row, seed }))),
    {
      retried: runs.reduce((sum, { result }) => sum + result.faults.retried, 0),
      retries: runs.flatMap(({ seed, result }) =>
        (result.faults.retries ?? []).map((fault) => ({ ...fault, seed })),
      ),
      replacedTokens: addTokens(runs.map(({ result }) => result.replacedTokens)),
    },
    {
      env: first.result.env,
      config: first.result.config,
      ...(first.result.identity === undefined ? {} : { identity: first.result.identity }),
      agent: as.agent,
      panel: first.result.panel,
      shown: { ...shown, ...(as.checkpoint === undefined ? {} : { checkpoint: as.checkpoint }) },
      ...(training === undefined ? {} : { training }),
      seconds: runs.reduce((sum, { result }) => sum + result.seconds, 0),
      versions: first.result.versions,
    },
  );
  const isCounted = runs.every(({ result }) => result.inadmissible !== undefined); // rows of older results say nothing, which is not none
  return isCounted ? { ...pooled, inadmissible } : pooled;
}

/** Characters of a fault's sentence that a result keeps. */
const longestFault = 500;

/** What a result keeps of an episode that was played again; undefined of one without a fault. */
export function retriedFault(
  seed: number,
  { stop, task, family, steps }: Trajectory,
): RetriedFault | undefined {
  if (stop.kind !== 'faulted') return undefined;
  return {
    seed,
    index: task.index,
    family,
    cause: stop.fault.kind,
    fault: describeFault(stop.fault).slice(0, longestFault),
    steps: steps.length,
  };
}

/** What a result keeps of an episode. */
export function episodeRow(seed: number, trajectory: Trajectory): EpisodeRow {
  const { stop } = trajectory;
  const cause = stop.kind === 'faulted' ? stop.fault.kind : stop.limit;
  const tokens = tokensOf(trajectory);
  const unreadable = unreadableOf(trajectory);
  const inadmissible = inadmissibleOf(trajectory);
  const metrics = metricsOf(trajectory);
  return {
    seed,
    index: trajectory.task.index,
    family: trajectory.family,
    outcome: stop.kind === 'terminated' ? stop.outcome : stop.kind,
    ...(cause === undefined ? {} : { cause }),
    ...(stop.kind === 'faulted' ? { fault: describeFault(stop.fault).slice(0, longestFault) } : {}),
    ...(stop.kind === 'faulted' && 'code' in stop.fault ? { code: stop.fault.code } : {}),
    score: scoreOf(trajectory),
    turns: trajectory.steps.length,
    ...(metrics === undefined ? {} : { metrics }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(unreadable === undefined ? {} : { unreadable }),
    ...(inadmissible === undefined ? {} : { inadmissible }),
  };
}

type ResultFacts = Pick<
  EvaluationResult,
  'env' | 'config' | 'identity' | 'agent' | 'panel' | 'shown' | 'training' | 'seconds' | 'versions'
>;

/** What came of tries that are no part of the rows. */
type Again = Retries & Pick<EvaluationFacts, 'replacedTokens'>;

function resultOf(
  unsorted: readonly EpisodeRow[],
  { replacedTokens, ...tries }: Again,
  facts: ResultFacts,
): EvaluationResult {
  const episodes = unsorted.toSorted((a, b) => a.seed - b.seed || a.index - b.index);
  const seeds = [...new Set(episodes.map((row) => row.seed))];
  const episodesPerTask = countPerTask(episodes, seeds.length, facts.panel);
  return {
    schema: resultSchemaNumber,
    ...facts,
    episodesPerTask,
    seeds,
    ...statisticsOf(episodes, facts.panel.fingerprint, tries),
    ...(replacedTokens === undefined ? {} : { replacedTokens }),
    episodes,
  };
}

/** How often each seed played each task of the panel: equally often, or it is refused. */
function countPerTask(rows: readonly EpisodeRow[], seeds: number, panel: EvaluationResult['panel']): number {
  const counts = new Map<string, number>();
  for (const { seed, index } of rows)
    counts.set(`${seed}/${index}`, (counts.get(`${seed}/${index}`) ?? 0) + 1);
  const sizes = new Set(counts.values());
  const [episodesPerTask] = sizes;
  if (episodesPerTask !== undefined && sizes.size === 1 && counts.size === seeds * panel.tasks)
    return episodesPerTask;
  throw new UsageError({
    where: `evaluation on ${panel.name} (${panel.fingerprint})`,
    what: `${counts.size} of ${Math.max(1, seeds) * panel.tasks} tasks have episodes, ${[...sizes].join(' or ') || 'none'} each.`,
    fix: 'Give a group of equal size for each task of the panel and each seed.',
  });
}

function assertOnPanel(trajectory: Trajectory, panel: TaskPanel, tasks: ReadonlySet<string>): void {
  const { env, task } = trajectory;
  if (env.id === panel.env && tasks.has(`${task.panel}/${task.index}`)) return;
  throw new UsageError({
    where: `trajectory ${trajectory.path}`,
    what: `it is of task ${task.index} of ${task.panel} of ${env.id}, which ${panel.name} of ${panel.env} does not hold.`,
    fix: 'Summarise only episodes that were played on the panel.',
  });
}

function assertPoolable(before: readonly RunResult[], { seed, result }: RunResult): void {
  const first = before[0]?.result ?? result;
  const shownOf = ({ shown: { checkpoint: _its, ...shown } }: EvaluationResult): string =>
    canonicalJson(shown);
  const refuse = (what: string, fix: string): never => {
    throw new UsageError({ where: `results of ${first.agent} and ${result.agent}`, what, fix });
  };
  if (result.panel.fingerprint !== first.panel.fingerprint) {
    refuse(
      `they are of different panels, ${first.panel.fingerprint} and ${result.panel.fingerprint}.`,
      'Pool results of one panel only.',
    );
  }
  if (shownOf(result) !== shownOf(first)) {
    refuse(
      `the agents were shown different things: ${shownOf(first)} and ${shownOf(result)}.`,
      'Pool only runs of one method.',
    );
  }
  const known = before.find((run) => run.result.training !== undefined)?.result.training;
  if (known !== undefined && result.training !== undefined && known.settings !== result.training.settings) {
    const words = (training: Lineage): string => `${training.method} with ${describeSettings(training)}`;
    refuse(
      `they were trained with settings that differ in more than the seed: ${words(known)}, and ${words(result.training)}.`,
      'Pool only seeds of one method with the same settings.',
    );
  }
  if (result.seeds.length > 1)
    refuse(`the second holds seeds ${result.seeds.join(', ')} already.`, 'Pool results of one seed each.');
  if (before.some((run) => run.seed === seed))
    refuse(`seed ${seed} comes twice.`, 'Give each run its own seed.');
}
