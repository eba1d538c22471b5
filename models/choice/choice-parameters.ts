import {
  add,
  clone,
  dispose,
  stack,
  tensor2d,
  zerosLike,
  type Scalar,
  type Tensor,
  type Tensor2D,
} from '@tensorflow/tfjs-core';
import type { TensorBackend } from '../backend/backend.ts';
import { adamStep, sumOfSquares, type AdamState } from '../kernels/operations.ts';
import { muonStep } from '../kernels/muon.ts';
import { notFinite } from '../not-finite.ts';
import type { Optimised, StepOptions } from '../optimisation.ts';
import type { ChoiceState } from './choice-checkpoint.ts';
import type { ChoiceConfig } from './choice-config.ts';
import { mapWeights, weightNames, weightShapes, type ChoiceWeights } from './choice-weights.ts';

/** Weights, optimiser moments and accumulated gradient of a choice network, on their backend. */
export class ChoiceParameters implements Optimised {
  readonly #backend: TensorBackend;
  #state: ChoiceWeights<AdamState>;
  #gradient: ChoiceWeights<Tensor2D> | undefined;

  constructor(backend: TensorBackend, state: ChoiceState) {
    this.#backend = backend;
    this.#state = upload(backend, state);
  }

  get weights(): ChoiceWeights<Tensor2D> {
    return mapWeights((name) => this.#state[name].value);
  }

  get hasGradient(): boolean {
    return this.#gradient !== undefined;
  }

  /**
   * Adds a batch's gradient, whose tensors are taken over. Throws a `RunError` that names batch and weight, with nothing added,
   * when one is not finite.
   */
  async addGradient(gradient: ChoiceWeights<Tensor2D>, batch: string): Promise<void> {
    const before = this.#gradient;
    try {
      await this.#squaredNorms(gradient, batch);
      this.#gradient = this.#backend.run(() =>
        mapWeights((name) =>
          before === undefined ? clone(gradient[name]) : add<Tensor2D>(before[name], gradient[name]),
        ),
      );
    } finally {
      dispose(gradient);
    }
    if (before !== undefined) dispose(before);
  }

  /** One step of the optimiser along the accumulated gradient, which is used up; returns its length before it was clipped. */
  async step(options: StepOptions): Promise<number> {
    const gradient = this.#gradient;
    if (gradient === undefined) throw new TypeError('there is no gradient to step along');
    this.#gradient = undefined;
    try {
      return await this.#stepAlong(gradient, options);
    } finally {
      dispose(gradient);
    }
  }

  async #stepAlong(gradient: ChoiceWeights<Tensor2D>, options: StepOptions): Promise<number> {
    const squares = await this.#squaredNorms(gradient, 'the accumulated gradient');
    const gradNorm = Math.sqrt(squares.reduce((total, square) => total + square, 0));
    // As torch.nn.utils.clip_grad_norm_ does, its 1e-6 included.
    const gradientScale = Math.min(1, options.maxGradNorm / (gradNorm + 1e-6));
    const before = this.#state;
    this.#state = this.#backend.run(() =>
      mapWeights((name) => {
        if (options.optimiser.kind === 'muon' && name === 'hidden')
          return muonStep(before[name], gradient[name], {
            ...options.constants,
            momentum: options.optimiser.momentum,
            gradientScale,
          });
        const isBias = name === 'embeddingBias' || name === 'hiddenBias';
        const weightDecay = isBias ? 0 : options.constants.weightDecay;
        return adamStep(before[name], gradient[name], { ...options.constants, weightDecay, gradientScale });
      }),
    );
    dispose(before);
    return gradNorm;
  }

  dropGradient(): void {
    if (this.#gradient !== undefined) dispose(this.#gradient);
    this.#gradient = undefined;
  }

  /** The moments are as they were before the first step. */
  forgetMoments(): void {
    const before = this.#state;
    this.#state = this.#backend.run(() =>
      mapWeights((name) => ({
        value: clone(before[name].value),
        first: zerosLike(before[name].first),
        second: zerosLike(before[name].second),
      })),
    );
    dispose(before);
  }

  async download(): Promise<Pick<ChoiceState, 'value' | 'first' | 'second'>> {
    return {
      value: await this.#read('value'),
      first: await this.#read('first'),
      second: await this.#read('second'),
    };
  }

  /** Replaces all of it; the gradient is dropped. */
  replace(state: ChoiceState): void {
    const before = this.#state;
    this.#state = upload(this.#backend, state);
    dispose(before);
    this.dropGradient();
  }

  dispose(): void {
    this.dropGradient();
    dispose(this.#state);
  }

  /** The squared length of each weight's gradient, in the order of {@link weightNames}. */
  async #squaredNorms(gradient: ChoiceWeights<Tensor2D>, batch: string): Promise<Float32Array> {
    const together = this.#backend.run(() =>
      stack(weightNames.map((name): Scalar => sumOfSquares(gradient[name]))),
    );
    const squares = await readOnce(this.#backend, together);
    for (const [at, name] of weightNames.entries()) {
      if (!Number.isFinite(squares[at])) throw notFinite(batch, `gradient of ${name}`, squares[at] as number);
    }
    return squares;
  }

  async #read(part: keyof AdamState): Promise<ChoiceWeights<Float32Array>> {
    const read = await Promise.all(weightNames.map((name) => this.#backend.read(this.#state[name][part])));
    return mapWeights((name) => read[weightNames.indexOf(name)] as Float32Array);
  }
}

/** The tensor's values; the tensor is freed also when reading fails. */
export async function readOnce(backend: TensorBackend, tensor: Tensor): Promise<Float32Array> {
  try {
    return await backend.read(tensor);
  } finally {
    tensor.dispose();
  }
}

function upload(
  backend: TensorBackend,
  state: Pick<ChoiceState, 'value' | 'first' | 'second'> & { readonly config: ChoiceConfig },
): ChoiceWeights<AdamState> {
  const shapes = weightShapes(state.config);
  return backend.run(() =>
    mapWeights((name) => ({
      value: tensor2d(state.value[name], shapes[name]),
      first: tensor2d(state.first[name], shapes[name]),
      second: tensor2d(state.second[name], shapes[name]),
    })),
  );
}
