import { createHash } from 'node:crypto';
import { UsageError } from '../../envs/core/errors.ts';
import type { TextGuard } from '../prompt/text-guard.ts';
import { createChatTemplate } from './chat-template.ts';
import { readText } from './folder-file.ts';
import { loadTokenizer } from './tokenizer/load-tokenizer.ts';
import { createTextGuard } from './special-text.ts';
import type { MessageTemplate } from './token-prompt.ts';
import type { Tokenizer } from './tokenizer/tokenizer.ts';

/**
 * How a language model reads and writes a conversation. A token agent needs this and the weights of the
 * checkpoint folder.
 */
export interface ChatFormat {
  readonly tokenizer: Tokenizer;
  readonly template: MessageTemplate;
  readonly guard: TextGuard;
  /** Ids that end a turn. The first is the one that the template puts after a reply, if it does. */
  readonly stopTokens: readonly number[];
  /** Contents of the files that define it, by name. */
  readonly files: ReadonlyMap<string, string>;
  /** `sha256:` and 64 hexadecimal digits over these files. */
  readonly fingerprint: string;
}

const fileNames = [
  'tokenizer.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'generation_config.json',
  'chat_template.jinja',
] as const;

/**
 * Reads the tokenizer and the chat template of a checkpoint folder.
 * @throws UsageError as `loadTokenizer` does, and for a folder without a chat template or without a token
 * that ends a turn
 */
export async function loadChatFormat(folder: string): Promise<ChatFormat> {
  const { tokenizer, template: source } = await loadTokenizer(folder);
  if (source === undefined) {
    throw new UsageError({
      where: folder,
      what: 'it has no chat template, so the format of its conversations is unknown.',
      fix: 'Put the template into chat_template.jinja in that folder.',
    });
  }
  const template = createChatTemplate(source, { special: tokenizer.special.keys() });
  const end = endOfReply(tokenizer, template);
  const stopTokens = [...new Set([...(end === undefined ? [] : [end]), ...tokenizer.endOfTurn])];
  if (stopTokens.length === 0) {
    throw new UsageError({
      where: folder,
      what: 'neither its tokenizer nor its template names the token that ends a turn.',
      fix: 'Name it as eos_token in tokenizer_config.json, or as eos_token_id in generation_config.json.',
    });
  }
  const files = await readFiles(folder);
  return {
    tokenizer,
    template,
    guard: createTextGuard(tokenizer),
    stopTokens,
    files,
    fingerprint: fingerprintOf(files),
  };
}

/** The special token after a reply; undefined if there is none. */
function endOfReply(tokenizer: Tokenizer, template: MessageTemplate): number | undefined {
  const reply = 'anchorage';
  const text = template.render(
    [
      { role: 'user', text: 'a' },
      { role: 'assistant', text: reply },
    ],
    { addGenerationPrompt: false },
  );
  const [first] = tokenizer.encode(text.slice(text.lastIndexOf(reply) + reply.length));
  return [...tokenizer.special.values()].find((id) => id === first);
}

async function readFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const name of fileNames) {
    const content = await readText(folder, name);
    if (content !== undefined) files.set(name, content);
  }
  return files;
}

function fingerprintOf(files: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const [name, content] of files) hash.update(`${name} ${content.length}\n`).update(content);
  return `sha256:${hash.digest('hex')}`;
}
