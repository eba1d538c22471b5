import type { AdamConstants } from './kernels/operations.ts';
import { optimiserStepSchema, type Optimiser, type OptimiserStepInput } from './policy-model.ts';
import { nothingToApply, parsed, unappliedGradient } from './wrong-use.ts';

/**
 * The file of a model's folder with the optimiser's moments, which only training needs. It is a safetensors
 * file with another suffix, because vLLM and SGLang read every `*.safetensors` of a folder as weights.
 */
export const optimiserFile = 'optimiser.state';

export interface StepOptions {
  readonly maxGradNorm: number;
  readonly optimiser: Optimiser;
  readonly constants: Omit<AdamConstants, 'gradientScale'>;
}

/** Parameters with an accumulated gradient and optimiser moments. */
export interface Optimised {
  readonly hasGradient: boolean;
  /**
   * One step along the accumulated gradient, which is then cleared. Returns the gradient's norm before
   * clipping.
   */
  step(options: StepOptions): Promise<number>;
  forgetMoments(): void;
}

/** How far a model has been trained. */
export interface TrainedSoFar {
  readonly version: number;
  /** Steps since the optimiser was created or reset. */
  readonly step: number;
}

/** Counts the batches of the current gradient, the optimiser steps and the versions of a model. */
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

  /** Increases by one with each step. */
  get version(): number {
    return this.#version;
  }

  get step(): number {
    return this.#step;
  }

  /** Starts a batch and returns its name for errors. */
  nextBatch(label: string | undefined): string {
    this.#batches += 1;
    return label ?? `batch ${this.#batches} after version ${this.#version}`;
  }

  /** Updates the parameters by the accumulated gradient; `gradNorm` is its norm before clipping. */
  async apply(options: OptimiserStepInput): Promise<{ readonly gradNorm: number }> {
    const { maxGradNorm, optimiser, ...constants } = parsed('optimiser step', optimiserStepSchema, options);
    if (!this.#parameters.hasGradient) throw nothingToApply(this.#unit);
    this.#batches = 0;
    const gradNorm = await this.#parameters.step({
      maxGradNorm,
      optimiser,
      constants: { ...constants, step: this.#step + 1 },
    });
    this.#step += 1;
    this.#version += 1;
    return { gradNorm };
  }

  /** Resets the optimiser: no moments, and step 0. */
  restart(): void {
    this.#parameters.forgetMoments();
    this.#step = 0;
  }

  /** Continues from loaded parameters and their training progress. */
  goOnFrom({ version, step }: TrainedSoFar): void {
    this.#version = version;
    this.#step = step;
    this.#batches = 0;
  }

  /** Refuses to save while a gradient would be lost. @throws UsageError */
  assertApplied(folder: string): void {
    if (this.#parameters.hasGradient) throw unappliedGradient(folder);
  }
}
