import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent } from '../../../agents/core/agent.ts';
import type { TokenDecoding, TokenSampler } from '../../../agents/core/token-sampler.ts';
import { assertReplyOptions, createTokenAgent } from '../../../agents/policy/token.ts';
import { loadPrompt } from '../../../agents/prompt/load-prompt.ts';
import { gameOf, misfitOf, type OpenedGame } from '../../../agents/prompt/misfit.ts';
import type { Prompt } from '../../../agents/prompt/prompt.ts';
import { loadChatFormat, type ChatFormat } from '../../../agents/render/chat-format.ts';
import type { ContextReset } from '../../../agents/render/context-reset.ts';
import { assertFits } from '../../../agents/render/tokenizer/tokenizer.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { Textual } from '../../../envs/core/textual.ts';
import { exists } from '../../../models/token/checkpoint.ts';
import type { TransformerConfig } from '../../../models/token/transformer-config.ts';
import { writeFileAtomically } from '../../../files/atomic-write.ts';
import type { TokenPolicyConfig } from '../policy-config.ts';

/** How a language model is told of episodes and answers: all that makes a policy of it besides its weights. */
export interface Manner {
  readonly format: ChatFormat;
  readonly prompt: Prompt;
  /** Earlier steps that it is shown. */
  readonly history: Prompt['history'];
  readonly contextLength: number;
  readonly maxTokens: number;
  readonly reset: ContextReset | undefined;
  readonly restricted: boolean;
}

/** Beside the files of a model: the prompt that it was trained with. */
export const promptFile = 'cairn-prompt.json';

/** Where the model can look further, this is enough for most tasks, and all of it is not for most machines. */
const usualContext = 4096;

/**
 * The manner in which the model of that folder plays.
 * @throws UsageError where prompt, tokenizer, model and env do not go together
 */
export async function readManner(
  config: TokenPolicyConfig,
  model: { readonly folder: string; readonly transformer: TransformerConfig },
  game: OpenedGame,
): Promise<Manner> {
  const { folder, transformer } = model;
  const format = await loadChatFormat(folder);
  assertFits(format.tokenizer, transformer.vocabulary, folder);
  const prompt = await loadPrompt(
    config.prompt ??
      (await ownPrompt([...(config.adapter?.from === undefined ? [] : [config.adapter.from]), folder])) ??
      'terse',
  );
  const misfit = misfitOf(prompt, gameOf(game));
  if (misfit !== undefined) throw new UsageError({ where: `prompt ${prompt.name}`, ...misfit });
  const { longestContext } = transformer;
  const {
    contextLength = Math.min(longestContext, usualContext),
    tokensAtOnce,
    maxTokens,
    reset,
    restricted,
  } = config;
  if (contextLength > tokensAtOnce) {
    throw new UsageError({
      where: 'policy.tokensAtOnce',
      what: `an update takes ${tokensAtOnce} tokens at once, and a row may be as long as the context, ${contextLength}.`,
      mend: `Raise it, or lower the context: --with policy.contextLength=${tokensAtOnce}.`,
    });
  }
  assertReplyOptions(
    { contextLength, maxTokens, restricted, ...(reset === undefined ? {} : { reset }) },
    called,
  );
  return {
    format,
    prompt,
    history: config.history ?? prompt.history,
    contextLength,
    maxTokens,
    reset,
    restricted,
  };
}

/** The file of the prompt that the first of the folders has beside its weights. */
async function ownPrompt(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) if (await exists(join(folder, promptFile))) return join(folder, promptFile);
  return undefined;
}

/** The key of an option of a token agent. */
const called = (option: string): string => `policy.${option}`;

/** Puts the files of the manner beside those of a model, so that others, and a later run, speak to it alike. */
export async function writeManner(
  folder: string,
  { format, prompt: { fingerprint: _ofTheRest, ...prompt } }: Manner,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of format.files) await writeFileAtomically(join(folder, name), text);
  await writeFileAtomically(join(folder, promptFile), `${JSON.stringify(prompt, undefined, 2)}\n`);
}

/** Bytes that {@link writeManner} writes, about. */
export const mannerBytes = ({ format, prompt }: Manner): number =>
  [...format.files.values()].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    JSON.stringify(prompt).length,
  );

/** Whether it is shown the admissible actions. */
export const showsAdmissible = ({ prompt }: Manner): boolean => prompt.actions.shown !== false;

/** An agent of that manner. */
export function createMannerAgent(
  manner: Manner,
  of: {
    readonly id: string;
    readonly sampler: TokenSampler;
    readonly text: Textual<unknown, unknown>;
    readonly decoding: TokenDecoding;
  },
): Agent<unknown, unknown> {
  const { format, prompt, history, maxTokens, reset, restricted } = manner;
  return createTokenAgent({
    ...of,
    codec: format.tokenizer,
    template: format.template,
    guard: format.guard,
    prompt,
    view: { admissible: showsAdmissible(manner), history },
    maxTokens,
    stopTokens: format.stopTokens,
    restricted,
    called,
    ...(reset === undefined ? {} : { reset }),
  });
}
