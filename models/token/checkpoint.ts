import { createHash } from 'node:crypto';
import { access, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { dispose, tensor2d, type Tensor2D } from '@tensorflow/tfjs-core';
import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { readUserFile } from '../../envs/core/user-file.ts';
import { writeFileAtomically } from '../../files/atomic-write.ts';
import { digestFile } from '../../files/digest-files.ts';
import type { TensorBackend } from '../backend/backend.ts';
import { roundToBfloat16 } from '../kernels/bfloat16.ts';
import { openSafetensors } from '../safetensors/read-safetensors.ts';
import { writeSafetensors, type TensorSource } from '../safetensors/write-safetensors.ts';
import { assertTiedHead } from './tied-head.ts';
import { huggingFaceConfig, type TransformerConfig } from './transformer-config.ts';
import {
  embeddingName,
  headName,
  isHeldIn,
  weightShapes,
  type NamedTensors,
  type NamedValues,
  type Precision,
  type StoredShape,
} from './weight-layout.ts';

/** The weights file of a checkpoint that {@link writeCheckpoint} writes. */
export const weightsFile = 'model.safetensors';
const indexFile = 'model.safetensors.index.json';

const indexSchema = z.looseObject({ weight_map: z.record(z.string(), z.string()) });

/** Tensors of some checkpoints that are no weights and change nothing. */
const isHarmless = (name: string): boolean => name.endsWith('.rotary_emb.inv_freq');

/**
 * Yields the weights of a Hugging Face checkpoint folder as float32, one at a time, so that only one is in
 * memory. All names and shapes are validated before the first is read.
 * @throws UsageError that names file and tensor: a missing, unknown, misshapen or non-finite tensor, a
 * damaged file, or tied embeddings that differ
 */
export async function* readWeights(
  folder: string,
  config: TransformerConfig,
): AsyncGenerator<readonly [name: string, values: Float32Array]> {
  const files = await weightFiles(folder);
  const shapes = weightShapes(config);
  const found = new Map<string, string>();
  for (const file of files) await checkFile(file, { config, shapes, found });
  for (const name of shapes.keys()) {
    if (!found.has(name))
      throw new UsageError({
        where: folder,
        what: `its weights have no tensor "${name}".`,
        fix: 'Give the whole checkpoint: all of its files, and the config.json that belongs to them.',
      });
  }
  const [head, embedding] = [found.get(headName), found.get(embeddingName)];
  if (config.tied && head !== undefined && embedding !== undefined) await assertTiedHead({ head, embedding });
  for (const file of files) yield* readFileWeights(file, shapes);
}

/** A fingerprint of the files of weights in a folder. */
export async function digestWeights(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await weightFiles(folder)) hash.update((await digestFile(file)).sha256);
  return `sha256:${hash.digest('hex')}`;
}

/** The one file of weights, or the shards that the index names. */
async function weightFiles(folder: string): Promise<readonly string[]> {
  const whole = join(folder, weightsFile);
  if (await exists(whole)) return [whole];
  const index = join(folder, indexFile);
  if (!(await exists(index))) {
    throw new UsageError({
      where: folder,
      what: `it has neither ${weightsFile} nor ${indexFile}.`,
      fix: 'Give a folder with weights in the safetensors format; others, such as pytorch_model.bin, must be converted first.',
    });
  }
  const shards = new Set<string>();
  for (const [tensor, shard] of Object.entries(await readIndex(index))) {
    // Only a file name: a path could lead out of the folder.
    if (
      shard !== basename(shard) ||
      shard.includes('\\') ||
      shard === '..' ||
      shard === '.' ||
      shard === ''
    ) {
      throw new UsageError({
        where: `${index}, "${tensor}"`,
        what: `"${shard}" is not a file name in this folder.`,
        fix: 'Give the index that came with the checkpoint.',
      });
    }
    shards.add(join(folder, shard));
  }
  return [...shards];
}

async function readIndex(file: string): Promise<Readonly<Record<string, string>>> {
  let json: unknown;
  try {
    json = JSON.parse(await readUserFile(file, { fix: 'Give the index that came with the checkpoint.' }));
  } catch (thrown) {
    if (UsageError.is(thrown)) throw thrown;
    throw new UsageError(
      {
        where: file,
        what: 'it cannot be read as JSON.',
        fix: 'Give the index that came with the checkpoint.',
      },
      { cause: thrown },
    );
  }
  const parsed = indexSchema.safeParse(json);
  if (parsed.success) return parsed.data.weight_map;
  throw new UsageError({
    where: file,
    what: `it is not an index of shards: ${describeIssues(parsed.error)}.`,
    fix: 'Give the index that came with the checkpoint.',
  });
}

async function checkFile(
  file: string,
  of: {
    readonly config: TransformerConfig;
    readonly shapes: ReadonlyMap<string, StoredShape>;
    readonly found: Map<string, string>;
  },
): Promise<void> {
  await using weights = await openSafetensors(file);
  for (const [name, { shape }] of weights.tensors) {
    if (isHarmless(name)) continue;
    const expected = of.shapes.get(of.config.tied && name === headName ? embeddingName : name);
    const where = `${file}, tensor "${name}"`;
    if (expected === undefined)
      throw new UsageError({
        where,
        what: 'the model has no weight of that name.',
        fix: 'Give the config.json that belongs to these weights; a quantised or adapted model must be merged first.',
      });
    if (of.found.has(name))
      throw new UsageError({
        where,
        what: `it is also in ${of.found.get(name)}.`,
        fix: 'Give the shards of one checkpoint only.',
      });
    if (shape.join() !== expected.join()) {
      throw new UsageError({
        where,
        what: `its shape is [${shape.join(', ')}], but config.json asks for [${expected.join(', ')}].`,
        fix: 'Give the config.json that belongs to these weights.',
      });
    }
    of.found.set(name, file);
  }
}

async function* readFileWeights(
  file: string,
  shapes: ReadonlyMap<string, StoredShape>,
): AsyncGenerator<readonly [name: string, values: Float32Array]> {
  await using weights = await openSafetensors(file);
  for (const name of weights.tensors.keys()) {
    if (!shapes.has(name)) continue;
    const values = await weights.read(name);
    assertFinite(values, `${file}, tensor "${name}"`);
    yield [name, values];
  }
}

/** Refuses numbers of a file that are NaN or infinite. @throws UsageError */
export function assertFinite(values: Float32Array, where: string): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at === -1) return;
  throw new UsageError({
    where,
    what: `entry ${at} is ${values[at]}, not a finite number.`,
    fix: 'Use an intact checkpoint: this one is damaged, or its training diverged.',
  });
}

/**
 * Uploads values of those shapes to the backend. If one fails, none stays there.
 * @param precision of the matrices
 */
export async function uploadTensors(
  backend: TensorBackend,
  shapes: ReadonlyMap<string, StoredShape>,
  values:
    | AsyncIterable<readonly [name: string, values: Float32Array]>
    | Iterable<readonly [name: string, values: Float32Array]>,
  precision: Precision = 'float32',
): Promise<NamedTensors> {
  const tensors: Record<string, Tensor2D> = {};
  try {
    for await (const [name, numbers] of values) {
      const shape = shapes.get(name) ?? [numbers.length];
      const [length, columns] = shape;
      if (columns !== undefined && isHeldIn(precision, shape)) {
        const packed = roundToBfloat16(numbers);
        tensors[name] = backend.run(() => tensor2d(packed, [length, columns / 2], 'int32'));
        continue;
      }
      tensors[name] = backend.run(() =>
        tensor2d(numbers, columns === undefined ? [1, length] : [length, columns]),
      );
    }
    return tensors;
  } catch (thrown) {
    dispose(tensors);
    throw thrown;
  }
}

/** The reverse of {@link uploadTensors}; the tensors stay. */
export async function downloadTensors(backend: TensorBackend, tensors: NamedTensors): Promise<NamedValues> {
  const values: Record<string, Float32Array> = {};
  for (const [name, tensor] of Object.entries(tensors)) values[name] = await backend.read(tensor);
  return values;
}

/**
 * Writes config and weights, in float32, as a Hugging Face checkpoint folder, which is created if missing.
 * @param metadata of the weights file
 */
export async function writeCheckpoint(
  folder: string,
  config: TransformerConfig,
  weights: ValueSources,
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const tensors = storedTensors(weightShapes(config), weights);
  await writeSafetensors(join(folder, weightsFile), tensors, { ...metadata, format: 'pt' }); // transformers asks for the format
  await writeFileAtomically(
    join(folder, 'config.json'),
    `${JSON.stringify(huggingFaceConfig(config), undefined, 2)}\n`,
  );
}

/** Numbers by name, or what fetches them. */
export type ValueSources = Readonly<Record<string, TensorSource['values']>>;

/** The tensors of those shapes, in the order of a file. */
export function storedTensors(
  shapes: ReadonlyMap<string, StoredShape>,
  values: ValueSources,
): Readonly<Record<string, TensorSource>> {
  return Object.fromEntries(
    [...shapes].map(([name, shape]) => [name, { shape, values: values[name] ?? new Float32Array(0) }]),
  );
}

/** Whether there is a file or folder of that name. */
export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
