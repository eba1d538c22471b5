import { join, resolve } from 'node:path';
import { findModelFolder, findWeights } from '../../trainers/run/find-model.ts';
import {
  adapterConfigFile,
  readAdapter,
  readBaseModel,
  readLoraConfig,
} from '../../models/token/adapter-files.ts';
import { digestWeights, exists, readWeights } from '../../models/token/checkpoint.ts';
import { assertTrainedOn } from '../../models/token/token-checkpoint.ts';
import { readTransformerConfig } from '../../models/token/transformer-config.ts';
import { weightShapes } from '../../models/token/weight-layout.ts';
import type { Outcome, CommandContext } from '../command.ts';
import { describeModel, describeParameters } from './describe-model.ts';

/**
 * Reads every weight of a checkpoint or an adapter and describes it.
 * @param named its folder, or a run that trained it, whose newest checkpoint is read
 */
export async function showModel(named: string, session: CommandContext): Promise<Outcome> {
  const found = await findWeights(named);
  const folder = found === resolve(named) ? named : found;
  if (await exists(join(folder, adapterConfigFile))) return showAdapter(folder);
  await findModelFolder(named, named); // a run may have trained none
  return showCheckpoint(folder, session);
}

/** Without its base, the factors cannot be validated. */
async function showAdapter(folder: string): Promise<Outcome> {
  const { rank, alpha, targets } = await readLoraConfig(folder);
  const base = await readBaseModel(folder);
  const isHere = base !== undefined && (await exists(join(base, 'config.json')));
  if (isHere) await assertTrainedOn(folder, { name: base, digest: await digestWeights(base) });
  const factors = isHere ? (await readAdapter(folder, await readTransformerConfig(base))).factors : {};
  const parameters = Object.values(factors).reduce((sum, { length }) => sum + length, 0);
  return {
    document: { folder, adapter: { rank, alpha, targets, base, ...(isHere ? { parameters } : {}) } },
    lines: [
      `${folder}: a LoRA adapter of rank ${rank}, alpha ${alpha}, on ${targets.join(', ')}${isHere ? `; ${describeParameters(parameters)}, all valid` : ''}.`,
      `It is not a complete model: it changes ${base ?? 'a model that it does not name'}${isHere ? '' : ', which is not a model folder here, so its factors were not read'}.`,
      `Merge it into that model with: npx cairn-gym model merge ${folder}${isHere ? '' : ' --base FOLDER'} --out FOLDER`,
    ],
  };
}

async function showCheckpoint(folder: string, session: CommandContext): Promise<Outcome> {
  const document = await describeModel(folder);
  const { config, tokenizer } = document;
  const total = weightShapes(config).size;
  let done = 0;
  for await (const _weight of readWeights(folder, config)) {
    session.signal.throwIfAborted();
    done += 1;
    session.progress.report({ label: 'weights', done, total });
  }
  return {
    document,
    lines: [
      `${folder}: ${config.family}, ${config.layers} layers x ${config.width}, ${describeParameters(document.parameters)}, all valid.`,
      `${config.heads} query heads of size ${config.headSize}, ${config.keyValueHeads} key-value heads; hidden width ${config.hiddenWidth}; ${config.tied ? 'tied' : 'untied'} embeddings; a context of ${config.longestContext} tokens.`,
      `A vocabulary of ${config.vocabulary}, of which the tokenizer has ${tokenizer.size}; ${tokenizer.chatTemplate ? 'with' : 'without'} a chat template.`,
    ],
  };
}
