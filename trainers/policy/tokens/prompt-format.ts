import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent } from '../../../agents/core/agent.ts';
import type { TokenDecoding, TokenSampler } from '../../../agents/core/token-sampler.ts';
import { assertReplyOptions, createTokenAgent } from '../../../agents/policy/token.ts';
import { loadPrompt } from '../../../agents/prompt/load-prompt.ts';
import {
  gameOf,
  noToolCalls,
  promptMismatch,
  type OpenedGame,
} from '../../../agents/prompt/prompt-mismatch.ts';
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

/** How episodes become prompts and replies become actions: a token policy without its weights. */
export interface PromptFormat {
  /** Tokenizer, chat template and stop tokens. */
  readonly chat: ChatFormat;
  readonly prompt: Prompt;
  /** Earlier steps to show. */
  readonly history: Prompt['history'];
  readonly contextLength: number;
  readonly maxTokens: number;
  readonly reset: ContextReset | undefined;
  readonly restricted: boolean;
}

/** The file beside a model with the prompt that it was trained with. */
export const promptFile = 'cairn-prompt.json';

/** Enough for most tasks, if the model has a longer context; a full context is too much for most machines. */
const usualContext = 4096;

/**
 * The prompt format of the model in that folder.
 * @throws UsageError if prompt, tokenizer, model and env do not fit together
 */
export async function readPromptFormat(
  config: TokenPolicyConfig,
  model: { readonly folder: string; readonly transformer: TransformerConfig },
  game: OpenedGame,
): Promise<PromptFormat> {
  const { folder, transformer } = model;
  const chat = await loadChatFormat(folder);
  assertFits(chat.tokenizer, transformer.vocabulary, folder);
  const prompt = await loadPrompt(
    config.prompt ??
      (await ownPrompt([...(config.adapter?.from === undefined ? [] : [config.adapter.from]), folder])) ??
      'terse',
  );
  if (prompt.grammar === 'tools') throw noToolCalls(prompt);
  const mismatch = promptMismatch(prompt, gameOf(game));
  if (mismatch !== undefined) throw new UsageError({ where: `prompt ${prompt.name}`, ...mismatch });
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
      fix: `Raise it, or lower the context: --with policy.contextLength=${tokensAtOnce}.`,
    });
  }
  assertReplyOptions(
    { contextLength, maxTokens, restricted, ...(reset === undefined ? {} : { reset }) },
    called,
  );
  return {
    chat,
    prompt,
    history: config.history ?? prompt.history,
    contextLength,
    maxTokens,
    reset,
    restricted,
  };
}

/** The prompt file of the first folder that has one beside its weights. */
async function ownPrompt(folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) if (await exists(join(folder, promptFile))) return join(folder, promptFile);
  return undefined;
}

/** The key of an option of a token agent. */
const called = (option: string): string => `policy.${option}`;

/**
 * Writes the files of the prompt format beside those of a model, so that other programs and later runs use
 * the same prompts.
 */
export async function writePromptFormat(
  folder: string,
  { chat, prompt: { fingerprint: _ofTheRest, ...prompt } }: PromptFormat,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of chat.files) await writeFileAtomically(join(folder, name), text);
  await writeFileAtomically(join(folder, promptFile), `${JSON.stringify(prompt, undefined, 2)}\n`);
}

/** Approximate number of bytes that {@link writePromptFormat} writes. */
export const promptFormatBytes = ({ chat, prompt }: PromptFormat): number =>
  [...chat.files.values()].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    JSON.stringify(prompt).length,
  );

/** Whether it is shown the admissible actions. */
export const showsAdmissible = ({ prompt }: PromptFormat): boolean => prompt.actions.shown !== false;

/** An agent that plays with that prompt format. */
export function createPromptAgent(
  promptFormat: PromptFormat,
  of: {
    readonly id: string;
    readonly sampler: TokenSampler;
    readonly text: Textual<unknown, unknown>;
    readonly decoding: TokenDecoding;
  },
): Agent<unknown, unknown> {
  const { chat, prompt, history, maxTokens, reset, restricted } = promptFormat;
  return createTokenAgent({
    ...of,
    codec: chat.tokenizer,
    template: chat.template,
    guard: chat.guard,
    prompt,
    view: { admissible: showsAdmissible(promptFormat), history },
    maxTokens,
    stopTokens: chat.stopTokens,
    restricted,
    called,
    ...(reset === undefined ? {} : { reset }),
  });
}
