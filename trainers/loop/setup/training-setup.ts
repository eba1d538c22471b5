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
import type { ProgressListener } from '../progress.ts';
import { resolveConfig, type ResolvedTrainConfig } from '../../config/resolve-config.ts';
import { resolveModel } from './resolve-model.ts';
import type { OpenCurriculum } from '../../curriculum/curriculum.ts';
import { openEvidence, type OpenedEvidence } from '../../critics/open-evidence.ts';
import { openCurriculum } from '../../curriculum/open-curriculum.ts';

/** What a run needs before it has a folder: the opened env, its panels and the policy. */
export interface TrainingSetup extends AsyncDisposable {
  /** With what the given one left to the env. */
  readonly config: ResolvedTrainConfig;
  readonly envSession: EnvSession;
  readonly panels: {
    readonly train: TaskPanel;
    readonly dev: TaskPanel;
    readonly final: readonly TaskPanel[];
  };
  readonly curriculum: OpenCurriculum;
  /** What rewards the policy, as updates name it. */
  readonly objective: UpdateSettings['objective'];
  readonly policy: TrainablePolicy;
  /** What computes evidence between rollout and credit, in the order of the config. */
  readonly evidence: readonly OpenedEvidence[];
  /** Made from `config.credit`; a replacement is refused. */
  readonly estimator: ValidatedEstimator;
  readonly backend: BackendName;
  readonly versions: Readonly<Record<string, string>>;
  readonly context: Context;
}

/** A setup with the folder that the run is written to. */
export interface TrainingRun extends TrainingSetup {
  readonly run: RunFolder;
  readonly store: TrajectoryStore;
  readonly onProgress: ProgressListener;
}

/** All panels of a run, in the order of their use. */
export function panelsOf({ panels }: Pick<TrainingSetup, 'panels'>): readonly TaskPanel[] {
  return [panels.train, panels.dev, ...panels.final];
}

/** What a run is prepared from. */
export interface TrainingSetupOptions {
  readonly config: TrainConfig;
  readonly definition: AnyEnvDefinition;
  /** A function opens it once the rest is found to be right: opening one can take long. */
  readonly backend: TensorBackend | (() => Promise<TensorBackend>);
  readonly versions: Readonly<Record<string, string>>;
  /** Keys to servers, where the config names some. */
  readonly keyOf?: KeyOf;
  /** What a run recorded that goes on from a checkpoint: a choice policy needs no more of the weights that it began from, which may be gone. */
  readonly begun?: Pick<RunDocument, 'versions'> | undefined;
  readonly context: Context;
}

/** Opens everything that the config names; what does not fit is refused here, before the first rollout. The definition is that of the config's `env`. */
export async function prepareTraining(options: TrainingSetupOptions): Promise<TrainingSetup> {
  const { definition, context, begun } = options;
  assertOf(definition, options.config);
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
    const panels = {
      train: await read({ name: config.panel }),
      dev: await read({ name: config.devPanel, atMost: config.evaluation.tasks }),
      final: await Promise.all(config.finalPanels.map((name) => read({ name }))),
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
        ...ofCredit,
        ...evidence.versions,
        ...taskSampling.versions,
        ...objective.versions,
        backend: backend.name,
        ...ofPolicy,
      },
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

/** A choice policy decides a whole action at once: it has no tokens to give credit to. */
function assertLevel({ name, level }: ValidatedEstimator, { policy }: TrainConfig): void {
  if (level === 'step' || policy.kind !== 'choice') return;
  refuse(
    'credit',
    `${name} gives credit to tokens, and a choice policy picks whole actions.`,
    'Train a language model (--policy token --model FOLDER), or choose an estimator that gives credit to steps.',
  );
}

/** A choice policy that goes on from a checkpoint needs no more of what it began from. */
const resolvedPolicy = async ({ config: { policy }, begun }: TrainingSetupOptions): Promise<PolicyConfig> =>
  begun !== undefined && policy.kind === 'choice' ? policy : await resolveModel(policy);

/** The run folder names its env by the config: with another definition it would name one that was never played. */
function assertOf({ id }: AnyEnvDefinition, { env }: TrainConfig): void {
  if (env === id) return;
  refuse(
    'env',
    `it is "${env}", and the definition given is that of ${id}.`,
    `Write env: "${id}", or give the definition of ${env}.`,
  );
}

/** Refuses what would only fail, or mislead, later: see the cases. */
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
      'Train and choose on other panels, and name it under finalPanels.',
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
        ? 'The environment has no held-out panel: leave it out.'
        : `Held out are ${heldOut.join(', ')}.`;
    refuse('finalPanels', `"${name}" is trained on: it cannot say what was learned.`, fix);
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
      "the threads of a token policy know the built-in objectives only, and update.objective is a file of the user's own.",
      'Set policy.workers to 0, or name a built-in objective.',
    );
  }
  const { klWeight, referenceEvery } = config.update;
  if (referenceEvery !== undefined && klWeight === 0) {
    refuse(
      'update.referenceEvery',
      'nothing is taken from the reference that it resets.',
      'Set update.klWeight above 0, or leave it out.',
    );
  }
  if (config.iterations > 0 && config.groups > train.tasks.length) {
    refuse(
      'groups',
      `an iteration of ${config.groups} tasks is more than the ${train.tasks.length} of "${train.name}".`,
      `Lower it: --groups ${train.tasks.length}.`,
    );
  }
}

function refuse(option: string, what: string, fix: string): never {
  throw new UsageError({ where: `training config, ${option}`, what, fix });
}
