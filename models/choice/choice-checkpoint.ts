import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { optimiserFile } from '../optimisation.ts';
import { openSafetensors, type SafetensorsFile } from '../safetensors/read-safetensors.ts';
import { writeSafetensors, type TensorValues } from '../safetensors/write-safetensors.ts';
import { choiceConfigSchema, type ChoiceConfig } from './choice-config.ts';
import {
  mapWeights,
  weightNames,
  weightShapes,
  type ChoiceWeights,
  type WeightName,
} from './choice-weights.ts';

/** All that a choice model is, on the processor's side. */
export interface ChoiceState {
  readonly config: ChoiceConfig;
  readonly version: number;
  /** AdamW steps taken. */
  readonly step: number;
  readonly value: ChoiceWeights<Float32Array>;
  readonly first: ChoiceWeights<Float32Array>;
  readonly second: ChoiceWeights<Float32Array>;
}

/** The one file of a saved model that playing needs. */
export const weightsFile = 'weights.safetensors';
const kind = 'cairn-choice-model';
const schema = '1';

const wholeNumber = z.string().regex(/^\d+$/).transform(Number);
const weightsMetadataSchema = z.object({
  kind: z.literal(kind),
  schema: z.literal(schema),
  version: wholeNumber,
  config: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(choiceConfigSchema),
});
const optimiserMetadataSchema = z.object({ version: wholeNumber, step: wholeNumber });

/** Names in the files: an optimiser's tensors carry the moment's name before the weight's. */
const storedNames: Readonly<Record<WeightName, string>> = {
  embedding: 'embedding.weight',
  embeddingBias: 'embedding.bias',
  hidden: 'hidden.weight',
  hiddenBias: 'hidden.bias',
  output: 'output.weight',
};

/** Writes the state into the folder: the weights, and beside them the optimiser's moments. */
export async function writeChoiceState(folder: string, state: ChoiceState): Promise<void> {
  await mkdir(folder, { recursive: true });
  const version = String(state.version);
  await writeSafetensors(
    join(folder, optimiserFile),
    { ...stored('first.', state.first, state), ...stored('second.', state.second, state) },
    {
      version,
      step: String(state.step),
    },
  );
  await writeSafetensors(join(folder, weightsFile), stored('', state.value, state), {
    kind,
    schema,
    version,
    config: JSON.stringify(state.config),
  });
}

/** Reads the weights alone of what {@link writeChoiceState} wrote; throws a `UsageError` when they are damaged or foreign. */
export async function readChoiceWeights(
  folder: string,
): Promise<Pick<ChoiceState, 'config' | 'version' | 'value'>> {
  const path = join(folder, weightsFile);
  await using weights = await openSafetensors(path);
  const { config, version } = readMetadata(weights, weightsMetadataSchema, path);
  return { config, version, value: await readWeights(weights, '', config, path) };
}

/** Reads what {@link writeChoiceState} wrote; throws a `UsageError` when it is damaged, foreign or of two saves. */
export async function readChoiceState(folder: string): Promise<ChoiceState> {
  const { config, version, value } = await readChoiceWeights(folder);
  await using optimiser = await openSafetensors(join(folder, optimiserFile));
  const moments = readMetadata(optimiser, optimiserMetadataSchema, join(folder, optimiserFile));
  if (moments.version !== version) {
    throw new UsageError({
      where: folder,
      what: `its weights are of version ${version}, its optimiser of version ${moments.version}: it was cut off between two saves.`,
      fix: 'Load an earlier checkpoint.',
    });
  }
  return {
    config,
    version,
    step: moments.step,
    value,
    first: await readWeights(optimiser, 'first.', config, join(folder, optimiserFile)),
    second: await readWeights(optimiser, 'second.', config, join(folder, optimiserFile)),
  };
}

function stored(
  prefix: string,
  weights: ChoiceWeights<Float32Array>,
  of: { readonly config: ChoiceConfig },
): Record<string, TensorValues> {
  const shapes = weightShapes(of.config);
  return Object.fromEntries(
    weightNames.map((name) => [prefix + storedNames[name], { shape: shapes[name], values: weights[name] }]),
  );
}

function readMetadata<T extends z.ZodType>(file: SafetensorsFile, metadata: T, path: string): z.output<T> {
  const parsed = metadata.safeParse(file.metadata);
  if (parsed.success) return parsed.data;
  throw new UsageError({
    where: path,
    what: `it is not a choice model of this version of the format: ${describeIssues(parsed.error)}.`,
    fix: 'Give a folder that `save` of a choice model has written.',
  });
}

async function readWeights(
  file: SafetensorsFile,
  prefix: string,
  config: ChoiceConfig,
  path: string,
): Promise<ChoiceWeights<Float32Array>> {
  const shapes = weightShapes(config);
  const read: Partial<Record<WeightName, Float32Array>> = {};
  for (const name of weightNames) {
    const values = await file.read(prefix + storedNames[name]);
    const shape = file.tensors.get(prefix + storedNames[name])?.shape ?? [];
    if (shape.join() !== shapes[name].join()) {
      throw new UsageError({
        where: `${path}, tensor "${prefix + storedNames[name]}"`,
        what: `its shape is [${shape.join(', ')}], but the model's config asks for [${shapes[name].join(', ')}].`,
        fix: 'Give the file that belongs to this config.',
      });
    }
    assertFinite(values, `${path}, tensor "${prefix + storedNames[name]}"`);
    read[name] = values;
  }
  return mapWeights((name) => read[name] as Float32Array);
}

function assertFinite(values: Float32Array, where: string): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at === -1) return;
  throw new UsageError({
    where,
    what: `entry ${at} is ${values[at]}, not a finite number.`,
    fix: 'Load an earlier checkpoint.',
  });
}
