import type { BatchCredit } from '../../credit/estimator.ts';
import type { GroupResult } from '../../../agents/rollout/rollout-plan.ts';
import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { deriveContext, forkContext } from '../../../envs/core/context.ts';
import type { IterationLine } from '../../run/metrics-schema.ts';
import { playGroups } from '../../env-session.ts';
import type { TrainConfig } from '../../config/config.ts';
import { shareOfFaults } from '../health/faults.ts';
import { iterationLabel } from './iteration-label.ts';
import { rolloutFigures, type RolloutFigures } from '../health/rollout-figures.ts';
import { scheduleFactor } from '../../update/schedule.ts';
import type { TrainingSetup, TrainingRun } from '../setup/training-setup.ts';
import { gatherEvidence, trainLearners } from '../../critics/gather-evidence.ts';
import { storedEvidence } from '../../credit/parts/stored-evidence.ts';
import { successFigures } from '../../curriculum/unsolved.ts';
import { leaveOutStale, type VersionLog } from '../health/staleness.ts';
import type { TrainState } from '../train-state.ts';

/** The outcome of an iteration: its metrics, the state after it, and the time of each phase. */
export interface IterationOutcome {
  readonly line: IterationLine;
  readonly state: TrainState;
  /** Share of anchored steps whose anchor has other steps; undefined for credit without anchors. */
  readonly anchorShare: number | undefined;
  /** Seconds. */
  readonly phases: Readonly<Record<string, number>>;
}

type Learner = TrainingSetup & { readonly store: Pick<TrainingRun['store'], 'append'> };

/** The episodes of an iteration. */
export interface PlayedIteration {
  readonly results: readonly GroupResult<unknown, unknown>[];
  readonly groups: readonly TrajectoryGroup[];
}

/** Plays the rollouts of an iteration. They change no state, so an interruption loses only them. */
export async function playIteration(
  session: TrainingSetup,
  {
    iteration,
    curriculum,
    onEpisode,
  }: Pick<TrainState, 'iteration' | 'curriculum'> & { readonly onEpisode: (done: number) => void },
): Promise<PlayedIteration> {
  const { config, envSession, policy, context } = session;
  const results = await playGroups(
    envSession,
    {
      agent: policy.agent({ kind: 'sampled', temperature: config.temperature }),
      tasks: session.curriculum.next(iteration - 1, curriculum),
      label: iterationLabel(iteration),
      turn: iteration,
      members: config.groupSize,
      onProgress: ({ episodesDone, episodesPlanned }) => onEpisode(episodesDone / episodesPlanned),
    },
    deriveContext(context, { progress: (iteration - 1) / config.iterations }),
  );
  return { results, groups: results.map(({ group }) => group) };
}

/** Assigns credit and updates the policy. The update is never interrupted. */
export async function learnFrom(
  session: Learner,
  before: TrainState,
  { results, groups: rolledOut, versions }: PlayedIteration & { readonly versions: VersionLog },
): Promise<IterationOutcome> {
  const { config, policy, context } = session;
  const gathering = context.now();
  const played = await gatherEvidence(session.evidence, rolledOut, context);
  const began = context.now();
  // compressed during the update
  const stored = isStored(config, before.iteration + 1) ? session.store.append(...played) : undefined;
  stored?.catch(() => undefined); // reported when it is awaited
  const written = context.now();
  const synchronous = config.async === 0;
  const { groups, figures: staleness } = synchronous
    ? { groups: played, figures: {} }
    : leaveOutStale(played, { most: config.async, learned: before.iteration, versions });
  const credit = session.estimator.assign(groups, { state: before.creditState });
  const statistics = { ...session.estimator.statistics(groups), ...credit.statistics };
  const credited = context.now();
  using scope = forkContext(
    { ...context, signal: new AbortController().signal, rng: context.rng },
    `update-${before.iteration + 1}`,
  );
  const { update, temperature } = config;
  const settings = {
    ...update,
    objective: session.objective,
    learningRate: update.learningRate * scheduleFactor(update.schedule, before.iteration, config.iterations),
    klWeight: update.klWeight * scheduleFactor(update.klSchedule, before.iteration, config.iterations),
    temperature,
    synchronous,
  };
  const figures = {
    ...(await policy.learn({ groups, credit }, settings, scope)),
    ...(await trainLearners(session.evidence, { groups, evidence: storedEvidence(groups), credit }, scope)),
  };
  const updated = context.now();
  await stored;
  const rollout = rolloutFigures(results);
  versions.note(before.iteration + 1, policy.version);
  const state = stateAfter(before, rollout, {
    curriculum: session.curriculum.learn(before.curriculum, played),
    creditState: credit.state,
  });
  return {
    state,
    anchorShare: shareOfSharedAnchors(credit),
    line: lineOf(state, rollout, {
      ...byEnv(session, played),
      ...session.curriculum.figures(played),
      ...staleness,
      ...statistics,
      ...figures,
    }),
    phases: {
      ...(session.evidence.length === 0 ? {} : { evidence: (began - gathering) / 1000 }),
      credit: (credited - written) / 1000,
      update: (updated - credited) / 1000,
      storing: (written - began + context.now() - updated) / 1000,
    },
  };
}

/** In a mixture, the solved share of the episodes of each env. */
const byEnv = (
  { panels }: Pick<TrainingSetup, 'panels'>,
  played: readonly TrajectoryGroup[],
): Readonly<Record<string, number>> =>
  panels.train.categories === undefined ? {} : successFigures(played.flatMap(({ members }) => members));

/** Whether the trajectories of an iteration are stored: every so many iterations, and the last. */
export function isStored(
  { iterations, trajectories }: Pick<TrainConfig, 'iterations' | 'trajectories'>,
  iteration: number,
): boolean {
  return iteration % trajectories.every === 0 || iteration === iterations;
}

function stateAfter(
  before: TrainState,
  { environmentSteps, episodes, faulted }: RolloutFigures,
  kept: Pick<TrainState, 'curriculum' | 'creditState'>,
): TrainState {
  return {
    ...before,
    iteration: before.iteration + 1,
    environmentSteps: before.environmentSteps + environmentSteps,
    episodes: before.episodes + episodes,
    faulted: before.faulted + faulted,
    ...kept,
  };
}

function lineOf(
  state: TrainState,
  rollout: RolloutFigures,
  figures: Readonly<Record<string, number>>,
): IterationLine {
  const { iteration, environmentSteps, episodes } = state;
  return {
    kind: 'iteration',
    iteration,
    environmentSteps,
    episodes,
    ...(rollout.success === undefined ? {} : { success: rollout.success }),
    ...(rollout.return === undefined ? {} : { return: rollout.return }),
    ...(rollout.score === undefined ? {} : { score: rollout.score }),
    ...(rollout.episodeLength === undefined ? {} : { episodeLength: rollout.episodeLength }),
    figures: {
      ...rollout.figures,
      ...(state.faulted === 0 ? {} : { 'faults/share-so-far': shareOfFaults(state) }),
      ...figures,
    },
  };
}

/**
 * Share of anchored steps whose anchor has other steps too, by the first grouping of the credit. Undefined if
 * no step has an anchor.
 */
function shareOfSharedAnchors({ anchorSizes }: Pick<BatchCredit, 'anchorSizes'>): number | undefined {
  const [sizes = new Int32Array(0)] = Object.values(anchorSizes);
  const steps = sizes.reduce((sum, size) => sum + size, 0);
  const alone = sizes.reduce((sum, size) => (size === 1 ? sum + 1 : sum), 0);
  return steps === 0 ? undefined : 1 - alone / steps;
}
