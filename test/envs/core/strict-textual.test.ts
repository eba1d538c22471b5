import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Reply, strictTextual } from '../../../envs/core/textual.ts';

const action = z.strictObject({ tool: z.enum(['look', 'take']) });
type Call = z.output<typeof action>;

/** Accepts any JSON as an action, as careless authors do. */
const careless = {
  observation: String,
  action: (call: Call) => JSON.stringify(call),
  parse: (text: string): Reply<Call> =>
    text.startsWith('{')
      ? { kind: 'action', action: JSON.parse(text) as Call }
      : { kind: 'malformed', why: 'Write JSON.', text },
};

describe('strictTextual', () => {
  const words = strictTextual({ text: careless, action });

  it('passes on valid actions and malformed replies unchanged', () => {
    expect(words.parse('{"tool":"look"}')).toEqual({ kind: 'action', action: { tool: 'look' } });
    expect(words.parse('look')).toEqual({ kind: 'malformed', why: 'Write JSON.', text: 'look' });
    expect(words.action({ tool: 'take' })).toBe('{"tool":"take"}');
  });

  it('reports JSON that is not an action as malformed', () => {
    expect(words.parse('{"tool":"evil"}')).toEqual({
      kind: 'malformed',
      why: expect.stringMatching(/^That is no action: tool: .*\.$/) as string,
      text: '{"tool":"evil"}',
    });
  });

  it('keeps isSample when the env has it', () => {
    expect('isSample' in words).toBe(false);
    expect(
      strictTextual({
        text: { ...careless, isSample: ({ tool }: Call) => tool === 'take' },
        action,
      }).isSample?.({
        tool: 'take',
      }),
    ).toBe(true);
  });
});
