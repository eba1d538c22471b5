import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeCall, offerTools, readCall } from '../../../agents/prompt/tool-calls.ts';
import { strictTextual, type Reply, type Textual, type ToolCall } from '../../../envs/core/textual.ts';

const words: Textual<string, string> = {
  observation: (text) => text,
  action: (text) => text,
  parse: (text) =>
    text.startsWith('go ')
      ? { kind: 'action', action: text }
      : { kind: 'malformed', why: 'Say where to go.', text },
};

const listed = (actions: readonly string[]): { actions: readonly string[]; words: readonly string[] } => ({
  actions,
  words: actions,
});

/** A textual of actions that are values, which tools alone make. */
const valued = <Act>(): Textual<string, Act> => ({
  observation: (text) => text,
  action: (action) => JSON.stringify(action),
  parse: (text) => ({ kind: 'malformed', why: 'never parsed', text }),
});

describe('offerTools', () => {
  it('offers the listed actions as the values of one tool', () => {
    const { tools, leftOut, read } = offerTools({ text: words }, listed(['go left', 'go right']), 10);
    expect(leftOut).toBe(0);
    expect(tools).toMatchObject([
      {
        name: 'act',
        parameters: {
          properties: { action: { type: 'string', enum: ['go left', 'go right'] } },
          required: ['action'],
        },
      },
    ]);
    expect(read({ name: 'act', arguments: { action: 'go left' } })).toEqual({
      kind: 'action',
      action: 'go left',
    });
    expect(read({ name: 'act', arguments: { action: 'jump' } })).toMatchObject({ why: 'Say where to go.' });
    expect(read({ name: 'act', arguments: { act: 'go left' } })).toMatchObject({
      kind: 'malformed',
      why: expect.stringMatching(/^Call act with the action in words: action/) as string,
    });
  });

  it('describes the first actions where there are more than a prompt lists', () => {
    const { tools, leftOut } = offerTools({ text: words }, listed(['go a', 'go b', 'go c']), 2);
    expect(leftOut).toBe(1);
    const [{ parameters } = { parameters: {} }] = tools;
    expect(JSON.stringify(parameters)).toContain('go a; go b; and 1 more, which are left out here');
    expect(JSON.stringify(parameters)).not.toContain('enum');
  });

  it('offers a text where no actions are listed and the schema of actions is no object', () => {
    for (const action of [undefined, z.string(), z.enum(['go a', 'go b'])]) {
      const { tools, read } = offerTools({ text: words, action }, undefined, 10);
      expect(tools).toMatchObject([
        { name: 'act', parameters: { properties: { action: { type: 'string' } } } },
      ]);
      expect(read({ name: 'act', arguments: { action: 'go b' } })).toMatchObject({ action: 'go b' });
    }
  });

  it('offers one tool for each variant of a union of objects', () => {
    const action = z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('find'), who: z.string().describe('first name') }).describe('finds'),
      z.strictObject({ kind: z.literal('stop') }),
    ]);
    const { tools, read } = offerTools({ text: valued<z.output<typeof action>>(), action }, undefined, 10);
    expect(tools).toEqual([
      {
        name: 'find',
        description: 'finds',
        parameters: {
          type: 'object',
          properties: { who: { type: 'string', description: 'first name' } },
          required: ['who'],
          additionalProperties: false,
        },
      },
      {
        name: 'stop',
        description: 'Does the action stop and returns what is observed then.',
        parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
      },
    ]);
    expect(read({ name: 'find', arguments: { who: 'Ada' } })).toEqual({
      kind: 'action',
      action: { kind: 'find', who: 'Ada' },
    });
    expect(read({ name: 'find', arguments: { who: 3 } })).toMatchObject({
      kind: 'malformed',
      why: expect.stringMatching(/^That is no action: who/) as string,
    });
    // the name of the tool decides, whatever the arguments say
    expect(read({ name: 'stop', arguments: { kind: 'find', who: 'Ada' } })).toMatchObject({
      kind: 'malformed',
    });
  });

  it('offers an object of keys as the arguments of one tool', () => {
    const action = z.strictObject({ x: z.int(), y: z.int().optional() }).describe('clicks at a point');
    const { tools, read } = offerTools({ text: valued<z.output<typeof action>>(), action }, undefined, 10);
    expect(tools).toMatchObject([
      { name: 'act', description: 'clicks at a point', parameters: { required: ['x'] } },
    ]);
    expect(read({ name: 'act', arguments: { x: 3 } })).toEqual({ kind: 'action', action: { x: 3 } });
  });

  it.each([
    [
      'names that servers refuse',
      z.union([z.strictObject({ kind: z.literal('a b') }), z.strictObject({ kind: z.literal('c') })]),
    ],
    [
      'two equal names',
      z.union([
        z.strictObject({ kind: z.literal('a') }),
        z.strictObject({ kind: z.literal('a'), x: z.int() }),
      ]),
    ],
    ['no naming key', z.union([z.strictObject({ x: z.int() }), z.strictObject({ y: z.int() })])],
    ['values that JSON lacks', z.strictObject({ at: z.date() })],
  ])('offers words for a schema with %s', (_name, action) => {
    const { tools } = offerTools<unknown>({ text: valued<unknown>(), action }, undefined, 10);
    expect(tools).toMatchObject([
      { name: 'act', parameters: { properties: { action: { type: 'string' } } } },
    ]);
  });

  it('prefers the tools of the environment, whose actions must fit its schema', () => {
    const text: Textual<string, string> = {
      ...words,
      tools: {
        list: (admissible) => [
          {
            name: 'walk',
            description: 'walks',
            parameters: { type: 'object', properties: { to: { enum: [...(admissible ?? [])] } } },
          },
        ],
        read: ({ arguments: { to } }) => ({
          kind: 'action',
          action: `go ${JSON.stringify(to).slice(1, -1)}`,
        }),
      },
    };
    const strict = strictTextual({ text, action: z.string().regex(/^go [ab]$/) });
    const { tools, read } = offerTools({ text: strict }, listed(['go a']), 10);
    expect(tools).toMatchObject([{ name: 'walk', parameters: { properties: { to: { enum: ['go a'] } } } }]);
    expect(read({ name: 'walk', arguments: { to: 'a' } })).toEqual({ kind: 'action', action: 'go a' });
    expect(read({ name: 'walk', arguments: { to: 'z' } })).toMatchObject({
      kind: 'malformed',
      why: expect.stringContaining('That is no action') as string,
      text: '{"name":"walk","arguments":{"to":"z"}}',
    });
  });
});

describe('names of the tools of an env', () => {
  it('become names that servers accept, and calls of them reach the tool', () => {
    const long = 'x'.repeat(70);
    const names = ['files.read', 'files_read', 'files.read_2', `${long}1`, `${long}2`];
    const read = (call: ToolCall): Reply<ToolCall> => ({ kind: 'action', action: call });
    const text: Textual<never, ToolCall> = {
      ...valued<ToolCall>(),
      tools: {
        list: () => names.map((name) => ({ name, description: '', parameters: {} })),
        read,
        readAll: ([first]) => read(first ?? { name: '', arguments: {} }),
      },
    };
    const offered = offerTools({ text }, undefined, 10);
    const offeredNames = offered.tools.map(({ name }) => name);
    expect(new Set(offeredNames).size).toBe(names.length);
    expect(offeredNames.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect(offeredNames.slice(0, 3)).toEqual(['files_read', 'files_read_2', 'files_read_2_2']);
    for (const [at, name] of offeredNames.entries()) {
      const meant = { kind: 'action', action: { name: names[at], arguments: {} } };
      expect(offered.read({ name, arguments: {} })).toEqual(meant);
      expect(offered.readAll?.([{ name, arguments: {} }])).toEqual(meant);
    }
  });
});

describe('readCall', () => {
  const tools = { tools: [{ name: 'act', description: '', parameters: {} }] };
  it('reads arguments that are a JSON object, or none at all', () => {
    expect(readCall({ name: 'act', arguments: '{"action": "x"}' }, tools)).toEqual({
      kind: 'call',
      call: { name: 'act', arguments: { action: 'x' } },
    });
    expect(readCall({ name: 'act', arguments: ' ' }, tools)).toMatchObject({ call: { arguments: {} } });
  });

  it.each(['{"action": "x', '[1]', 'null', '"x"', 'go left'])('refuses the arguments %s', (given) => {
    expect(readCall({ name: 'act', arguments: given }, tools)).toEqual({
      kind: 'malformed',
      why: 'The arguments of act are not a JSON object.',
    });
  });

  it('names the tools where one is called that was not offered', () => {
    expect(readCall({ name: 'move"', arguments: '{}' }, tools)).toEqual({
      kind: 'malformed',
      why: String.raw`There is no tool "move\"". The tools are act.`,
    });
    expect(describeCall({ name: 'act', arguments: '{}' })).toBe('act({})');
  });

  it('leaves an unknown tool to an env that answers it, unless servers refuse the name', () => {
    const answered = { ...tools, answersUnknown: true };
    expect(readCall({ name: 'fly', arguments: '{}' }, answered)).toEqual({
      kind: 'call',
      call: { name: 'fly', arguments: {} },
    });
    expect(readCall({ name: 'fly', arguments: '{}' }, tools)).toMatchObject({ kind: 'malformed' });
    expect(readCall({ name: 'move"', arguments: '{}' }, answered)).toMatchObject({ kind: 'malformed' });
  });
});
