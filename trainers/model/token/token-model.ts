import { clone, dispose, tensor2d } from '@tensorflow/tfjs-core';
import { z } from 'zod';
import { RunError, UsageError } from '../../../envs/core/errors.ts';
import { describeIssues } from '../../../envs/core/issues.ts';
import type { TensorBackend } from '../backend/backend.ts';
import { isMemoryFull } from '../backend/memory-full.ts';
import { notFinite } from '../not-finite.ts';
import { optimiserStepSchema, type OptimiserStepInput } from '../policy-model.ts';
import { SerialQueue } from '../serial-queue.ts';
import { scoreHidden, scoreHiddenGradient, type WantedTokens } from './head.ts';
import { planMicroBatches } from './micro-batches.ts';
import { backward, forward, type Transformer } from './network.ts';
import type { ScoreSlopes } from './operations/score-tokens.ts';
import { packRows, type PackedTokens } from './packed-tokens.ts';
import { assertTokenBatch, assertTokenTraining, selectRows, type TokenBatch, type TokenTraining } from './token-batch.ts';
import { readTokenState, writeTokenState, type TrainingProgress } from './token-checkpoint.ts';
import { TokenLoss, type TokenFigures, type TokenValues } from './token-loss.ts';
import { tokenObjectiveSchema, type TokenObjective, type TokenObjectiveInput } from './token-objective.ts';
import { TokenParameters, trainedTensors, withTrained } from './token-parameters.ts';
import type { NamedTensors } from './weight-layout.ts';

/** How much of a batch is computed at once. The results do not depend on it, up to the rounding of sums. */
export const tokenModelSettingsSchema = z.strictObject({
  /** Tokens of one pass; a row is never cut, so the longest must fit. */
  tokensAtOnce: z.int().min(1).default(8192),
  /** Compute each layer again in the backward pass instead of keeping what it computed: less memory, a third more work. */
  recompute: z.boolean().default(false),
});
export type TokenModelSettingsInput = z.input<typeof tokenModelSettingsSchema>;
type TokenModelSettings = z.output<typeof tokenModelSettingsSchema>;

export interface TokenModelOptions extends Partial<TrainingProgress> {
  readonly backend: TensorBackend;
  /** Its tensors are taken over. With an adapter only that is trained, and the weights are the reference that it began from. */
  readonly transformer: Transformer;
  /** Name or folder of the model that an adapter changes. */
  readonly baseModel: string;
  readonly settings?: TokenModelSettingsInput;
}

/**
 * A language model as a policy: scores tokens and learns from them, with the calls and the care of `PolicyModel`. Calls are answered one
 * after the other, in the order they came.
 *
 * Wrong batches throw a `UsageError`. A loss, gradient or log-probability that is not finite throws a `RunError` that names batch and
 * tensor, before any weight has moved, as does memory that is full; gradients accumulated so far are dropped with it.
 */
export class TokenModel {
  readonly backend: TensorBackend;
  readonly #queue = new SerialQueue();
  readonly #parameters: TokenParameters;
  readonly #settings: TokenModelSettings;
  readonly #baseModel: string;
  #version: number;
  #step: number;
  /** What was trained as it was when it became the reference. */
  #reference: NamedTensors | undefined;
  /** Batches since the last `apply`. */
  #batches = 0;
  #isDisposed = false;

  constructor({ backend, transformer, baseModel, settings = {}, version = 0, step = 0 }: TokenModelOptions) {
    this.backend = backend;
    this.#settings = parsed('token model settings', tokenModelSettingsSchema, settings);
    this.#parameters = new TokenParameters(backend, transformer, { first: {}, second: {} });
    this.#baseModel = baseModel;
    this.#version = version;
    this.#step = step;
  }

  /** Goes up by one with each `apply`. */
  get version(): number {
    return this.#version;
  }

  /** The weights of that version; the next `apply` or `load` frees those that it replaces, so use them within {@link exclusively}. */
  get transformer(): Transformer {
    return this.#parameters.transformer;
  }

  /** Runs work in turn with the other calls: weights change only before and after it. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(work);
  }

  /** Log-probability of each scored token at that temperature. */
  logprobs(batch: TokenBatch, temperature: number): Promise<Float32Array> {
    return this.#inTurn(async () => this.#logprobs(this.transformer, batch, temperature));
  }

  /** From now on the weights of this moment are the reference. Of a model with an adapter these are the adapter's alone: there is one copy of all others. */
  keepReference(): Promise<void> {
    return this.#inTurn(async () => {
      const trained = Object.entries(trainedTensors(this.transformer)); // a tensor is never written into: a clone shares its values until a step makes others
      const reference = this.backend.run(() => Object.fromEntries(trained.map(([name, tensor]) => [name, clone(tensor)])));
      dispose(this.#reference ?? {});
      this.#reference = reference;
    });
  }

  /** The same of the reference: the weights that were kept, or, where none were, the model with its adapter off. */
  referenceLogprobs(batch: TokenBatch, temperature: number): Promise<Float32Array> {
    return this.#inTurn(async () => this.#logprobs(this.#referenceTransformer(), batch, temperature));
  }

  /** Adds the gradient of the batch's loss to what has accumulated since the last `apply`. */
  accumulate(training: TokenTraining, objective: TokenObjectiveInput, signal: AbortSignal): Promise<TokenFigures> {
    return this.#inTurn(async () => {
      signal.throwIfAborted();
      this.#batches += 1;
      const name = training.label ?? `batch ${this.#batches} after version ${this.#version}`;
      try {
        return await this.#learn(training, { objective: parsed('objective', tokenObjectiveSchema, objective), name, signal });
      } catch (thrown) {
        if (UsageError.is(thrown)) throw thrown; // refused before anything was computed
        this.#parameters.dropGradient(); // a part of this batch may be in it
        throw this.#explained(thrown, name);
      }
    });
  }

  /** Moves what is trained by what has accumulated; `gradNorm` is its length before clipping. Biases and norms are spared from weight decay. */
  apply(step: OptimiserStepInput): Promise<{ readonly gradNorm: number }> {
    return this.#inTurn(async () => {
      const { maxGradNorm, ...constants } = parsed('optimiser step', optimiserStepSchema, step);
      if (!this.#parameters.hasGradient) throw nothingToApply();
      this.#batches = 0;
      const gradNorm = await this.#parameters.step({ maxGradNorm, constants: { ...constants, step: this.#step + 1 } });
      this.#step += 1;
      this.#version += 1;
      return { gradNorm };
    });
  }

  /** Writes what is trained, optimiser moments and version into the folder, which is made where it is missing. */
  save(folder: string): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#parameters.hasGradient) throw unappliedGradient(folder);
      const { transformer, moments } = this.#parameters;
      await writeTokenState(folder, this.backend, { transformer, moments, version: this.#version, step: this.#step, baseModel: this.#baseModel });
    });
  }

  /** Takes everything `save` wrote. Gradients accumulated so far are dropped. */
  load(folder: string): Promise<void> {
    return this.#inTurn(async () => {
      const { trained, moments, version, step } = await readTokenState(folder, this.backend, this.#parameters.shape);
      this.#parameters.replace(trained, moments);
      this.#version = version;
      this.#step = step;
      this.#batches = 0;
    });
  }

  /** Frees what the model holds on its backend, once the calls before it are answered. A second call does nothing. */
  async dispose(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    await this.#queue.run(async () => {
      this.#parameters.dispose();
      dispose(this.#reference ?? {});
    });
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isDisposed) throw afterDispose();
    return this.#queue.run(work);
  }

  #referenceTransformer(): Transformer {
    if (this.#reference !== undefined) return withTrained(this.transformer, this.#reference);
    if (this.transformer.adapter === undefined) throw withoutReference();
    return { ...this.transformer, adapter: undefined };
  }

  async #logprobs(transformer: Transformer, batch: TokenBatch, temperature: number): Promise<Float32Array> {
    parsed('temperature', temperatureSchema, temperature);
    assertTokenBatch(batch, transformer.config);
    const name = `batch scored at version ${this.#version}`;
    const all = new Float32Array(batch.scored.length);
    for (const rows of planMicroBatches(batch, this.#settings.tokensAtOnce)) {
      const part = selectRows(batch, rows);
      const values = await this.#scorePart(transformer, part.batch, temperature).catch((thrown: unknown) => {
        throw this.#explained(thrown, name);
      });
      for (const [at, scored] of part.scored.entries()) all[scored] = values[at] as number;
    }
    const at = all.findIndex((logprob) => !Number.isFinite(logprob));
    if (at !== -1) throw notFinite(name, `logprob of scored token ${at}`, all[at] as number);
    return all;
  }

  async #scorePart(transformer: Transformer, part: TokenBatch, temperature: number): Promise<Float32Array> {
    const { packed, wanted } = inputsOf(part, temperature);
    const logprob = this.backend.run(() => scoreHidden(transformer, forward(transformer, packed, { recompute: true }).hidden, wanted).logprob);
    try {
      return await this.backend.read(logprob);
    } finally {
      logprob.dispose();
    }
  }

  async #learn(
    training: TokenTraining,
    of: { readonly objective: TokenObjective; readonly name: string; readonly signal: AbortSignal },
  ): Promise<TokenFigures> {
    assertTokenTraining(training, this.transformer.config, of.name);
    const loss = new TokenLoss(training, of.objective, of.name);
    for (const rows of planMicroBatches(training, this.#settings.tokensAtOnce)) {
      of.signal.throwIfAborted();
      await this.#learnRows(training, rows, { loss, temperature: of.objective.temperature });
    }
    await this.#parameters.assertGradientFinite(of.name);
    return loss.figures();
  }

  async #learnRows(training: TokenTraining, rows: Int32Array, { loss, temperature }: { readonly loss: TokenLoss; readonly temperature: number }): Promise<void> {
    const { transformer } = this;
    const { packed, wanted } = inputsOf(selectRows(training, rows).batch, temperature);
    const made = this.backend.run(() => {
      const passed = forward(transformer, packed, this.#settings);
      return { ...passed, scores: scoreHidden(transformer, passed.hidden, wanted) };
    });
    try {
      const slopes = loss.add(rows, { logprob: await this.backend.read(made.scores.logprob), entropy: await this.backend.read(made.scores.entropy) });
      if (![slopes.logprob, slopes.entropy].some((values) => values.some((slope) => slope !== 0))) return;
      const gradient = this.backend.run(() => {
        const head = scoreHiddenGradient(transformer, made.hidden, wanted, { scores: made.scores, slopes: columnsOf(slopes) });
        return { ...backward(transformer, packed, made.activations, head) }; // the copy has a type that tensors are looked for in
      });
      this.#parameters.addGradient(gradient);
    } finally {
      dispose(made);
    }
  }

  /** What failed, in words of these settings where memory was full. */
  #explained(thrown: unknown, name: string): unknown {
    if (!isMemoryFull(thrown)) return thrown;
    const { tokensAtOnce, recompute } = this.#settings;
    return new RunError(
      {
        where: name,
        what: `memory is full (${thrown.message}); the weights have not been moved.`,
        mend: `Lower tokensAtOnce, which is ${tokensAtOnce}${recompute ? '' : ', set recompute'}, train an adapter in place of all weights, or take a smaller model.`,
      },
      { cause: thrown },
    );
  }
}

const temperatureSchema = z.number().positive();

/** What a pass computes with: each scored token is asked about at the place before it. */
function inputsOf({ tokens, rowStart, scored, allowed }: TokenBatch, temperature: number): { readonly packed: PackedTokens; readonly wanted: WantedTokens } {
  const rows = Array.from({ length: rowStart.length - 1 }, (_, row) => tokens.subarray(rowStart[row], rowStart[row + 1]));
  const wanted = {
    places: scored.map((place) => place - 1),
    targets: scored.map((place) => tokens[place] as number),
    temperature,
    ...(allowed === undefined ? {} : { allowed }),
  };
  return { packed: packRows(rows), wanted };
}

function columnsOf({ logprob, entropy }: TokenValues): ScoreSlopes {
  return { logprob: tensor2d(logprob, [logprob.length, 1]), entropy: tensor2d(entropy, [entropy.length, 1]) };
}

function parsed<T extends z.ZodType>(where: string, schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new UsageError({ where, what: `${describeIssues(result.error)}.`, mend: 'Give a value that its schema allows.' });
}

function withoutReference(): UsageError {
  return new UsageError({
    where: 'referenceLogprobs',
    what: 'no reference was kept, and the model has no adapter without which its weights would be one.',
    mend: 'Call keepReference before, or train an adapter.',
  });
}

function nothingToApply(): UsageError {
  return new UsageError({
    where: 'apply',
    what: 'no gradient has accumulated since the last one.',
    mend: 'Call accumulate first, with at least one token of weight above 0.',
  });
}

function unappliedGradient(folder: string): UsageError {
  return new UsageError({
    where: `save into ${folder}`,
    what: 'a gradient has accumulated that has not been applied, and it would be lost.',
    mend: 'Call apply before save.',
  });
}

function afterDispose(): UsageError {
  return new UsageError({ where: 'token model', what: 'it was used after dispose.', mend: 'Dispose it when nothing needs it any more.' });
}
