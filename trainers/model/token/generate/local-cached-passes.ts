import type { Tensor2D } from '@tensorflow/tfjs-core';
import type { TensorBackend } from '../../backend/backend.ts';
import { logitsAt } from '../head.ts';
import { forwardWithCache, type Transformer } from '../network.ts';
import type { PackedTokens } from '../packed-tokens.ts';
import type { CachedPasses, CacheSize } from './cached-passes.ts';
import { KeyValueCache } from './key-value-cache.ts';
import { TurnedWeights } from './turned-weights.ts';

/** Passes in this thread. Memory is taken with the first. */
export class LocalCachedPasses implements CachedPasses {
  readonly #backend: TensorBackend;
  readonly #model: { readonly transformer: Transformer };
  readonly #size: CacheSize;
  #cache: KeyValueCache | undefined;
  readonly #turned = new TurnedWeights();

  /** @param model whose transformer is that of the moment */
  constructor(backend: TensorBackend, model: { readonly transformer: Transformer }, size: CacheSize) {
    this.#backend = backend;
    this.#model = model;
    this.#size = size;
  }

  get holdsMemory(): boolean {
    return this.#cache !== undefined;
  }

  async run(packed: PackedTokens, places: Int32Array): Promise<readonly Float32Array[]> {
    const { transformer } = this.#model;
    const cache = (this.#cache ??= new KeyValueCache(this.#backend, transformer.config, this.#size.slots * this.#size.rowsOfSlot));
    const logits = this.#backend.run((): Tensor2D | undefined => {
      const turned = { ...transformer, turned: this.#turned.of(transformer) };
      const hidden = forwardWithCache(turned, packed, (layer, fresh) => cache.write(layer, fresh, packed.until));
      return places.length === 0 ? undefined : logitsAt(turned, hidden, places);
    });
    if (logits === undefined) return [];
    try {
      const values = await this.#backend.read(logits);
      const { vocabulary } = transformer.config;
      return Array.from(places, (_, row) => values.subarray(row * vocabulary, (row + 1) * vocabulary));
    } finally {
      logits.dispose();
    }
  }

  async free(): Promise<void> {
    this.#cache?.dispose();
    this.#cache = undefined;
    this.#turned.dispose();
  }
}
