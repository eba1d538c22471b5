import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tellMessages, weigh } from '../../../agents/prompt/conversation.ts';
import { PromptHistory } from '../../../agents/prompt/prompt-history.ts';
import { parsePrompt } from '../../../agents/prompt/prompt.ts';
import { weightOf } from '../../../agents/prompt/context-budget.ts';
import { smallPrompt } from './small-prompt.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const exchange = fc.record({ shown: text, reply: text });
const turns = ['x', 'y'].map((observation) => ({ observation, reply: 'a' }));
const prompt = parsePrompt(
  {
    ...smallPrompt,
    turn: 'SEEN {observation} FOR {instruction}',
    examples: [{ instruction: 'other', turns }],
  },
  'test',
);

it('the incremental size of a prompt equals the size of its messages', () => {
  fc.assert(
    fc.property(
      text,
      fc.array(exchange, { maxLength: 12 }),
      text,
      fc.option(text, { nil: undefined }),
      (opening, exchanges, now, actions) => {
        const telling = {
          opening,
          past: new PromptHistory(exchanges),
          now: exchanges.length === 0 ? undefined : now,
          actions,
        };
        const weight = weigh(prompt, telling);
        for (let keep = 0; keep <= exchanges.length; keep += 1) {
          expect(weight(keep)).toBe(
            tellMessages(prompt, telling, keep).reduce((sum, message) => sum + weightOf(message.text), 0),
          );
        }
      },
    ),
  );
});
