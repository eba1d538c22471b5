import { dispose, zeros, type Rank, type Tensor2D } from '@tensorflow/tfjs-core';
import type { TensorBackend } from '../../backend/backend.ts';
import { writeRows } from '../../kernels/operations.ts';
import type { KeysAndValues } from '../layer.ts';
import type { TransformerConfig } from '../transformer-config.ts';
import type { Precision } from '../weight-layout.ts';

/** Keys and values of many tokens, layer by layer, written in place where the backend can. */
export class KeyValueCache {
  readonly #layers: { key: Tensor2D; value: Tensor2D }[]; // (rows, keyValueHeads d) each, or pairs of bfloat16

  constructor(
    backend: TensorBackend,
    { layers, keyValueHeads, headSize }: TransformerConfig,
    { rows, precision = 'float32' }: { readonly rows: number; readonly precision?: Precision },
  ) {
    const width = keyValueHeads * headSize;
    const make = (): Tensor2D =>
      precision === 'bf16' ? zeros<Rank.R2>([rows, width / 2], 'int32') : zeros<Rank.R2>([rows, width]);
    this.#layers = backend.run(() => Array.from({ length: layers }, () => ({ key: make(), value: make() })));
  }

  /** Puts those of fresh tokens into the rows, and gives all of the layer. To be called within the backend's `run`. */
  write(layer: number, fresh: KeysAndValues, rows: Int32Array): KeysAndValues {
    const held = this.#layers[layer];
    if (held === undefined) throw new TypeError(`the cache has no layer ${layer}`);
    held.key = writeRows(held.key, fresh.key, rows);
    held.value = writeRows(held.value, fresh.value, rows);
    return held;
  }

  dispose(): void {
    dispose(this.#layers);
  }
}
