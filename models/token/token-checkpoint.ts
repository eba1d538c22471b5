import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { dispose } from '@tensorflow/tfjs-core';
import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import type { TensorBackend } from '../backend/backend.ts';
import { optimiserFile, type TrainedSoFar } from '../optimisation.ts';
import { openSafetensors, type SafetensorsFile } from '../safetensors/read-safetensors.ts';
import { writeSafetensors, type TensorSource } from '../safetensors/write-safetensors.ts';
import { factorsFile, readAdapter, writeAdapter } from './adapter-files.ts';
import {
  assertFinite,
  readWeights,
  storedTensors,
  uploadTensors,
  weightsFile,
  writeCheckpoint,
  type ValueSources,
} from './checkpoint.ts';
import { factorShapes, type LoraConfig } from './lora.ts';
import type { Transformer } from './network.ts';
import { trainedShapes, type Moments, type TrainedShape } from './token-parameters.ts';
import { huggingFaceConfig, readTransformerConfig, type TransformerConfig } from './transformer-config.ts';
import { weightShapes, type NamedTensors } from './weight-layout.ts';

/** The model that an adapter changes. */
export interface BaseModel {
  /** Its folder, or the name that others know it by. */
  readonly name: string;
  /** Of its weights, where they lie in a folder: {@link digestWeights}. */
  readonly digest?: string;
}

/** What is trained of a token model, on its backend. */
export interface TrainedState extends TrainedSoFar {
  readonly trained: NamedTensors;
  readonly moments: Moments;
}

const kind = 'cairn-token-optimiser';
const schema = '1';
const wholeNumber = z.string().regex(/^\d+$/).transform(Number);
const weightsMetadataSchema = z.looseObject({ cairn_version: wholeNumber });
const optimiserMetadataSchema = z.looseObject({
  kind: z.literal(kind),
  schema: z.literal(schema),
  version: wholeNumber,
  step: wholeNumber,
});

/**
 * Writes what is trained into the folder, tensor by tensor: all weights as a Hugging Face checkpoint, or the adapter alone as PEFT
 * stores it; the optimiser's moments beside.
 */
export async function writeTokenState(
  folder: string,
  backend: TensorBackend,
  {
    transformer,
    moments,
    version,
    step,
    baseModel,
  }: TrainedSoFar & {
    readonly transformer: Transformer;
    readonly moments: Moments;
    readonly baseModel: BaseModel;
  },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { config, adapter } = transformer;
  const shapes = trainedShapes({ config, lora: adapter?.config });
  const sources = (tensors: NamedTensors): ValueSources =>
    Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, () => backend.read(tensor)]));
  const prefixed = (prefix: string, tensors: NamedTensors): Readonly<Record<string, TensorSource>> =>
    step === 0
      ? {}
      : Object.fromEntries(
          Object.entries(storedTensors(shapes, sources(tensors))).map(([name, tensor]) => [
            prefix + name,
            tensor,
          ]),
        );
  await writeSafetensors(
    join(folder, optimiserFile),
    { ...prefixed('first.', moments.first), ...prefixed('second.', moments.second) },
    {
      kind,
      schema,
      version: String(version),
      step: String(step),
    },
  );
  if (adapter === undefined)
    await writeCheckpoint(folder, config, sources(transformer.weights), metadataOf(version));
  else await writeTrainedAdapter(folder, backend, { transformer, version, baseModel });
}

/** Writes the adapter of a transformer alone, as PEFT stores it. */
export async function writeTrainedAdapter(
  folder: string,
  backend: TensorBackend,
  {
    transformer: { config, adapter },
    version,
    baseModel,
  }: { readonly transformer: Transformer; readonly version: number; readonly baseModel: BaseModel },
): Promise<void> {
  if (adapter === undefined)
    throw new UsageError({
      where: folder,
      what: 'the model has no adapter to be written.',
      fix: 'Train one, or save the model.',
    });
  const factors = Object.fromEntries(
    Object.entries(adapter.factors).map(([name, tensor]) => [name, () => backend.read(tensor)]),
  );
  const { name, digest } = baseModel;
  await writeAdapter(
    folder,
    config,
    { config: adapter.config, factors, baseModel: name },
    { ...metadataOf(version), ...(digest === undefined ? {} : { [baseKey]: digest }) },
  );
}

/** Where an adapter's metadata have the digest of the weights that it was trained on. */
const baseKey = 'cairn_base';

/**
 * Refuses, with a `UsageError`, an adapter that was trained here on other weights than those of a folder. What others trained is not known to be.
 * @param base.digest of the weights of `base.name`
 */
export async function assertTrainedOn(adapter: string, base: Required<BaseModel>): Promise<void> {
  await using factors = await openSafetensors(join(adapter, factorsFile));
  const digest = factors.metadata[baseKey];
  if (digest === undefined || digest === base.digest) return;
  throw new UsageError({
    where: adapter,
    what: `the adapter was trained on other weights than those of ${base.name}.`,
    fix: `Give those that it was trained on; adapter_config.json names where they were.`,
  });
}

const metadataOf = (version: number): Readonly<Record<string, string>> => ({
  cairn_version: String(version),
});

/** Reads what {@link writeTokenState} wrote for a model of that shape; throws a `UsageError` when it is damaged, foreign or of two saves. */
export async function readTokenState(
  folder: string,
  backend: TensorBackend,
  shape: TrainedShape,
): Promise<TrainedState> {
  const { config, lora } = shape;
  const version = await readStoredVersion(folder, lora === undefined ? weightsFile : factorsFile);
  await using optimiser = await openSafetensors(join(folder, optimiserFile));
  const { step } = readOptimiserMetadata(optimiser, folder, version);
  const read: NamedTensors[] = [];
  try {
    read.push(
      lora === undefined
        ? await uploadWeights(folder, backend, config)
        : await uploadFactors(folder, backend, config, lora),
    );
    for (const prefix of step === 0 ? [] : ['first.', 'second.'])
      read.push(
        await uploadTensors(backend, trainedShapes(shape), readMoments(optimiser, prefix, { shape, folder })),
      );
    const [trained = {}, first = {}, second = {}] = read;
    return { version, step, trained, moments: { first, second } };
  } catch (thrown) {
    dispose(read);
    throw thrown;
  }
}

/** The version of weights or factors that {@link writeTokenState} wrote; undefined where somebody else wrote them. */
export async function findStoredVersion(file: string): Promise<number | undefined> {
  await using weights = await openSafetensors(file);
  const parsed = weightsMetadataSchema.safeParse(weights.metadata);
  return parsed.success ? parsed.data.cairn_version : undefined;
}

async function readStoredVersion(folder: string, file: string): Promise<number> {
  const version = await findStoredVersion(join(folder, file));
  if (version !== undefined) return version;
  throw new UsageError({
    where: join(folder, file),
    what: 'it was not saved in training.',
    fix: 'Give a folder that `save` of a token model has written; openTokenModel begins from any checkpoint.',
  });
}

function readOptimiserMetadata({ metadata }: SafetensorsFile, folder: string, version: number): TrainedSoFar {
  const parsed = optimiserMetadataSchema.safeParse(metadata);
  const file = join(folder, optimiserFile);
  if (!parsed.success) {
    throw new UsageError({
      where: file,
      what: `it is not the optimiser of a token model of this version of the format: ${describeIssues(parsed.error)}.`,
      fix: 'Give a folder that `save` of a token model has written.',
    });
  }
  if (parsed.data.version === version) return parsed.data;
  throw new UsageError({
    where: folder,
    what: `its weights are of version ${version}, its optimiser of version ${parsed.data.version}: it was cut off between two saves.`,
    fix: 'Load an earlier checkpoint.',
  });
}

async function uploadWeights(
  folder: string,
  backend: TensorBackend,
  config: TransformerConfig,
): Promise<NamedTensors> {
  const stored = huggingFaceConfig(await readTransformerConfig(folder));
  const own = huggingFaceConfig(config);
  const different = Object.keys({ ...own, ...stored }).filter(
    (key) => JSON.stringify(own[key]) !== JSON.stringify(stored[key]),
  );
  if (different.length > 0)
    throw otherModel(
      folder,
      different.map((key) => `${key} ${JSON.stringify(stored[key])} instead of ${JSON.stringify(own[key])}`),
    );
  return uploadTensors(backend, weightShapes(config), readWeights(folder, config));
}

async function uploadFactors(
  folder: string,
  backend: TensorBackend,
  config: TransformerConfig,
  own: LoraConfig,
): Promise<NamedTensors> {
  const { config: stored, factors } = await readAdapter(folder, config);
  const described = (lora: LoraConfig): Readonly<Record<string, string>> => ({
    rank: `${lora.rank}`,
    alpha: `${lora.alpha}`,
    targets: lora.targets.toSorted().join(' '),
  });
  const [ours, theirs] = [described(own), described(stored)];
  const different = Object.keys(ours).filter((key) => ours[key] !== theirs[key]);
  if (different.length > 0)
    throw otherModel(
      folder,
      different.map((key) => `${key} ${theirs[key]} instead of ${ours[key]}`),
    );
  return uploadTensors(backend, factorShapes(config, own), Object.entries(factors));
}

async function* readMoments(
  optimiser: SafetensorsFile,
  prefix: string,
  { shape: trained, folder }: { readonly shape: TrainedShape; readonly folder: string },
): AsyncGenerator<readonly [name: string, values: Float32Array]> {
  for (const [name, expected] of trainedShapes(trained)) {
    const where = `${join(folder, optimiserFile)}, tensor "${prefix}${name}"`;
    const values = await optimiser.read(prefix + name);
    const shape = optimiser.tensors.get(prefix + name)?.shape ?? [];
    if (shape.join() !== expected.join()) {
      throw new UsageError({
        where,
        what: `its shape is [${shape.join(', ')}], not [${expected.join(', ')}].`,
        fix: 'Give the file that belongs to this model.',
      });
    }
    assertFinite(values, where);
    yield [name, values];
  }
}

function otherModel(folder: string, differences: readonly string[]): UsageError {
  return new UsageError({
    where: folder,
    what: `what is saved there has ${differences.join(', ')}.`,
    fix: 'Use the model and the adapter settings that it was trained with.',
  });
}
