import { z } from 'zod';
import { RunError, UsageError } from '../../envs/core/errors.ts';
import type { TensorBackend } from '../backend/backend.ts';
import { isMemoryFull } from '../backend/memory-full.ts';
import type { LossSums } from '../loss-totals.ts';
import { notFinite } from '../not-finite.ts';
import { Optimisation, type TrainedSoFar } from '../optimisation.ts';
import type { OptimiserStepInput, PolicyModel } from '../policy-model.ts';
import { ClosableQueue } from '../serial-queue.ts';
import { parsed } from '../wrong-use.ts';
import type { CachedPasses, CacheSize } from './generate/cached-passes.ts';
import { longestRow, planMicroBatches, tokensOfShare } from './micro-batches.ts';
import { precisionOf, type Transformer } from './network.ts';
import { LocalPasses } from './passes/local-passes.ts';
import type { LearnJob, Passes, ScoreJob } from './passes/passes.ts';
import { WorkerPasses } from './passes/worker-passes.ts';
import {
  assertTokenBatch,
  assertTokenTraining,
  selectRows,
  type TokenBatch,
  type TokenTraining,
} from './token-batch.ts';
import { readTokenState, writeTokenState, writeTrainedAdapter, type BaseModel } from './token-checkpoint.ts';
import { TokenLoss, type TokenFigures } from './token-loss.ts';
import { tokenObjectiveSchema, type TokenObjectiveInput } from './token-objective.ts';
import { TokenParameters } from './token-parameters.ts';

/**
 * How much of a batch is computed at once, and by which threads. Results do not depend on it, except for the
 * rounding of sums.
 */
export const tokenModelSettingsSchema = z.strictObject({
  /** Tokens of one pass. A row is never split, so the longest must fit. */
  tokensAtOnce: z.int().min(1).default(8192),
  /**
   * Recompute each layer in the backward pass instead of storing its results: less memory, a third more work.
   */
  recompute: z.boolean().default(false),
  /**
   * Threads that share a batch's passes, each with a copy of the weights on its own `wasm`; 0: only this
   * thread, on the model's backend. Any number from 1 gives bit-equal results; those of 0 differ by rounding,
   * because its passes are larger.
   */
  workers: z.int().min(0).max(64).default(0),
});
export type TokenModelSettingsInput = z.input<typeof tokenModelSettingsSchema>;
type TokenModelSettings = z.output<typeof tokenModelSettingsSchema>;

export interface TokenModelOptions extends Partial<TrainedSoFar> {
  readonly backend: TensorBackend;
  /**
   * The model takes ownership of its tensors. With an adapter only that is trained, and the weights are the
   * initial reference.
   */
  readonly transformer: Transformer;
  readonly baseModel: BaseModel;
  readonly settings?: TokenModelSettingsInput;
}

/**
 * A language model that scores tokens and is trained on them. @throws RunError before any weight has changed
 * if memory is full
 */
export class TokenModel implements PolicyModel<TokenBatch, TokenTraining, TokenObjectiveInput, TokenFigures> {
  readonly backend: TensorBackend;
  readonly #queue = new ClosableQueue('token model');
  readonly #parameters: TokenParameters;
  /** Whether no weight can be trained: all are in bfloat16, and what a step adds is mostly too small for them. */
  readonly #isFrozen: boolean;
  readonly #settings: TokenModelSettings;
  readonly #passes: Passes;
  readonly #baseModel: BaseModel;
  readonly #optimisation: Optimisation;

  constructor({ backend, transformer, baseModel, settings = {}, version = 0, step = 0 }: TokenModelOptions) {
    this.backend = backend;
    this.#settings = parsed('token model settings', tokenModelSettingsSchema, settings);
    const { workers } = this.#settings;
    if (workers > 0 && backend.name !== 'wasm') throw workersElsewhere(workers, backend.name);
    this.#isFrozen = transformer.adapter === undefined && precisionOf(transformer) !== 'float32';
    this.#parameters = new TokenParameters(backend, transformer, { first: {}, second: {} });
    this.#passes =
      workers === 0 ? new LocalPasses(this.#parameters) : new WorkerPasses(this.#parameters, workers);
    this.#baseModel = baseModel;
    this.#optimisation = new Optimisation(this.#parameters, 'token', { version, step });
  }

  /** Increases by one with each `apply`. */
  get version(): number {
    return this.#optimisation.version;
  }

  get baseModel(): BaseModel {
    return this.#baseModel;
  }

  /**
   * The current weights. The next `apply` or `load` frees those that it replaces, so use them within
   * {@link exclusively}.
   */
  get transformer(): Transformer {
    return this.#parameters.transformer;
  }

  /** Runs work in order with the other calls: weights change only before and after it. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work);
  }

  /**
   * Generation passes by the model's workers, to be run {@link exclusively}; undefined without workers, or
   * with too few slots to share.
   */
  cachedPasses(size: CacheSize): CachedPasses | undefined {
    return this.#passes.cached(size);
  }

  /** Log-probability of each scored token at that temperature. */
  logprobs(batch: TokenBatch, temperature: number): Promise<Float32Array> {
    return this.#queue.run(async () => this.#logprobs(batch, temperature, 'trained'));
  }

  /**
   * Makes the current weights the reference. With an adapter, only its weights are kept, because there is one
   * copy of all others.
   */
  keepReference(): Promise<void> {
    return this.#queue.run(async () => this.#parameters.keepReference());
  }

  /** The same under the reference: the kept weights or, if none were kept, the model without its adapter. */
  referenceLogprobs(batch: TokenBatch, temperature: number): Promise<Float32Array> {
    return this.#queue.run(async () => {
      if (this.#parameters.reference === undefined && this.transformer.adapter === undefined)
        throw withoutReference();
      return this.#logprobs(batch, temperature, 'reference');
    });
  }

  /** Adds the gradient of the batch's loss to the one accumulated since the last `apply`. */
  accumulate(
    training: TokenTraining,
    objective: TokenObjectiveInput,
    signal: AbortSignal,
  ): Promise<TokenFigures> {
    return this.#queue.run(async () => {
      signal.throwIfAborted();
      this.#assertTrainable('accumulate');
      const name = this.#optimisation.nextBatch(training.label);
      try {
        const { recompute } = this.#settings;
        return await this.#learn(
          { training, objective: parsed('objective', tokenObjectiveSchema, objective), recompute, name },
          signal,
        );
      } catch (thrown) {
        if (UsageError.is(thrown)) throw thrown; // refused before anything was computed
        this.#parameters.dropGradient(); // it may include part of this batch
        throw this.#explained(thrown, name);
      }
    });
  }

  /**
   * Updates the trained weights by the accumulated gradient; `gradNorm` is its norm before clipping. Biases
   * and norms are exempt from weight decay.
   */
  apply(step: OptimiserStepInput): Promise<{ readonly gradNorm: number }> {
    return this.#queue.run(() => this.#optimisation.apply(step));
  }

  /** Resets the optimiser: no moments, and step 0. */
  resetOptimiser(): Promise<void> {
    return this.#queue.run(async () => this.#optimisation.restart());
  }

  /** Writes what is trained, optimiser moments and version into the folder, which is made where it is missing. */
  save(folder: string): Promise<void> {
    return this.#queue.run(async () => {
      this.#optimisation.assertApplied(folder);
      this.#assertTrainable('save');
      const { transformer, moments } = this.#parameters;
      await writeTokenState(folder, this.backend, {
        transformer,
        moments,
        version: this.version,
        step: this.#optimisation.step,
        baseModel: this.#baseModel,
      });
    });
  }

  /** Writes the adapter alone, in PEFT's format, also where a gradient has accumulated. */
  writeAdapter(folder: string): Promise<void> {
    return this.#queue.run(() =>
      writeTrainedAdapter(folder, this.backend, {
        transformer: this.transformer,
        version: this.version,
        baseModel: this.#baseModel,
      }),
    );
  }

  /** Takes everything `save` wrote. Gradients accumulated so far are dropped. */
  load(folder: string): Promise<void> {
    return this.#queue.run(async () => {
      this.#assertTrainable('load');
      const { trained, moments, ...soFar } = await readTokenState(
        folder,
        this.backend,
        this.#parameters.shape,
      );
      this.#parameters.replace(trained, moments);
      this.#optimisation.goOnFrom(soFar);
    });
  }

  /** Frees what the model holds on its backend and ends its workers, once the calls before it are answered. A second call does nothing. */
  async dispose(): Promise<void> {
    await this.#queue.close(async () => {
      this.#parameters.dispose();
      await this.#passes.close();
    });
  }

  #assertTrainable(where: string): void {
    if (!this.#isFrozen) return;
    throw new UsageError({
      where: `token model, ${where}`,
      what: 'its weights are held in bf16, and so are not trained.',
      fix: 'Train an adapter, or open the model in float32.',
    });
  }

  async #logprobs(batch: TokenBatch, temperature: number, whose: ScoreJob['whose']): Promise<Float32Array> {
    parsed('temperature', temperatureSchema, temperature);
    assertTokenBatch(batch, this.transformer.config);
    const name = `batch scored at version ${this.version}`;
    const all = new Float32Array(batch.scored.length);
    const plan = this.#plan(batch);
    let pass = 0;
    try {
      for await (const values of this.#passes.score({ batch, temperature, whose, name }, plan)) {
        const { scored } = selectRows(batch, plan[pass] as Int32Array);
        for (const [at, number] of scored.entries()) all[number] = values[at] as number;
        pass += 1;
      }
    } catch (thrown) {
      throw this.#explained(thrown, name);
    }
    const at = all.findIndex((logprob) => !Number.isFinite(logprob));
    if (at !== -1) throw notFinite(name, `logprob of scored token ${at}`, all[at] as number);
    return all;
  }

  async #learn(job: LearnJob, signal: AbortSignal): Promise<TokenFigures> {
    assertTokenTraining(job.training, this.transformer.config, job.name);
    const loss = new TokenLoss(job.training, job.objective, job.name);
    const parts: LossSums[] = [];
    for await (const { sums, gradient } of this.#passes.learn(job, this.#plan(job.training), signal)) {
      parts.push(sums);
      if (gradient !== undefined) this.#parameters.addGradient(gradient); // in the order of the plan, so that rounding is the same wherever it was computed
    }
    const figures = loss.figures(parts);
    if (figures.weight > 0) this.#parameters.addZeros();
    await this.#parameters.assertGradientFinite(job.name);
    return figures;
  }

  #plan(batch: TokenBatch): readonly Int32Array[] {
    const { tokensAtOnce, workers } = this.#settings;
    return planMicroBatches(
      batch,
      workers === 0
        ? tokensAtOnce
        : tokensOfShare({ tokens: batch.tokens.length, longest: longestRow(batch) }, tokensAtOnce),
    );
  }

  /** What failed, in words of these settings where memory was full. */
  #explained(thrown: unknown, name: string): unknown {
    if (!isMemoryFull(thrown)) return thrown;
    const { tokensAtOnce, recompute, workers } = this.#settings;
    const [less, fewer] = [recompute ? '' : ', set recompute', workers > 1 ? ', take fewer workers' : ''];
    return new RunError(
      {
        where: name,
        what: `memory is full (${thrown.message}); the weights have not been moved.`,
        fix: `Lower tokensAtOnce, which is ${tokensAtOnce}${less}${fewer}, train an adapter in place of all weights, or take a smaller model.`,
      },
      { cause: thrown },
    );
  }
}

const temperatureSchema = z.number().positive();

function workersElsewhere(workers: number, backend: string): UsageError {
  return new UsageError({
    where: 'token model settings, workers',
    what: `${workers} workers were asked for, which compute on the processor, but the model is on ${backend}.`,
    fix: 'Open the backend wasm, or set workers to 0.',
  });
}

function withoutReference(): UsageError {
  return new UsageError({
    where: 'referenceLogprobs',
    what: 'no reference was kept, and the model has no adapter without which its weights would be one.',
    fix: 'Call keepReference before, or train an adapter.',
  });
}
