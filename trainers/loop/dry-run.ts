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

/** What a run would take, measured on one iteration, or a part of a large one, that is thrown away. */
export interface TrainingForecast {
  /** Episodes that were measured, and those of a whole iteration. All that follows is of whole ones. */
  readonly measured: { readonly episodes: number; readonly of: number };
  /** Seconds of an iteration, by phase: at most where the policy has learned nothing, and so plays to the limit, and every step was learned from. */
  readonly iterationSeconds: Readonly<Record<string, number>>;
  readonly environmentSteps: number;
  /** Bytes on the tensor backend. */
  readonly memory: TrainingMemory;
  /** Bytes of this process that the episodes of an iteration take, about: they are held until the update has learned from them. */
  readonly episodeBytes: number;
  /** Bytes of one checkpoint. */
  readonly checkpoint: number;
  /** Seconds of all iterations, at most. */
  readonly trainingSeconds: number;
  /** Seconds of the warm start with its evaluations on `dev`, at most. */
  readonly warmStartSeconds: number;
  /** Seconds of the evaluations on `dev` between iterations, and of the final ones, at most. */
  readonly evaluationSeconds: number;
  /** All of these together. */
  readonly totalSeconds: number;
  /** What to expect of a policy that learns, beside what it takes at most. */
  readonly typical: TypicalRun;
}

/** A run whose episodes are shorter than those of the measured iteration: all that it does goes by steps. */
interface TypicalRun {
  /** Whose length of episodes is taken: the env's searcher's, or, where it has none, half of what was measured. */
  readonly like: 'searcher' | 'half';
  /** Steps an episode. */
  readonly steps: number;
  /** Steps an episode of the measured iteration. */
  readonly measuredSteps: number;
  readonly totalSeconds: number;
}

/** Episodes of the searcher that are played for their length. */
const searcherEpisodes = 16;

/** Members of a group, and episodes in all, that are measured at most: more are counted by them. */
const mostMembers = 16;
const mostEpisodes = 256;
/** What takes less than this is done again and then measured: the first time much is still being compiled. In seconds. */
const warmUpSeconds = 3;

/**
 * Plays one iteration and updates the policy by it, writing nothing. The setup must not be trained with afterwards.
 *
 * @param onEpisode is told the share of the iteration's episodes that are done
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
      fix: 'Fix the world before you train in it.',
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

/** The setup with no more episodes an iteration than are measured. */
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

/** Steps an episode of the env's searcher; undefined where it has none, or none that the world lets play. */
async function searcherSteps({ envSession, panels, context }: TrainingSetup): Promise<number | undefined> {
  if (envSession.host.experts?.searcher === undefined) return undefined;
  const groups = await demonstrate(envSession, { panel: panels.train, episodes: searcherEpisodes }, context);
  const lengths = groups.flatMap(({ members }) =>
    members.flatMap(({ stop, steps }) => (stop.kind === 'faulted' ? [] : [steps.length])),
  );
  return lengths.length === 0 ? undefined : lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
}

/** What stands around the iterations, from what an episode and a step of the measured one took. */
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
  const passSeconds = (update / config.update.epochs / line.episodes) * episodes; // a demonstration is no longer than an episode that runs to its limit
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

/** An untrained policy may solve nothing, and then there is nothing to learn from: here every step has an advantage. */
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
