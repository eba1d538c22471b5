import { tensor2d, type Tensor2D } from '@tensorflow/tfjs-core';
import type { TensorBackend } from '../../backend/backend.ts';
import { drawRows, hasKernel, kernelNames } from '../../kernels/operations.ts';
import { logitsAt } from '../head.ts';
import { forwardWithCache, precisionOf, type Transformer } from '../network.ts';
import type { PackedTokens } from '../packed-tokens.ts';
import type { CachedPasses, CacheSize, PlainDraw } from './cached-passes.ts';
import type { DrawnToken } from './draw-token.ts';
import { KeyValueCache } from './key-value-cache.ts';
import { TurnedWeights } from './turned-weights.ts';

/** Passes in this thread. Memory is taken with the first. */
export class LocalCachedPasses implements CachedPasses {
  readonly #backend: TensorBackend;
  readonly #model: { readonly transformer: Transformer };
  readonly #size: CacheSize;
  #cache: KeyValueCache | undefined;
  readonly draw: CachedPasses['draw'];
  readonly #keepsTurned: boolean;
  readonly #turned = new TurnedWeights();

  /** @param model whose transformer is that of the moment */
  constructor(backend: TensorBackend, model: { readonly transformer: Transformer }, size: CacheSize) {
    this.#backend = backend;
    this.#model = model;
    this.#size = size;
    this.#keepsTurned = backend.name === 'wasm' || backend.name === 'cpu'; // a GPU's products read a weight either way as fast
    this.draw = backend.run(() => hasKernel(kernelNames.drawRows))
      ? (packed, places, draws) => this.#draw(packed, places, draws)
      : undefined;
  }

  get holdsMemory(): boolean {
    return this.#cache !== undefined;
  }

  async run(packed: PackedTokens, places: Int32Array): Promise<readonly Float32Array[]> {
    const values = await this.#compute(packed, places, (logits) => logits);
    const { vocabulary } = this.#model.transformer.config;
    return Array.from(places, (_, row) => values.subarray(row * vocabulary, (row + 1) * vocabulary));
  }

  async #draw(
    packed: PackedTokens,
    places: Int32Array,
    draws: readonly PlainDraw[],
  ): Promise<readonly DrawnToken[]> {
    const how = draws.flatMap(({ temperature, point }) => [temperature === 0 ? 0 : 1 / temperature, point]);
    const values = await this.#compute(packed, places, (logits) =>
      drawRows(logits, tensor2d(how, [draws.length, 2])),
    );
    return draws.map((_, row) => ({
      token: values[2 * row] as number,
      logprob: values[2 * row + 1] as number,
    }));
  }

  /** Computes the pass and reads what is made of the places' logits; nothing where there are no places. */
  async #compute(
    packed: PackedTokens,
    places: Int32Array,
    made: (logits: Tensor2D) => Tensor2D,
  ): Promise<Float32Array> {
    const { transformer } = this.#model;
    const cache = (this.#cache ??= new KeyValueCache(this.#backend, transformer.config, {
      rows: this.#size.slots * this.#size.rowsOfSlot,
      precision: precisionOf(transformer),
    }));
    const wanted = this.#backend.run((): Tensor2D | undefined => {
      const model = this.#keepsTurned
        ? { ...transformer, turned: this.#turned.of(transformer) }
        : transformer;
      const hidden = forwardWithCache(model, packed, (layer, fresh) =>
        cache.write(layer, fresh, packed.until),
      );
      return places.length === 0 ? undefined : made(logitsAt(model, hidden, places));
    });
    if (wanted === undefined) return new Float32Array(0);
    try {
      return await this.#backend.read(wanted);
    } finally {
      wanted.dispose();
    }
  }

  async free(): Promise<void> {
    this.#cache?.dispose();
    this.#cache = undefined;
    this.#turned.dispose();
  }
}
