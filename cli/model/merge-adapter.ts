import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { UsageError } from '../../envs/core/errors.ts';
import { findModelFolder, findWeights } from '../../trainers/run/find-model.ts';
import { adapterConfigFile, readAdapter, readBaseModel } from '../../models/token/adapter-files.ts';
import { digestWeights, exists, readWeights, writeCheckpoint } from '../../models/token/checkpoint.ts';
import { mergeAdapter } from '../../models/token/lora.ts';
import { assertTrainedOn } from '../../models/token/token-checkpoint.ts';
import {
  huggingFaceConfig,
  readTransformerConfig,
  type TransformerConfig,
} from '../../models/token/transformer-config.ts';
import { weightShapes } from '../../models/token/weight-layout.ts';
import { promptFile } from '../../trainers/policy/tokens/prompt-format.ts';
import type { Outcome, CommandContext } from '../command.ts';
import { describeParameters, parameterCount } from './describe-model.ts';
import { assertMissingOrEmpty, makeModelFolder } from './new-model-folder.ts';

/**
 * Merges a LoRA adapter into the weights of its base, in float32. Other files of the base's folder are
 * copied, and the prompt that the adapter was trained with.
 * @param of.adapter its folder, or a run that trained one
 * @param of.base default: the one that the adapter names
 */
export async function mergeIntoModel(
  { out, ...of }: { readonly adapter: string; readonly base: string | undefined; readonly out: string },
  session: CommandContext,
): Promise<Outcome> {
  await assertMissingOrEmpty(out);
  const adapter = await findAdapter(of.adapter);
  const base = of.base ?? (await baseOf(adapter));
  const config = await readTransformerConfig(base);
  await assertTrainedOn(adapter, { name: base, digest: await digestWeights(base) });
  const change = await readAdapter(adapter, config);
  const weights: Record<string, Float32Array> = {};
  const total = weightShapes(config).size;
  for await (const [name, values] of readWeights(base, config)) {
    session.signal.throwIfAborted();
    weights[name] = values;
    session.progress.report({ label: 'weights', done: Object.keys(weights).length, total });
  }
  mergeAdapter(config, weights, change);
  const parameters = parameterCount(config);
  await makeModelFolder(out, 4 * parameters, async (folder) => {
    await copyRest(base, folder);
    if (await exists(join(adapter, promptFile)))
      await copyFile(join(adapter, promptFile), join(folder, promptFile));
    await writeCheckpoint(folder, config, weights);
    await writeFile(
      join(folder, 'config.json'),
      `${JSON.stringify(await mergedConfig(base, config), undefined, 2)}\n`,
    );
  });
  const { rank, targets } = change.config;
  return {
    document: { folder: out, base, adapter, parameters, rank, targets },
    lines: [
      `${out}: ${base} with ${adapter} in it, rank ${rank} on ${targets.join(', ')}; ${describeParameters(parameters)}.`,
    ],
  };
}

async function findAdapter(named: string): Promise<string> {
  const found = await findWeights(named);
  if (await exists(join(found, adapterConfigFile))) return found;
  const model = await findModelFolder(named, named); // a run may have trained none
  // the reader of the folder reports what is missing
  if (!(await exists(join(model, 'config.json')))) return found;
  throw new UsageError({
    where: named,
    what: 'it is a whole model, not an adapter: there is nothing to merge.',
    fix: `Use it directly: ${model}.`,
  });
}

async function baseOf(adapter: string): Promise<string> {
  const base = await readBaseModel(adapter);
  if (base !== undefined && (await exists(join(base, 'config.json')))) return base;
  throw new UsageError({
    where: 'cairn-gym model merge',
    what: `the adapter ${base === undefined ? 'names no base model' : `changes ${base}, which is not a model folder here`}.`,
    fix: 'Name the checkpoint that it was trained on: --base FOLDER.',
  });
}

/** Files beside weights that are copied: tokenizer, templates, licence. */
const companions = new Set(['.json', '.jinja', '.txt', '.model', '.md']);

async function copyRest(base: string, folder: string): Promise<void> {
  for (const entry of await readdir(base, { withFileTypes: true })) {
    if (!entry.isFile() || !companions.has(extname(entry.name)) || entry.name.endsWith('.index.json'))
      continue;
    await copyFile(join(base, entry.name), join(folder, entry.name));
  }
}

/** The base's config, which keeps token ids and names, with the written data type. */
async function mergedConfig(
  base: string,
  config: TransformerConfig,
): Promise<Readonly<Record<string, unknown>>> {
  const {
    rope_parameters: _newer,
    dtype: _type,
    ...kept
  } = JSON.parse(await readFile(join(base, 'config.json'), 'utf8')) as Record<string, unknown>;
  return { ...kept, ...huggingFaceConfig(config) };
}
