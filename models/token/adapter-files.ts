import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf, UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { readUserFile } from '../../envs/core/user-file.ts';
import { writeFileAtomically } from '../../files/atomic-write.ts';
import { openSafetensors } from '../safetensors/read-safetensors.ts';
import { writeSafetensors } from '../safetensors/write-safetensors.ts';
import { assertFinite, storedTensors, type ValueSources } from './checkpoint.ts';
import { factorShapes, loraConfigSchema, type Adapter, type LoraConfig } from './lora.ts';
import type { TransformerConfig } from './transformer-config.ts';
import type { NamedValues } from './weight-layout.ts';

/** The file that makes a folder an adapter. */
export const adapterConfigFile = 'adapter_config.json';
/** The file of an adapter's factors. */
export const factorsFile = 'adapter_model.safetensors';
/** PEFT wraps the model twice. */
const prefix = 'base_model.model.';

/** Keys of PEFT that leave the arithmetic of an adapter as it is, whatever their value. */
const harmlessKeys = new Set([
  'task_type',
  'auto_mapping',
  'peft_version',
  'base_model_name_or_path',
  'revision',
  'inference_mode',
  'lora_dropout',
  'megatron_core',
  'qalora_group_size',
  'runtime_config',
]);

const configSchema = z.looseObject({
  peft_type: z.literal('LORA'),
  r: z.int().min(1),
  lora_alpha: z.number().positive(),
  target_modules: z.array(z.string()),
  base_model_name_or_path: z.string().nullish(),
  bias: z.literal('none').default('none'),
  init_lora_weights: z.union([z.boolean(), z.literal('gaussian')]).default(true), // others change the base as well
});
const knownKeys = new Set(['peft_type', 'r', 'lora_alpha', 'target_modules', 'bias', 'init_lora_weights']);

/** An adapter to be written. */
export interface AdapterSource {
  readonly config: LoraConfig;
  readonly factors: ValueSources;
  /** Name or folder of the model that it changes. */
  readonly baseModel: string;
}

/**
 * Writes an adapter as a folder that PEFT, vLLM and SGLang read.
 * @param metadata of the file of factors
 */
export async function writeAdapter(
  folder: string,
  config: TransformerConfig,
  adapter: AdapterSource,
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { rank, alpha, targets } = adapter.config;
  await mkdir(folder, { recursive: true });
  const tensors = Object.entries(storedTensors(factorShapes(config, adapter.config), adapter.factors)).map(
    ([name, tensor]) => [prefix + name, tensor] as const,
  );
  await writeSafetensors(join(folder, factorsFile), Object.fromEntries(tensors), {
    ...metadata,
    format: 'pt',
  });
  const json = {
    peft_type: 'LORA',
    task_type: 'CAUSAL_LM',
    base_model_name_or_path: adapter.baseModel,
    r: rank,
    lora_alpha: alpha,
    target_modules: targets,
    lora_dropout: 0,
    bias: 'none',
    fan_in_fan_out: false,
    use_rslora: false,
    use_dora: false,
    inference_mode: true,
  };
  await writeFileAtomically(join(folder, adapterConfigFile), `${JSON.stringify(json, undefined, 2)}\n`);
}

/**
 * Reads an adapter that PEFT or {@link writeAdapter} wrote for a model of that config. Throws a `UsageError` that names the
 * key or tensor where it is damaged, belongs to another model or asks for more than plain LoRA.
 */
export async function readAdapter(folder: string, config: TransformerConfig): Promise<Adapter<NamedValues>> {
  const lora = await readLoraConfig(folder);
  return { config: lora, factors: await readFactors(join(folder, factorsFile), factorShapes(config, lora)) };
}

/** Name or folder of the model that the adapter in that folder changes, where it says one. */
export async function readBaseModel(folder: string): Promise<string | undefined> {
  return (await readConfig(join(folder, adapterConfigFile))).base_model_name_or_path ?? undefined;
}

/** Rank, alpha and targets of the adapter in that folder. */
export async function readLoraConfig(folder: string): Promise<LoraConfig> {
  const file = join(folder, adapterConfigFile);
  const config = await readConfig(file);
  for (const [key, value] of Object.entries(config)) {
    if (!knownKeys.has(key) && !harmlessKeys.has(key) && !isOff(value))
      throw foreign(file, `its ${key} is ${JSON.stringify(value)}, which is not covered.`);
  }
  const { r, lora_alpha, target_modules } = config;
  const lora = loraConfigSchema.safeParse({ rank: r, alpha: lora_alpha, targets: target_modules });
  if (!lora.success)
    throw foreign(file, `its target_modules are not covered: ${describeIssues(lora.error)}.`);
  return lora.data;
}

const fixAdapter = 'Give a plain LoRA adapter in the format of PEFT.';

async function readConfig(file: string): Promise<z.output<typeof configSchema>> {
  let json: unknown;
  try {
    json = JSON.parse(await readUserFile(file, { fix: fixAdapter }));
  } catch (thrown) {
    const isMissing = UsageError.is(thrown) && codeOf(thrown.cause) === 'ENOENT';
    if (UsageError.is(thrown) && !isMissing) throw thrown;
    throw foreign(
      file,
      isMissing
        ? `there is no such file, which an adapter has beside ${factorsFile}.`
        : 'it cannot be read as JSON.',
      thrown,
    );
  }
  const parsed = configSchema.safeParse(json);
  if (!parsed.success)
    throw foreign(file, `it is no config of a LoRA adapter: ${describeIssues(parsed.error)}.`);
  return parsed.data;
}

function foreign(file: string, what: string, cause?: unknown): UsageError {
  return new UsageError({ where: file, what, fix: fixAdapter }, cause === undefined ? {} : { cause });
}

function isOff(value: unknown): boolean {
  return value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0);
}

async function readFactors(
  file: string,
  shapes: ReadonlyMap<string, readonly number[]>,
): Promise<NamedValues> {
  await using stored = await openSafetensors(file);
  const surplus = [...stored.tensors.keys()].find(
    (name) => !name.startsWith(prefix) || !shapes.has(name.slice(prefix.length)),
  );
  const fix = 'Give the adapter that belongs to this model.';
  if (surplus !== undefined)
    throw new UsageError({
      where: `${file}, tensor "${surplus}"`,
      what: 'the model and the adapter_config.json have no factor of that name.',
      fix,
    });
  const factors: Record<string, Float32Array> = {};
  for (const [name, expected] of shapes) {
    const where = `${file}, tensor "${prefix}${name}"`;
    const shape = stored.tensors.get(prefix + name)?.shape;
    if (shape === undefined) throw new UsageError({ where, what: 'it is missing.', fix });
    if (shape.join() !== expected.join())
      throw new UsageError({
        where,
        what: `its shape is [${shape.join(', ')}], not [${expected.join(', ')}].`,
        fix,
      });
    factors[name] = await stored.read(prefix + name);
    assertFinite(factors[name], where);
  }
  return factors;
}
