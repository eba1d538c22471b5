import { writeGguf } from '../gguf/write-gguf.ts';
import type { TensorValues } from '../safetensors/write-safetensors.ts';
import { changedModules, factorNames, factorShapes, type Adapter } from './lora.ts';
import { ggufProjections, interleavedHeads } from './gguf-model.ts';
import type { TransformerConfig } from './transformer-config.ts';
import type { NamedValues } from './weight-layout.ts';

interface Factor extends TensorValues {
  readonly shape: readonly [rows: number, columns: number];
}

/**
 * Writes an adapter as the GGUF file that `llama-server --lora FILE` loads. It has float32 factors, A (rank,
 * in) as `blk.0.attn_q.weight.lora_a` and B (out, rank) as `.lora_b`, and alpha. The server adds alpha / rank
 * (x Aᵀ) Bᵀ, as is done here. It refuses an adapter whose architecture or shapes differ from its model's. The
 * file appears complete or not at all.
 * @throws TypeError if a factor is missing or has another number of values
 * @throws RunError if the file cannot be written
 *
 * Source: llama.cpp's llama-adapter.cpp, which reads it, and convert_lora_to_gguf.py.
 */
export async function writeGgufAdapter(
  file: string,
  config: TransformerConfig,
  { config: lora, factors }: Adapter<NamedValues>,
): Promise<void> {
  const shapes = factorShapes(config, lora);
  const factorNamed = (name: string): Factor => {
    const [shape, values] = [shapes.get(name), factors[name]];
    if (shape === undefined || values?.length !== shape[0] * shape[1])
      throw new TypeError(`the adapter holds no factor ${name} of shape [${shape?.join(', ')}]`);
    return { shape, values };
  };
  const tensors: Record<string, TensorValues> = {};
  for (const { layer, path, projection } of changedModules(config, lora)) {
    const [a, b] = factorNames(path);
    const name = `blk.${layer}.${ggufProjections[projection]}.weight`;
    const heads = interleavedHeads(config, projection);
    tensors[`${name}.lora_a`] = factorNamed(a);
    tensors[`${name}.lora_b`] =
      heads === undefined ? factorNamed(b) : interleaveHalves(factorNamed(b), heads);
  }
  const keys = {
    'general.architecture': config.family,
    'general.type': 'adapter',
    'adapter.type': 'lora',
    'adapter.lora.alpha': lora.alpha,
  };
  await writeGguf(file, keys, tensors);
}

/** The rows of each head with those of its second half between those of its first: 0, 4, 1, 5, 2, 6, 3, 7 of a head of 8. */
function interleaveHalves({ shape, values }: Factor, heads: number): Factor {
  const [rows, columns] = shape;
  const half = rows / heads / 2;
  const interleaved = new Float32Array(values.length);
  for (let row = 0; row < rows; row += 1) {
    const place = row % (2 * half); // within its head
    const target = row - place + 2 * (place % half) + Math.floor(place / half);
    interleaved.set(values.subarray(row * columns, (row + 1) * columns), target * columns);
  }
  return { shape, values: interleaved };
}
