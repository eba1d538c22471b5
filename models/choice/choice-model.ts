import { dispose } from '@tensorflow/tfjs-core';
import { z } from 'zod';
import type { Scores } from '../../agents/core/choice-sampler.ts';
import { RunError, UsageError } from '../../envs/core/errors.ts';
import type { Rng } from '../../envs/core/rng.ts';
import type { TensorBackend } from '../backend/backend.ts';
import { notFinite } from '../not-finite.ts';
import { objectiveSchema, type Objective } from '../objectives/objective.ts';
import { Optimisation } from '../optimisation.ts';
import type { OptimiserStepInput, PolicyModel, UpdateFigures } from '../policy-model.ts';
import { ClosableQueue } from '../serial-queue.ts';
import { parsed } from '../wrong-use.ts';
import { assertBatch, assertTraining, type ChoiceBatch, type ChoiceTraining } from './choice-batch.ts';
import {
  readChoiceState,
  readChoiceWeights,
  writeChoiceState,
  type ChoiceState,
} from './choice-checkpoint.ts';
import type { ChoiceConfig } from './choice-config.ts';
import { choiceLoss } from './choice-loss.ts';
import { backward, forward, type Activations } from './choice-network.ts';
import { mapWeights } from './choice-weights.ts';
import { distinctRows, spreadOverRows, type DistinctRows } from './distinct-rows.ts';
import { ChoiceParameters } from './choice-parameters.ts';
import { initialWeights } from './initial-weights.ts';
import { rowLogSoftmax } from './row-softmax.ts';

/** A model of the given shape with seeded random weights. */
export function createChoiceModel(options: {
  readonly backend: TensorBackend;
  readonly config: ChoiceConfig;
  readonly rng: Rng;
}): ChoiceModel {
  const { backend, config } = options;
  return new ChoiceModel(
    backend,
    beginning({ config, version: 0, value: initialWeights(config, options.rng) }),
  );
}

/**
 * A model with the weights that `save` wrote into the folder and a new optimiser. @throws UsageError for
 * another shape than the given one
 */
export async function createChoiceModelFrom(options: {
  readonly backend: TensorBackend;
  readonly folder: string;
  readonly config: ChoiceConfig;
}): Promise<ChoiceModel> {
  const { backend, folder, config } = options;
  const stored = await readChoiceWeights(folder);
  assertSameConfig(folder, stored.config, config);
  return new ChoiceModel(backend, beginning({ config, version: 0, value: stored.value }));
}

/**
 * The model that `save` wrote into the folder, with its stored shape.
 * @param options.weightsOnly for playing only: the optimiser's file is not needed, and the optimiser starts
 * fresh
 */
export async function openChoiceModel(options: {
  readonly backend: TensorBackend;
  readonly folder: string;
  readonly weightsOnly?: boolean;
}): Promise<ChoiceModel> {
  const { backend, folder, weightsOnly = false } = options;
  if (!weightsOnly) return new ChoiceModel(backend, await readChoiceState(folder));
  return new ChoiceModel(backend, beginning(await readChoiceWeights(folder)));
}

/** With an optimiser that has taken no step. */
const beginning = (weights: Pick<ChoiceState, 'config' | 'version' | 'value'>): ChoiceState => ({
  ...weights,
  step: 0,
  first: zerosLike(weights.value),
  second: zerosLike(weights.value),
});

const zerosLike = (value: ChoiceState['value']): ChoiceState['value'] =>
  mapWeights((name) => new Float32Array(value[name].length));

/**
 * Chooses among listed actions: a small network over hashed features scores each candidate of each decision.
 * Create one with {@link createChoiceModel} or {@link openChoiceModel}.
 */
export class ChoiceModel implements PolicyModel<ChoiceBatch, ChoiceTraining> {
  readonly backend: TensorBackend;
  readonly config: ChoiceConfig;
  readonly #queue = new ClosableQueue('choice model');
  readonly #parameters: ChoiceParameters;
  readonly #optimisation: Optimisation;

  constructor(backend: TensorBackend, state: ChoiceState) {
    this.backend = backend;
    this.config = state.config;
    this.#parameters = new ChoiceParameters(backend, state);
    this.#optimisation = new Optimisation(this.#parameters, 'decision', state);
  }

  get version(): number {
    return this.#optimisation.version;
  }

  /** One logit for each row, before temperature and softmax. */
  async logits(batch: ChoiceBatch): Promise<Float32Array> {
    // (R)
    return (await this.score(batch)).logits;
  }

  /** The logits with the version of their weights, even if updates run in between. */
  score(batch: ChoiceBatch): Promise<Scores> {
    return this.#queue.run(async () => ({ logits: await this.#score(batch), version: this.version }));
  }

  /** Log-probability of each row within its decision. */
  logprobs(batch: ChoiceBatch, temperature: number): Promise<Float32Array> {
    // (R)
    return this.#queue.run(async () => {
      parsed('temperature', temperatureSchema, temperature);
      return rowLogSoftmax(await this.#score(batch), batch.rowStart, temperature);
    });
  }

  accumulate(training: ChoiceTraining, objective: Objective, signal: AbortSignal): Promise<UpdateFigures> {
    return this.#queue.run(async () => {
      signal.throwIfAborted();
      const name = this.#optimisation.nextBatch(training.label);
      try {
        return await this.#learn(training, {
          objective: parsed('objective', objectiveSchema, objective),
          name,
          signal,
        });
      } catch (thrown) {
        if (RunError.is(thrown)) this.#parameters.dropGradient();
        throw thrown;
      }
    });
  }

  apply(step: OptimiserStepInput): Promise<{ readonly gradNorm: number }> {
    return this.#queue.run(() => this.#optimisation.apply(step));
  }

  resetOptimiser(): Promise<void> {
    return this.#queue.run(async () => this.#optimisation.restart());
  }

  save(folder: string): Promise<void> {
    return this.#queue.run(async () => {
      this.#optimisation.assertApplied(folder);
      await writeChoiceState(folder, await this.#state());
    });
  }

  /** A copy of the current model, without accumulated gradients. */
  copy(): Promise<ChoiceModel> {
    return this.#queue.run(async () => new ChoiceModel(this.backend, await this.#state()));
  }

  load(folder: string): Promise<void> {
    return this.#queue.run(async () => {
      const state = await readChoiceState(folder);
      assertSameConfig(folder, state.config, this.config);
      this.#parameters.replace(state);
      this.#optimisation.goOnFrom(state);
    });
  }

  async dispose(): Promise<void> {
    await this.#queue.close(async () => this.#parameters.dispose());
  }

  async #state(): Promise<ChoiceState> {
    return {
      config: this.config,
      version: this.version,
      step: this.#optimisation.step,
      ...(await this.#parameters.download()),
    };
  }

  async #score(batch: ChoiceBatch): Promise<Float32Array> {
    assertBatch(batch, this.config.buckets);
    if (batch.candidateStart.length === 1) return new Float32Array(0);
    const rows = distinctRows(batch);
    const activations = this.#forward(rows);
    try {
      return await this.#readLogits(activations, rows, `batch scored at version ${this.version}`);
    } finally {
      dispose(activations);
    }
  }

  async #learn(
    training: ChoiceTraining,
    options: { readonly objective: Objective; readonly name: string; readonly signal: AbortSignal },
  ): Promise<UpdateFigures> {
    const { objective, name, signal } = options;
    assertTraining(training, this.config.buckets, name);
    if (training.candidateStart.length === 1)
      return choiceLoss(new Float32Array(0), training, objective, name).figures;
    const rows = distinctRows(training);
    const activations = this.#forward(rows);
    try {
      const logits = await this.#readLogits(activations, rows, name);
      signal.throwIfAborted();
      const { figures, gradient } = choiceLoss(logits, training, objective, name);
      if (figures.count === 0) return figures;
      await this.#parameters.addGradient(
        this.backend.run(() => backward(this.#parameters.weights, rows, activations, gradient)),
        name,
      );
      return figures;
    } finally {
      dispose(activations);
    }
  }

  #forward(rows: DistinctRows): Activations {
    return this.backend.run(() => forward(this.#parameters.weights, rows));
  }

  async #readLogits(activations: Activations, rows: DistinctRows, name: string): Promise<Float32Array> {
    const logits = spreadOverRows(rows, await this.backend.read(activations.logits));
    const at = logits.findIndex((logit) => !Number.isFinite(logit));
    if (at !== -1) throw notFinite(name, `logits[${at}]`, logits[at] as number);
    return logits;
  }
}

const temperatureSchema = z.number().positive();

function assertSameConfig(folder: string, stored: ChoiceConfig, own: ChoiceConfig): void {
  const keys = ['buckets', 'width', 'hidden', 'surroundings', 'features'] as const;
  const shapeOf = ({
    surroundings = false,
    features = true,
    ...sizes
  }: ChoiceConfig): Required<ChoiceConfig> => ({ ...sizes, surroundings, features });
  const [there, here] = [shapeOf(stored), shapeOf(own)];
  const different = keys.filter((key) => there[key] !== here[key]);
  if (different.length === 0) return;
  throw new UsageError({
    where: folder,
    what: `its model has ${different.map((key) => `${key} ${there[key]} instead of ${here[key]}`).join(', ')}.`,
    fix: `Use the values that the model was trained with: ${different.map((key) => `--with policy.${key}=${there[key]}`).join(' ')}.`,
  });
}
