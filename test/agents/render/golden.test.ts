import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createChatTemplate, type ChatTemplate } from '../../../agents/render/chat-template.ts';
import { loadTokenizer } from '../../../agents/render/tokenizer/load-tokenizer.ts';
import { UsageError } from '../../../envs/core/errors.ts';

const golden = (name: string): string => new URL(`../../golden/tokenizer/${name}`, import.meta.url).pathname;
const ids = z.array(z.int());
const goldens = z
  .object({
    strings: z.array(z.string()).length(200),
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
  })
  .parse(JSON.parse(readFileSync(golden('goldens.json'), 'utf8')));

/** The time that make-goldens.py uses. */
const noon = (): Date => new Date(Date.UTC(2026, 2, 5, 12));

describe.each(Object.entries(goldens.tokenizers))(
  'folder %s against tokenizers and transformers',
  (name, wanted) => {
    const opened = loadTokenizer(golden(name));

    test('encodes every awkward string to the same ids', async () => {
      const { tokenizer } = await opened;
      expect(tokenizer.size).toBe(wanted.size);
      for (const [index, text] of goldens.strings.entries()) {
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
      expect(wanted.conversations.filter(({ text }) => text !== null).length).toBeGreaterThan(10);
      for (const { messages, addGenerationPrompt, text } of wanted.conversations) {
        const render = (): string => chat.render(messages, { addGenerationPrompt });
        if (text === null) expect(render).toThrow(UsageError);
        else expect(render()).toBe(text);
      }
    });
  },
);
