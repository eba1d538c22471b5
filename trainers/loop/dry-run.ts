import { RunError } from '../../envs/core/errors.ts';
import type { TrajectoryCredit } from '../credit/estimator.ts';
import type { ValidatedEstimator } from '../credit/validation/validated-estimator.ts';
import type { TrainingMemory } from '../update/policy.ts';
import { demonstrate } from './warm-start/demonstrations.ts';
import { allFaulted, describeAll } from './health/faults.ts';
import type { IterationLine } from '../run/metrics-schema.ts';
import { finalists } from './panels/final-evaluation.ts';
import { learnFrom, playIteration, type PlayedIteration } from './iterations/iteration.ts';
import type { TrainingSetup } from './setup/training-setup.ts';
import { VersionLog } from './health/staleness.ts';
import { initialState } from './train-state.ts';

/** The cost of a run, measured on one iteration, or a part of a large one, whose result is discarded. */
export interface TrainingForecast {
  /** Measured episodes, and episodes of a whole iteration. All other fields are for whole iterations. */
  readonly measured: { readonly episodes: number; readonly of: number };
  /**
   * Seconds of an iteration, by phase. An upper bound: an untrained policy plays to the limit, and every step
   * is learned from.
   */
  readonly iterationSeconds: Readonly<Record<string, number>>;
  readonly environmentSteps: number;
  /** Bytes on the tensor backend. */
  readonly memory: TrainingMemory;
  /** Approximate bytes of process memory for the episodes of an iteration. They are kept until the update. */
  readonly episodeBytes: number;
  /** Bytes of one checkpoint. */
  readonly checkpoint: number;
  /** Upper bound of the seconds of all iterations. */
  readonly trainingSeconds: number;
  /** Upper bound of the seconds of the warm start with its evaluations on `dev`. */
  readonly warmStartSeconds: number;
  /** Upper bound of the seconds of evaluations on `dev` between iterations, and of the final ones. */
  readonly evaluationSeconds: number;
  /** Sum of the above. */
  readonly totalSeconds: number;
  /** The expected cost for a policy that learns. */
  readonly typical: TypicalRun;
}

/** A run with shorter episodes than the measured iteration. All costs scale with steps. */
interface TypicalRun {
  /** Source of the episode length: the env's searcher or, if it has none, half of what was measured. */
  readonly like: 'searcher' | 'half';
  /** Steps per episode. */
  readonly steps: number;
  /** Steps per episode of the measured iteration. */
  readonly measuredSteps: number;
  readonly totalSeconds: number;
}

/** Episodes of the searcher to play, to measure their length. */
const searcherEpisodes = 16;

/** Most members of a group, and most episodes in all, to measure. More are extrapolated. */
const mostMembers = 16;
const mostEpisodes = 256;
/**
 * In seconds. Shorter work is done once before it is measured, because the first time includes compilation.
 */
const warmUpSeconds = 3;

/**
 * Plays one iteration and updates the policy with it, without writing anything. The setup must not be used
 * for training afterwards.
 *
 * @param onEpisode receives the share of the iteration's episodes that are done
 */
export async function forecastTraining(
  setup: TrainingSetup,
  onEpisode: (done: number) => void,
): Promise<TrainingForecast> {
  const { config, policy, context } = setup;
  const part = partOf(setup);
  const estimator = learningFromAll(setup.estimator);
  const play = async (): Promise<PlayedIteration> =>
    playIteration(part, { iteration: 1, curriculum: initialState.curriculum, onEpisode });
  let began = context.now();
  let played = await play();
  if (context.now() - began < 1000 * warmUpSeconds) {
    began = context.now();
    played = await play();
  }
  const rollout = (context.now() - began) / 1000;
  if (allFaulted(played.groups)) {
    throw new RunError({
      where: 'the iteration that was measured',
      what: describeAll(played.groups),
      fix: 'Fix the environment before you train in it.',
    });
  }
  policy.assertFits(played.groups, config.update);
  if (config.update.klWeight > 0) await policy.keepReference();
  const { line, phases: learning } = await learnFrom(
    { ...part, estimator, store: { append: async () => undefined } },
    initialState,
    { ...played, versions: new VersionLog(0, policy.version) },
  );
  const whole = (config.groups * config.groupSize) / line.episodes;
  const phases = { rollout, ...learning };
  const trainingSeconds =
    config.iterations * whole * Object.values(phases).reduce((sum, phase) => sum + phase, 0);
  const { warmStartSeconds, evaluationSeconds } = forecastRest(setup, {
    line,
    rollout,
    update: learning['update'] ?? 0,
  });
  return {
    measured: { episodes: line.episodes, of: line.episodes * whole },
    iterationSeconds: scaled(phases, whole),
    environmentSteps: Math.round(line.environmentSteps * whole),
    memory: policy.memoryOf(scaled(line.figures, whole), config.update),
    episodeBytes: Math.round(
      whole * played.groups.reduce((sum, group) => sum + JSON.stringify(group).length, 0),
    ),
    checkpoint: policy.checkpointBytes,
    trainingSeconds,
    warmStartSeconds,
    evaluationSeconds,
    totalSeconds: trainingSeconds + warmStartSeconds + evaluationSeconds,
    typical: await typicalRun(setup, line, trainingSeconds + warmStartSeconds + evaluationSeconds),
  };
}

/** The setup with only as many episodes in an iteration as are measured. */
function partOf(setup: TrainingSetup): TrainingSetup {
  const { config, curriculum } = setup;
  const groupSize = Math.min(config.groupSize, mostMembers);
  const groups = Math.min(config.groups, Math.ceil(mostEpisodes / groupSize));
  return {
    ...setup,
    config: { ...config, groups, groupSize },
    curriculum: {
      ...curriculum,
      next: (iteration, state) => curriculum.next(iteration, state).slice(0, groups),
    },
  };
}

const scaled = (figures: Readonly<Record<string, number>>, by: number): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, value * by]));

async function typicalRun(
  setup: TrainingSetup,
  { environmentSteps, episodes }: IterationLine,
  totalSeconds: number,
): Promise<TypicalRun> {
  const measuredSteps = environmentSteps / episodes;
  const found = await searcherSteps(setup);
  const steps = found === undefined ? measuredSteps / 2 : Math.min(found, measuredSteps);
  return {
    like: found === undefined ? 'half' : 'searcher',
    steps,
    measuredSteps,
    totalSeconds: (totalSeconds * steps) / measuredSteps,
  };
}

/** Steps per episode of the env's searcher; undefined if it has none, or if its episodes fault. */
async function searcherSteps({ envSession, panels, context }: TrainingSetup): Promise<number | undefined> {
  if (envSession.host.experts?.searcher === undefined) return undefined;
  const groups = await demonstrate(envSession, { panel: panels.train, episodes: searcherEpisodes }, context);
  const lengths = groups.flatMap(({ members }) =>
    members.flatMap(({ stop, steps }) => (stop.kind === 'faulted' ? [] : [steps.length])),
  );
  return lengths.length === 0 ? undefined : lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}

/** The cost of everything but the iterations, from the measured cost of an episode and a step. */
function forecastRest(
  setup: TrainingSetup,
  {
    line,
    rollout,
    update,
  }: { readonly line: IterationLine; readonly rollout: number; readonly update: number },
): Pick<TrainingForecast, 'warmStartSeconds' | 'evaluationSeconds'> {
  const { config, panels } = setup;
  const { episodes, epochs, evaluateEvery } = config.warmStart;
  const episodeSeconds = rollout / line.episodes;
  const devSeconds = episodeSeconds * panels.dev.tasks.length;
  // a demonstration is no longer than an episode that runs to its limit
  const passSeconds = (update / config.update.epochs / line.episodes) * episodes;
  const cloning =
    episodes === 0
      ? 0
      : episodes * episodeSeconds + epochs * passSeconds + Math.ceil(epochs / evaluateEvery) * devSeconds;
  const finalTasks = panels.final.reduce((sum, { tasks }) => sum + tasks.length, 0);
  return {
    warmStartSeconds: cloning,
    evaluationSeconds:
      (1 + Math.ceil(config.iterations / config.evaluation.every)) * devSeconds +
      finalTasks * finalists(setup).length * episodeSeconds,
  };
}

/**
 * An untrained policy may solve nothing, so that there is nothing to learn. Here every step gets an
 * advantage.
 */
function learningFromAll(estimator: ValidatedEstimator): ValidatedEstimator {
  return estimator.mapCredit((credit) => ({
    ...credit,
    groups: credit.groups.map((members) => members.map(withAdvantage)),
  }));
}

function withAdvantage(credit: TrajectoryCredit): TrajectoryCredit {
  const { advantage, tokenAdvantage } = credit;
  const ones = (values: Float64Array): Float64Array => values.map(() => 1);
  return {
    ...credit,
    advantage: ones(advantage),
    ...(tokenAdvantage === undefined ? {} : { tokenAdvantage: tokenAdvantage.map(ones) }),
  };
}
