import { keep, transpose, type Tensor2D } from '@tensorflow/tfjs-core';
import { isBfloat16 } from '../../kernels/bfloat16.ts';
import type { Transformer } from '../network.ts';
import { embeddingName, weightShapes, type NamedTensors } from '../weight-layout.ts';

/**
 * Transposes of all that a forward pass multiplies by, kept over many passes: on `wasm` a product also keeps its second operand packed
 * as long as that lives. Takes the memory of the weights a second time.
 */
export class TurnedWeights {
  readonly #turned = new Map<string, { readonly source: Tensor2D; readonly turned: Tensor2D }>();

  /**
   * The transposes of the current weights. Only tensors that have changed are transposed again. Call it
   * within the backend's `run`.
   */
  of(model: Transformer): NamedTensors {
    const sources = new Map(multipliers(model));
    for (const name of this.#turned.keys()) if (!sources.has(name)) this.#drop(name);
    for (const [name, source] of sources) {
      if (this.#turned.get(name)?.source === source) continue;
      this.#drop(name);
      this.#turned.set(name, { source, turned: keep(transpose(source)) });
    }
    return Object.fromEntries([...this.#turned].map(([name, { turned }]) => [name, turned]));
  }

  dispose(): void {
    for (const name of this.#turned.keys()) this.#drop(name);
  }

  #drop(name: string): void {
    this.#turned.get(name)?.turned.dispose();
    this.#turned.delete(name);
  }
}

/** Projections, the head's table and the adapter's factors, but for those of bfloat16, whose products read them as they are. */
function* multipliers({
  config,
  weights,
  adapter,
}: Transformer): Generator<readonly [name: string, tensor: Tensor2D]> {
  for (const [name, shape] of weightShapes(config)) {
    const tensor = weights[name];
    const isMatrix = shape.length === 2 && (name !== embeddingName || config.tied);
    if (isMatrix && tensor !== undefined && !isBfloat16(tensor)) yield [name, tensor];
  }
  yield* Object.entries(adapter?.factors ?? {});
}
