import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createChatTemplate } from '../../../../agents/render/chat-template.ts';

const message = z
  .object({ role: z.enum(['system', 'user', 'assistant', 'tool']), content: z.string() })
  .transform(({ role, content }) => ({ role, text: content }));
/** See make-goldens.py beside the file. */
const goldens = z
  .object({
    tokens: z.record(z.string(), z.string()),
    groups: z.record(
      z.string(),
      z.object({
        conversations: z.array(z.object({ messages: z.array(message), prompt: z.boolean() })),
        cases: z.array(
          z.object({ name: z.string(), template: z.string(), texts: z.array(z.string().nullable()) }),
        ),
      }),
    ),
  })
  .parse(
    JSON.parse(readFileSync(new URL('../../../golden/chat-template/goldens.json', import.meta.url), 'utf8')),
  );
const titles = {
  single: 'evaluates text methods, filters and operators as jinja2 does',
  talk: 'removes whitespace and scopes variables as jinja2 does',
  talks: 'renders a published template byte for byte as jinja2 does',
} as const;

describe.each(Object.entries(titles))('chat template goldens: %s', (group, title) => {
  const { conversations, cases } = goldens.groups[group] ?? { conversations: [], cases: [] };

  test.each(cases)(`${title}: $name`, ({ template, texts }) => {
    const chat = createChatTemplate(
      { where: 'here.jinja', text: template, tokens: goldens.tokens },
      { special: [] },
    );
    const got = conversations.map(({ messages, prompt }) => {
      try {
        return chat.render(messages, { addGenerationPrompt: prompt });
      } catch {
        return null;
      }
    });
    expect(got).toEqual(texts);
  });
});
