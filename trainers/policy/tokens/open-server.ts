import { findTokenServer } from '../../../agents/servers/tokens/list.ts';
import type { KeyOf, Secret } from '../../../agents/servers/secret.ts';
import type { Context } from '../../../envs/core/context.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { TokenModel } from '../../../models/token/token-model.ts';
import { lockedFileOf, type SamplerConfig } from '../sampler-config.ts';
import type { PromptFormat } from './prompt-format.ts';
import { PublishedSampler } from './published-sampler.ts';
import { publishedWeights } from './published-weights.ts';
import { lockServerFile } from './server-file-lock.ts';

/**
 * Opens a server that samples while the model's adapter is trained here, and loads the adapter on it.
 * @throws UsageError if the model trains no adapter, the key is missing, or another training run uses the
 * server's file
 * @throws RunError if the server fails
 */
export async function openServer(
  config: SamplerConfig,
  {
    model,
    format: { contextLength, chat },
    keyOf,
    context,
  }: {
    readonly model: TokenModel;
    readonly format: PromptFormat;
    readonly keyOf: KeyOf | undefined;
    readonly context: Context;
  },
): Promise<PublishedSampler> {
  const { transformer } = model;
  if (transformer.adapter === undefined) {
    throw new UsageError({
      where: 'policy.sampler',
      what: 'a server loads only adapters at run time, and this run trains all weights.',
      fix: 'Train an adapter: --with policy.adapter.rank=16.',
    });
  }
  const key = readKey(config, keyOf);
  const { publish, title } = findTokenServer(config.kind);
  const file = lockedFileOf(config);
  const lock =
    file === undefined
      ? undefined
      : await lockServerFile({ path: file.path, key: `policy.sampler.${file.name}`, title });
  try {
    return await PublishedSampler.open({
      config,
      key,
      context,
      lock,
      weights: publishedWeights(model, publish.format),
      model: {
        contextLength,
        vocabulary: transformer.config.vocabulary,
        decode: (tokens, after) => chat.tokenizer.decode(tokens, after),
      },
    });
  } catch (thrown) {
    await lock?.[Symbol.asyncDispose]();
    throw thrown;
  }
}

function readKey({ keyVariable }: SamplerConfig, keyOf: KeyOf | undefined): Secret | undefined {
  if (keyVariable === undefined) return undefined;
  const key = keyOf?.(keyVariable);
  if (key !== undefined) return key;
  throw new UsageError({
    where: 'policy.sampler.keyVariable',
    what: `there is no key in ${keyVariable}.`,
    fix: 'Set the environment variable, or remove the config key.',
  });
}
