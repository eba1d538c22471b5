import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dispose } from '@tensorflow/tfjs-core';
import { z } from 'zod';
import type { TensorBackend } from '../../../models/backend/backend.ts';
import { openSafetensors } from '../../../models/safetensors/read-safetensors.ts';
import { readAdapter } from '../../../models/token/adapter-files.ts';
import { readWeights, uploadTensors } from '../../../models/token/checkpoint.ts';
import { factorShapes, type Adapter } from '../../../models/token/lora.ts';
import type { Transformer } from '../../../models/token/network.ts';
import { readTransformerConfig } from '../../../models/token/transformer-config.ts';
import { weightShapes } from '../../../models/token/weight-layout.ts';

/** One of the checkpoints of `make-goldens.py`. */
export function goldenFolder(name: string): string {
  return new URL(`../../golden/token-model/${name}`, import.meta.url).pathname;
}

const goldensSchema = z.object({
  rows: z.array(z.array(z.int())),
  losses: z.object({ full: z.number(), lora: z.number().optional() }),
});

export function readGoldens(name: string): z.output<typeof goldensSchema> {
  return goldensSchema.parse(JSON.parse(readFileSync(join(goldenFolder(name), 'goldens.json'), 'utf8')));
}

/** The tensors of a file of goldens whose names begin so, without that beginning. */
export async function readExpected(
  path: string,
  prefix: string,
  name = 'expected.safetensors',
): Promise<ReadonlyMap<string, Float32Array>> {
  await using file = await openSafetensors(join(goldenFolder(path), name));
  const expected = new Map<string, Float32Array>();
  for (const tensor of file.tensors.keys())
    if (tensor.startsWith(prefix)) expected.set(tensor.slice(prefix.length), await file.read(tensor));
  return expected;
}

/** The model on the backend, with its adapter where that is asked for. */
export async function openGolden(
  backend: TensorBackend,
  name: string,
  options: { readonly adapter: boolean },
): Promise<Transformer> {
  const config = await readTransformerConfig(goldenFolder(name));
  const weights = await uploadTensors(backend, weightShapes(config), readWeights(goldenFolder(name), config));
  if (!options.adapter) return { config, weights, adapter: undefined };
  const stored = await readAdapter(join(goldenFolder(name), 'adapter'), config);
  const factors = await uploadTensors(
    backend,
    factorShapes(config, stored.config),
    Object.entries(stored.factors),
  );
  const adapter: Adapter = { config: stored.config, factors };
  return { config, weights, adapter };
}

export function closeModel({ weights, adapter }: Transformer): void {
  dispose(weights);
  if (adapter !== undefined) dispose(adapter.factors);
}
