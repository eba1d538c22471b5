import type { AdamConstants } from './kernels/operations.ts';
import { optimiserStepSchema, type OptimiserStepInput } from './policy-model.ts';
import { nothingToApply, parsed, unappliedGradient } from './wrong-use.ts';

/**
 * The file of a model's folder that holds the moments of its optimiser, which only training needs: a safetensors file by another name, since
 * vLLM and SGLang take every `*.safetensors` of a folder for weights.
 */
export const optimiserFile = 'optimiser.state';

export interface StepOptions {
  readonly maxGradNorm: number;
  readonly constants: Omit<AdamConstants, 'gradientScale'>;
}

/** Parameters with an accumulated gradient and the moments of an optimiser. */
export interface Optimised {
  readonly hasGradient: boolean;
  /** One AdamW step along the gradient, which is used up; returns its length before it was clipped. */
  step(options: StepOptions): Promise<number>;
  forgetMoments(): void;
}

/** How far a model has been trained. */
export interface TrainedSoFar {
  readonly version: number;
  /** AdamW steps since the optimiser began. */
  readonly step: number;
}

/** What moves a model: counts the batches that its gradient is from, the steps of its optimiser and its versions. */
export class Optimisation {
  readonly #parameters: Optimised;
  readonly #unit: 'decision' | 'token';
  #version: number;
  #step: number;
  /** Since the last step. */
  #batches = 0;

  /** @param unit what a batch is made of */
  constructor(parameters: Optimised, unit: 'decision' | 'token', { version, step }: TrainedSoFar) {
    this.#parameters = parameters;
    this.#unit = unit;
    this.#version = version;
    this.#step = step;
  }

  /** Goes up by one with each step. */
  get version(): number {
    return this.#version;
  }

  get step(): number {
    return this.#step;
  }

  /** Begins a batch, and names it in errors. */
  nextBatch(label: string | undefined): string {
    this.#batches += 1;
    return label ?? `batch ${this.#batches} after version ${this.#version}`;
  }

  /** Moves the parameters by what has accumulated; `gradNorm` is its length before clipping. */
  async apply(options: OptimiserStepInput): Promise<{ readonly gradNorm: number }> {
    const { maxGradNorm, ...constants } = parsed('optimiser step', optimiserStepSchema, options);
    if (!this.#parameters.hasGradient) throw nothingToApply(this.#unit);
    this.#batches = 0;
    const gradNorm = await this.#parameters.step({
      maxGradNorm,
      constants: { ...constants, step: this.#step + 1 },
    });
    this.#step += 1;
    this.#version += 1;
    return { gradNorm };
  }

  /** The optimiser begins anew: without moments, and with its first step. */
  restart(): void {
    this.#parameters.forgetMoments();
    this.#step = 0;
  }

  /** Other parameters were taken, which have been trained so far. */
  goOnFrom({ version, step }: TrainedSoFar): void {
    this.#version = version;
    this.#step = step;
    this.#batches = 0;
  }

  /** Refuses, with a `UsageError`, to save what would lose a gradient. */
  assertApplied(folder: string): void {
    if (this.#parameters.hasGradient) throw unappliedGradient(folder);
  }
}
