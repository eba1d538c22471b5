import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePrompt, type Prompt } from '../../../agents/prompt/prompt.ts';
import { retell, type RetellOptions } from '../../../agents/prompt/retell.ts';
import type { Trajectory } from '../../../agents/rollout/trajectory.ts';
import type { Textual } from '../../../envs/core/textual.ts';
import { playBySearcher, playByText, playByTokens } from '../../support/corridor-episodes.ts';
import { corridorText } from '../../support/corridor.ts';
import { byteCodec, endToken } from '../../support/token-play.ts';
import { smallPrompt } from './small-prompt.ts';

const promptOf = (over: object = {}): Prompt =>
  parsePrompt({ ...smallPrompt, history: 'all', ...over }, 'test');
const text = corridorText as Textual<unknown, unknown>;
const told = (trajectory: Trajectory, over: object = {}, decode?: RetellOptions['decode']) =>
  retell(trajectory, { prompt: promptOf(over), text, decode });
const repliesIn = (...of: Parameters<typeof told>): readonly string[] =>
  told(...of).messages.flatMap((message) => (message.role === 'assistant' ? [message.text] : []));

describe('episode retold as a conversation', () => {
  it('equals the conversation that a model had, and its last reply', async () => {
    const reply = fc.constantFrom('go left', 'go right', 'go wait', 'dance', 'go nowhere');
    await fc.assert(
      fc.asyncProperty(
        fc.array(reply, { minLength: 1, maxLength: 9 }),
        fc.boolean(),
        fc.boolean(),
        async (replies, hasExample, reminds) => {
          const example = hasExample
            ? { examples: [{ instruction: 'Walk.', turns: [{ observation: 'Here.', reply: 'go right' }] }] }
            : {};
          const over = { ...example, ...(reminds ? { turn: 'SEEN {observation} FOR {instruction}' } : {}) };
          const { trajectory, asked } = await playByText(replies, promptOf(over));
          const last = { role: 'assistant', text: replies[(trajectory.steps.length - 1) % replies.length] };
          expect(told(trajectory, over)).toEqual({ messages: [...asked, last], charactersCut: 0 });
        },
      ),
      { numRuns: 50 },
    );
  });

  it('includes every step when the prompt shows little history, and lists no actions', async () => {
    const trajectory = await playBySearcher();
    const { messages } = told(trajectory, { history: 0, remember: 'action' });
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      ...trajectory.steps.flatMap(() => ['user', 'assistant']),
    ]);
    expect(messages.some(({ text: said }) => said.includes('CAN') || said.includes('LEFT OUT'))).toBe(false);
    expect(messages[1]?.text).toBe('TASK Reach room 5. SEEN You stand in room 1 of 5.');
  });

  it('keeps the written reply when the grammar reads the same action from it, and otherwise writes the action alone', async () => {
    const written = '<think>Which way?</think>I go.\n<action>go left</action>';
    const { trajectory } = await playByText([written], promptOf({ grammar: 'tags' }));
    expect(new Set(repliesIn(trajectory, { grammar: 'tags' }))).toEqual(new Set([written]));
    expect(new Set(repliesIn(trajectory, { grammar: 'react' }))).toEqual(new Set(['Action: go left']));
    expect(new Set(repliesIn(trajectory, { grammar: 'command' }))).toEqual(new Set(['go left']));
  });

  it('drops a reply that another grammar would read as another action', async () => {
    const { trajectory } = await playByText(['go left\nAction: go right'], promptOf({ grammar: 'react' }));
    const commands = { ...text, parse: (said: string) => text.parse(said.split('\n')[0] ?? '') };
    const { messages } = retell(trajectory, {
      prompt: promptOf({ grammar: 'command' }),
      text: commands,
      decode: undefined,
    });
    expect(
      messages.filter(({ role }) => role === 'assistant').every(({ text: said }) => said === 'go right'),
    ).toBe(true);
  });

  it('writes actions in the form of every grammar, whichever agent chose them', async () => {
    const trajectory = await playBySearcher();
    const actions = trajectory.steps.map(({ reply }) =>
      reply.kind === 'action' ? text.action(reply.action) : '?',
    );
    expect(repliesIn(trajectory)).toEqual(actions);
    expect(repliesIn(trajectory, { grammar: 'tags' })).toEqual(
      actions.map((action) => `<action>${action}</action>`),
    );
    expect(
      repliesIn({ ...trajectory, steps: trajectory.steps.map((step) => ({ ...step, decision: undefined })) }),
    ).toEqual(actions);
  });

  it('writes token replies as their text when it can be read', async () => {
    const said = [...byteCodec.encode('Let me see.\nAction: go right'), endToken];
    const over = { grammar: 'react' };
    const trajectory = await playByTokens([said], promptOf(over));
    const decode = (tokens: readonly number[]): string =>
      byteCodec.decode(tokens.filter((token) => token !== endToken));
    expect(new Set(repliesIn(trajectory, over, decode))).toEqual(new Set(['Let me see.\nAction: go right']));
    expect(new Set(repliesIn(trajectory, over))).toEqual(new Set(['Action: go right']));
  });

  it('counts the characters that the prompt cuts off', async () => {
    const trajectory = await playBySearcher();
    const long = { ...text, observation: (seen: unknown) => `${text.observation(seen)}${'.'.repeat(200)}` };
    const { messages, charactersCut } = retell(trajectory, {
      prompt: promptOf(),
      text: long,
      decode: undefined,
    });
    expect(charactersCut).toBe(trajectory.steps.length * ('You stand in room 1 of 5.'.length + 100));
    expect(messages[1]?.text).toContain('characters are left out here');
  });

  it('repeats the whole task wherever the prompt does, in examples too', async () => {
    const turn = 'SEEN {observation} FOR {instruction}';
    const examples = [
      {
        instruction: 'Walk.',
        turns: [
          { observation: 'Here.', reply: 'go right' },
          { observation: 'There.', reply: 'go right' },
        ],
      },
    ];
    const instruction = 'far '.repeat(50);
    const { messages } = told({ ...(await playBySearcher()), instruction }, { turn, examples });
    const shown = messages.flatMap(({ role, text: said }) => (role === 'user' ? [said] : []));
    expect(shown.slice(0, 4)).toEqual([
      'TASK Walk. SEEN Here.',
      'SEEN There. FOR Walk.',
      `TASK ${instruction} SEEN You stand in room 1 of 5.`,
      `SEEN You stand in room 2 of 5. FOR ${instruction}`,
    ]);
    expect(shown.slice(3).every((said) => said.endsWith(` FOR ${instruction}`))).toBe(true);
  });

  it('throws a RangeError for an episode without steps', async () => {
    const trajectory = await playBySearcher();
    expect(() => told({ ...trajectory, steps: [] })).toThrow(RangeError);
  });
});
