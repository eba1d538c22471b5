import type { Tensor2D } from '@tensorflow/tfjs-core';
import type { TensorBackend } from '../../backend/backend.ts';
import { logitsAt } from '../head.ts';
import { forwardWithCache, type Transformer } from '../network.ts';
import type { PackedTokens } from '../packed-tokens.ts';
import { KeyValueCache } from './key-value-cache.ts';
import { TurnedWeights } from './turned-weights.ts';

/** What generation holds on the backend, from the first pass until it is freed, and the passes over it. */
export class PassRunner {
  readonly #backend: TensorBackend;
  readonly #rows: number;
  #cache: KeyValueCache | undefined;
  readonly #turned = new TurnedWeights();

  /** @param rows of keys and values in all slots */
  constructor(backend: TensorBackend, rows: number) {
    this.#backend = backend;
    this.#rows = rows;
  }

  get holdsMemory(): boolean {
    return this.#cache !== undefined;
  }

  /** Computes the tokens, keeps their keys and values, and gives the logits of the places, row by row. */
  async run(model: Transformer, packed: PackedTokens, places: Int32Array): Promise<readonly Float32Array[]> {
    const cache = (this.#cache ??= new KeyValueCache(this.#backend, model.config, this.#rows));
    const logits = this.#backend.run((): Tensor2D | undefined => {
      const turned = { ...model, turned: this.#turned.of(model) };
      const hidden = forwardWithCache(turned, packed, (layer, fresh) => cache.write(layer, fresh, packed.until));
      return places.length === 0 ? undefined : logitsAt(turned, hidden, places);
    });
    if (logits === undefined) return [];
    try {
      const values = await this.#backend.read(logits);
      const { vocabulary } = model.config;
      return Array.from(places, (_, row) => values.subarray(row * vocabulary, (row + 1) * vocabulary));
    } finally {
      logits.dispose();
    }
  }

  free(): void {
    this.#cache?.dispose();
    this.#cache = undefined;
    this.#turned.dispose();
  }
}
