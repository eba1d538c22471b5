import { add, clone, dispose, stack, zerosLike, type Scalar, type Tensor2D } from '@tensorflow/tfjs-core';
import { RunError } from '../../envs/core/errors.ts';
import type { TensorBackend } from '../backend/backend.ts';
import { adamStep, sumOfSquares, type AdamConstants, type AdamState } from '../kernels/operations.ts';
import { muonStep } from '../kernels/muon.ts';
import { notFinite } from '../not-finite.ts';
import type { Optimised, StepOptions } from '../optimisation.ts';
import type { Optimiser } from '../policy-model.ts';
import { factorShapes, type LoraConfig } from './lora.ts';
import type { Transformer } from './network.ts';
import type { TransformerConfig } from './transformer-config.ts';
import {
  embeddingName,
  headName,
  tensorNamed,
  weightShapes,
  type NamedTensors,
  type StoredShape,
} from './weight-layout.ts';

/** AdamW's two moments of what is trained, by its names; none of either before the first step. */
export type Moments = {
  readonly first: NamedTensors;
  readonly second: NamedTensors;
};

/** Which model is trained, and the adapter where it is that alone. */
export interface TrainedShape {
  readonly config: TransformerConfig;
  readonly lora: LoraConfig | undefined;
}

/** A transformer that is trained: all its weights, or the factors of its adapter alone, with optimiser moments and accumulated gradient. */
export class TokenParameters implements Optimised {
  readonly backend: TensorBackend;
  #transformer: Transformer;
  #moments: Moments;
  #reference: NamedTensors | undefined;
  #gradient: Record<string, Tensor2D> | undefined;
  /** Squared lengths of the gradient by name, once it was found finite. */
  #squares: ReadonlyMap<string, number> | undefined;
  /** Whether a step was broken off between two tensors. */
  #isTorn = false;

  /** Takes over the tensors. */
  constructor(backend: TensorBackend, transformer: Transformer, moments: Moments) {
    this.backend = backend;
    this.#transformer = transformer;
    this.#moments = moments;
  }

  /** As it is now: its tensors are freed by the next step. */
  get transformer(): Transformer {
    if (this.#isTorn) throw torn();
    return this.#transformer;
  }

  /** What was trained as it was when it became the reference; undefined where none was kept. */
  get reference(): NamedTensors | undefined {
    return this.#reference;
  }

  get moments(): Moments {
    return this.#moments;
  }

  get shape(): TrainedShape {
    return { config: this.#transformer.config, lora: this.#transformer.adapter?.config };
  }

  get hasGradient(): boolean {
    return this.#gradient !== undefined;
  }

  /** Adds a gradient, whose tensors are taken over. Where that fails, nothing is left of what had accumulated. */
  addGradient(gradient: NamedTensors): void {
    const sums = this.#gradient ?? {};
    const rest: Record<string, Tensor2D> = { ...gradient };
    this.#gradient = sums;
    this.#squares = undefined;
    try {
      for (const [name, part] of Object.entries(gradient)) {
        const before = sums[name];
        sums[name] = before === undefined ? part : this.backend.run(() => add<Tensor2D>(before, part));
        if (before !== undefined) dispose([before, part]);
        delete rest[name];
      }
    } catch (thrown) {
      dispose(rest);
      this.dropGradient();
      throw thrown;
    }
  }

  /** A gradient of zeros where none has accumulated: a batch can ask for no move, as where all of its tokens are clipped, and the moments make one. */
  addZeros(): void {
    if (this.#gradient !== undefined) return;
    const trained = Object.entries(trainedTensors(this.transformer));
    this.addGradient(
      this.backend.run(() => Object.fromEntries(trained.map(([name, tensor]) => [name, zerosLike(tensor)]))),
    );
  }

  /** Throws a `RunError` that names the batch and the weight where what has accumulated is not finite. */
  async assertGradientFinite(batch: string): Promise<void> {
    const gradient = this.#gradient;
    if (gradient === undefined || this.#squares !== undefined) return;
    const names = Object.keys(gradient);
    const together = this.backend.run(() =>
      stack(names.map((name): Scalar => sumOfSquares(tensorNamed(gradient, name)))),
    );
    let squares: Float32Array;
    try {
      squares = await this.backend.read(together);
    } finally {
      together.dispose();
    }
    const at = squares.findIndex((square) => !Number.isFinite(square));
    if (at !== -1) throw notFinite(batch, `gradient of ${names[at]}`, squares[at] as number);
    this.#squares = new Map(names.map((name, index) => [name, squares[index] as number]));
  }

  /** One step of the optimiser along the accumulated gradient, which is used up; returns its length before it was clipped. */
  async step(options: StepOptions): Promise<number> {
    await this.assertGradientFinite('the accumulated gradient');
    const [gradient, squares] = [this.#gradient, this.#squares];
    if (gradient === undefined || squares === undefined)
      throw new TypeError('there is no gradient to step along');
    this.#gradient = undefined;
    this.#squares = undefined;
    const gradNorm = Math.sqrt([...squares.values()].reduce((total, square) => total + square, 0));
    // As torch.nn.utils.clip_grad_norm_ does, its 1e-6 included.
    const gradientScale = Math.min(1, options.maxGradNorm / (gradNorm + 1e-6));
    this.#isTorn = true;
    try {
      this.#stepAlong(gradient, options.optimiser, { ...options.constants, gradientScale });
      this.#isTorn = false;
    } finally {
      dispose(gradient);
    }
    return gradNorm;
  }

  /** Tensor by tensor, so that only one stands beside what it becomes. */
  #stepAlong(gradient: Record<string, Tensor2D>, optimiser: Optimiser, constants: AdamConstants): void {
    const values: Record<string, Tensor2D> = { ...trainedTensors(this.#transformer) };
    const moments = { first: { ...this.#moments.first }, second: { ...this.#moments.second } };
    for (const [name, shape] of trainedShapes(this.shape)) {
      const value = tensorNamed(values, name);
      const [first, second] = [moments.first[name], moments.second[name]];
      const slope = tensorNamed(gradient, name);
      const weightDecay = shape.length === 1 ? 0 : constants.weightDecay; // biases and norms are spared
      const after: AdamState = this.backend.run(() => {
        const before = { value, first: first ?? zerosLike(value), second: second ?? zerosLike(value) };
        return optimiser.kind === 'muon' && isHidden(name, shape)
          ? muonStep(before, slope, { ...constants, momentum: optimiser.momentum })
          : adamStep(before, slope, { ...constants, weightDecay });
      });
      values[name] = after.value;
      moments.first[name] = after.first;
      moments.second[name] = after.second;
      this.#transformer = withTrained(this.#transformer, values);
      this.#moments = moments;
      dispose([
        value,
        slope,
        ...(first === undefined ? [] : [first]),
        ...(second === undefined ? [] : [second]),
      ]);
      delete gradient[name];
    }
  }

  /** As before the first step. */
  forgetMoments(): void {
    dispose(this.#moments);
    this.#moments = { first: {}, second: {} };
  }

  /** From now on what is trained as it is now is the reference. */
  keepReference(): void {
    const trained = Object.entries(trainedTensors(this.transformer)); // a tensor is never written into: a clone shares its values until a step makes others
    const reference = this.backend.run(() =>
      Object.fromEntries(trained.map(([name, tensor]) => [name, clone(tensor)])),
    );
    dispose(this.#reference ?? {});
    this.#reference = reference;
  }

  dropGradient(): void {
    if (this.#gradient !== undefined) dispose(this.#gradient);
    this.#gradient = undefined;
    this.#squares = undefined;
  }

  /** Replaces what is trained and its moments by others, whose tensors are taken over; the gradient is dropped. */
  replace(trained: NamedTensors, moments: Moments): void {
    const before = [trainedTensors(this.#transformer), this.#moments];
    this.#transformer = withTrained(this.#transformer, trained);
    this.#moments = moments;
    this.#isTorn = false;
    dispose(before);
    this.dropGradient();
  }

  dispose(): void {
    this.dropGradient();
    dispose([
      this.#transformer.weights,
      this.#transformer.adapter?.factors ?? {},
      this.#moments,
      this.#reference ?? {},
    ]);
  }
}

/** Whether Muon takes it: a matrix between hidden units, which embedding and output layer are not. */
const isHidden = (name: string, shape: StoredShape): boolean =>
  shape.length === 2 && name !== embeddingName && name !== headName;

/** The factors of the adapter where there is one, else all weights. */
export function trainedTensors({ weights, adapter }: Transformer): NamedTensors {
  return adapter?.factors ?? weights;
}

/** Shapes of what is trained, in the order in which it is stored. */
export function trainedShapes({ config, lora }: TrainedShape): ReadonlyMap<string, StoredShape> {
  return lora === undefined ? weightShapes(config) : factorShapes(config, lora);
}

/** The transformer with other tensors in the place of those that are trained. */
export function withTrained(transformer: Transformer, trained: NamedTensors): Transformer {
  const { adapter } = transformer;
  return adapter === undefined
    ? { ...transformer, weights: trained }
    : { ...transformer, adapter: { ...adapter, factors: trained } };
}

/** The reference: what was kept for it, or, where nothing was, the model with its adapter off. */
export function referenceOf(transformer: Transformer, kept: NamedTensors | undefined): Transformer {
  return kept === undefined ? { ...transformer, adapter: undefined } : withTrained(transformer, kept);
}

function torn(): RunError {
  return new RunError({
    where: 'token model',
    what: 'its last step of the optimiser broke off, so that some weights have moved and others have not.',
    fix: 'Load the last checkpoint.',
  });
}
