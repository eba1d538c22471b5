import { UsageError } from '../../../envs/core/errors.ts';
import { readPanelInTurns, type PanelRequest, type TaskPanel } from '../../../envs/core/task.ts';
import type { AnyEnvDefinition } from '../../../envs/core/env.ts';
import type { Context } from '../../../envs/core/context.ts';
import type { KeyOf } from '../../../agents/servers/secret.ts';
import type { TrajectoryStore } from '../../../agents/rollout/store/store.ts';
import type { ValidatedEstimator } from '../../credit/validation/validated-estimator.ts';
import { openCredit } from '../../credit/open-credit.ts';
import type { BackendName, TensorBackend } from '../../../models/backend/backend.ts';
import type { PolicyConfig } from '../../policy/policy-config.ts';
import { openObjective } from '../../update/open-objective.ts';
import type { TrainablePolicy, UpdateSettings } from '../../update/policy.ts';
import type { RunFolder } from '../../run/open-run.ts';
import type { RunDocument } from '../../run/run-document.ts';
import { openEnvSession, type EnvSession } from '../../env-session.ts';
import { assertChoosable } from './assert-choosable.ts';
import { beginPolicy } from './begin-policy.ts';
import type { TrainConfig } from '../../config/config.ts';
import type { MetricsListener, ProgressListener } from '../progress.ts';
import { resolveConfig, type ResolvedTrainConfig } from '../../config/resolve-config.ts';
import { resolveModel } from './resolve-model.ts';
import type { OpenCurriculum } from '../../curriculum/curriculum.ts';
import { openEvidence, type OpenedEvidence } from '../../critics/open-evidence.ts';
import { openCurriculum } from '../../curriculum/open-curriculum.ts';
import { locateEnvModules } from '../../plugins/env-modules.ts';

/** What a run needs before it has a folder: the open env, its panels and the policy. */
export interface TrainingSetup extends AsyncDisposable {
  /** The given config with the keys resolved that depend on the env. */
  readonly config: ResolvedTrainConfig;
  readonly envSession: EnvSession;
  readonly panels: {
    readonly train: TaskPanel;
    readonly dev: TaskPanel;
    readonly final: readonly TaskPanel[];
  };
  readonly curriculum: OpenCurriculum;
  /** The policy objective, as updates name it. */
  readonly objective: UpdateSettings['objective'];
  readonly policy: TrainablePolicy;
  /** The sources of evidence that run between rollout and credit, in the order of the config. */
  readonly evidence: readonly OpenedEvidence[];
  /** Created from `config.credit`; a replacement is refused. */
  readonly estimator: ValidatedEstimator;
  readonly backend: BackendName;
  readonly versions: Readonly<Record<string, string>>;
  /** Whether a resumed run continues although its env modules have changed. */
  readonly acceptsChangedEnv: boolean;
  readonly context: Context;
}

/** A setup with the folder of its run. */
export interface TrainingRun extends TrainingSetup {
  readonly run: RunFolder;
  readonly store: TrajectoryStore;
  readonly onProgress: ProgressListener;
  readonly onMetrics: MetricsListener;
}

/** All panels of a run, in the order of use. */
export function panelsOf({ panels }: Pick<TrainingSetup, 'panels'>): readonly TaskPanel[] {
  return [panels.train, panels.dev, ...panels.final];
}

/** Options of `prepareTraining`. */
export interface TrainingSetupOptions {
  readonly config: TrainConfig;
  readonly definition: AnyEnvDefinition;
  /** A function is called after everything else was validated, because opening a backend can take long. */
  readonly backend: TensorBackend | (() => Promise<TensorBackend>);
  readonly versions: Readonly<Record<string, string>>;
  /** Keys of servers, if the config names servers. */
  readonly keyOf?: KeyOf;
  /**
   * The record of a run that resumes from a checkpoint. A choice policy then does not need its initial
   * weights, which may be missing.
   */
  readonly begun?: Pick<RunDocument, 'versions'> | undefined;
  /** Current paths of `config.envModules`, if they have moved since the run recorded them. */
  readonly movedEnvModules?: readonly string[] | undefined;
  /** Whether a resumed run continues although its env modules have changed; default: false. */
  readonly acceptsChangedEnv?: boolean;
  readonly context: Context;
}

/**
 * Opens everything that the config names and validates it before the first rollout. The definition must be
 * that of the config's `env`.
 * @throws UsageError for what does not fit together
 */
export async function prepareTraining(options: TrainingSetupOptions): Promise<TrainingSetup> {
  const { definition, context, begun } = options;
  assertOf(definition, options.config);
  const envModules = await locateEnvModules(options.movedEnvModules ?? options.config.envModules);
  const evidence = await openEvidence(options.config.evidence, { signal: context.signal });
  const {
    config: credit,
    estimator,
    versions: ofCredit,
  } = await openCredit(options.config.credit, {
    signal: context.signal,
    sources: evidence.sources.flatMap(({ gives }) => gives),
  });
  assertLevel(estimator, options.config);
  const taskSampling = await openCurriculum(options.config.taskSampling, { signal: context.signal });
  const objective = await openObjective(options.config.update, { signal: context.signal });
  const envSession = await openEnvSession(definition, options.config, context);
  try {
    const config = resolveConfig(
      {
        ...options.config,
        envModules: options.movedEnvModules === undefined ? [...envModules.files] : options.config.envModules,
        policy: await resolvedPolicy(options),
        credit,
        evidence: evidence.config,
        taskSampling: taskSampling.config,
        update: { ...options.config.update, objective: objective.config },
      },
      envSession.host,
    );
    const of = { env: definition.id, config: envSession.envConfig };
    const read = (which: Pick<PanelRequest, 'name' | 'atMost'>): Promise<TaskPanel> =>
      readPanelInTurns(envSession.host, { ...of, ...which }, context.signal);
    const { tasks: atMost, finalTasks } = config.evaluation;
    const ofFinal = finalTasks === undefined ? {} : { atMost: finalTasks };
    const panels = {
      train: await read({ name: config.panel }),
      dev: await read({ name: config.devPanel, atMost }),
      final: await Promise.all(config.finalPanels.map((name) => read({ name, ...ofFinal }))),
    };
    assertTrainable(config, envSession, panels.train);
    if (config.policy.kind === 'choice') await assertChoosable(envSession, panels.train, context);
    const curriculum = taskSampling.start({
      panel: panels.train,
      groups: config.groups,
      rng: context.rng.fork('task-order'),
    });
    const backend = typeof options.backend === 'function' ? await options.backend() : options.backend;
    const { policy, versions: ofPolicy } = await beginPolicy({
      config,
      begun,
      envSession,
      backend,
      context,
      keyOf: options.keyOf,
    });
    return {
      config,
      envSession,
      panels,
      curriculum,
      objective: objective.settings,
      policy,
      evidence: evidence.sources,
      estimator,
      backend: backend.name,
      versions: {
        ...options.versions,
        ...envModules.versions,
        ...ofCredit,
        ...evidence.versions,
        ...taskSampling.versions,
        ...objective.versions,
        backend: backend.name,
        ...ofPolicy,
      },
      acceptsChangedEnv: options.acceptsChangedEnv ?? false,
      context,
      [Symbol.asyncDispose]: async () => {
        await policy[Symbol.asyncDispose]();
        await envSession[Symbol.asyncDispose]();
      },
    };
  } catch (thrown) {
    await envSession[Symbol.asyncDispose]();
    throw thrown;
  }
}

/** A choice policy chooses whole actions, so it has no tokens to assign credit to. */
function assertLevel({ name, level }: ValidatedEstimator, { policy }: TrainConfig): void {
  if (level === 'step' || policy.kind !== 'choice') return;
  refuse(
    'credit',
    `${name} assigns credit to tokens, and a choice policy chooses whole actions.`,
    'Train a language model (--policy token --model FOLDER), or use an estimator that assigns credit to steps.',
  );
}

/** A choice policy that resumes from a checkpoint does not need its initial weights. */
const resolvedPolicy = async ({ config: { policy }, begun }: TrainingSetupOptions): Promise<PolicyConfig> =>
  begun !== undefined && policy.kind === 'choice' ? policy : await resolveModel(policy);

/** The run folder records the config's env: another definition would make that record wrong. */
function assertOf({ id }: AnyEnvDefinition, { env }: TrainConfig): void {
  if (env === id) return;
  refuse(
    'env',
    `it is "${env}", and the definition given is that of ${id}.`,
    `Write env: "${id}", or give the definition of ${env}.`,
  );
}

/** Refuses settings that would fail later, or mislead: see the cases. */
function assertTrainable(config: ResolvedTrainConfig, envSession: EnvSession, train: TaskPanel): void {
  const { panels, experts } = envSession.host;
  for (const [option, name] of [
    ['panel', config.panel],
    ['devPanel', config.devPanel],
  ] as const) {
    if (panels.find((panel) => panel.name === name)?.purpose !== 'held-out') continue;
    refuse(
      option,
      `"${name}" is held out: it is played once, at the end.`,
      'Train and select on other panels, and name this one under finalPanels.',
    );
  }
  const heldOut = panels.filter(({ purpose }) => purpose === 'held-out').map(({ name }) => name);
  const twice = config.finalPanels.find((name, index) => config.finalPanels.indexOf(name) !== index);
  if (twice !== undefined)
    refuse('finalPanels', `"${twice}" is named twice: each is played once.`, 'Name each panel once.');
  for (const name of config.finalPanels) {
    if (name !== config.panel && panels.find((panel) => panel.name === name)?.purpose !== 'train') continue;
    const fix =
      heldOut.length === 0
        ? 'The environment has no held-out panel: remove it.'
        : `Held out are ${heldOut.join(', ')}.`;
    refuse('finalPanels', `"${name}" is trained on, so it cannot measure what was learned.`, fix);
  }
  if (config.warmStart.episodes > 0 && experts?.searcher === undefined) {
    refuse(
      'warmStart.episodes',
      `${envSession.definition.id} has no searcher to clone.`,
      'Set it to 0 (`--warm-start 0`).',
    );
  }
  if (
    config.update.objective.kind === 'module' &&
    config.policy.kind === 'token' &&
    config.policy.workers !== 0
  ) {
    refuse(
      'policy.workers',
      "the threads of a token policy support only built-in objectives, and update.objective is a user's file.",
      'Set policy.workers to 0, or name a built-in objective.',
    );
  }
  const { klWeight, referenceEvery } = config.update;
  if (referenceEvery !== undefined && klWeight === 0) {
    refuse(
      'update.referenceEvery',
      'klWeight is 0, so there is no KL whose reference could be reset.',
      'Set update.klWeight above 0, or remove this key.',
    );
  }
  if (config.iterations > 0 && config.groups > train.tasks.length) {
    refuse(
      'groups',
      `an iteration has ${config.groups} tasks, and "${train.name}" has only ${train.tasks.length}.`,
      `Lower it: --groups ${train.tasks.length}.`,
    );
  }
}

function refuse(option: string, what: string, fix: string): never {
  throw new UsageError({ where: `training config, ${option}`, what, fix });
}
