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
 * A checkpoint whose weights have a LoRA adapter in them, in float32; what else lies in the base's folder comes along, and the prompt that
 * the adapter was trained with.
 * @param of.adapter its folder, or a run that trained one
 * @param of.base that which the adapter names when absent
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
  if (!(await exists(join(model, 'config.json')))) return found; // whoever reads it says what is missing
  throw new UsageError({
    where: named,
    what: 'it is a whole model, and no adapter: there is nothing to be merged.',
    fix: `Use it as it is: ${model}.`,
  });
}

async function baseOf(adapter: string): Promise<string> {
  const base = await readBaseModel(adapter);
  if (base !== undefined && (await exists(join(base, 'config.json')))) return base;
  throw new UsageError({
    where: 'cairn model merge',
    what: `the adapter ${base === undefined ? 'names no model that it changes' : `changes ${base}, which is no folder of a model here`}.`,
    fix: 'Name the checkpoint that it was trained on: --base FOLDER.',
  });
}

/** What may lie beside weights: tokenizer, templates, licence. */
const companions = new Set(['.json', '.jinja', '.txt', '.model', '.md']);

async function copyRest(base: string, folder: string): Promise<void> {
  for (const entry of await readdir(base, { withFileTypes: true })) {
    if (!entry.isFile() || !companions.has(extname(entry.name)) || entry.name.endsWith('.index.json'))
      continue;
    await copyFile(join(base, entry.name), join(folder, entry.name));
  }
}

/** The base's own, of which ids and names of tokens must stay, in the type that was written. */
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
