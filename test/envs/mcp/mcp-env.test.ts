import { describe, expect, test } from 'vitest';
import { checkEnv } from '../../../envs/check/check-env.ts';
import { describeFinding } from '../../../envs/check/report.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { ToolAction } from '../../../envs/engines/tools/action.ts';
import { createNotes } from '../../fixtures/mcp/notes.mjs';
import { useFolder } from '../../support/own-folder.ts';
import { addNote, mcpInMemory, newContext, play, writeTasks, type Playing } from './playing.ts';

const at = useFolder();
const done: ToolAction = { kind: 'done' };
const server = { command: 'in-memory' };
const notes = mcpInMemory({ notes: () => createNotes(), more: () => createNotes() });

const withTasks = async (train: readonly object[], settings: object = {}): Promise<Playing> =>
  await play(
    {
      servers: { notes: server },
      tasks: await writeTasks(at('tasks.json'), { panels: { train } }),
      ...settings,
    },
    notes,
  );

describe('an episode', () => {
  test('offers the tools of each server under its name, and pays for checks that hold', async () => {
    await using playing = await withTasks([addNote], { servers: { notes: server, more: server } });
    expect(playing.instruction).toContain('- notes.add: adds a note; takes {"type":"object"');
    expect(playing.instruction).toContain('- more.read: reads a note');
    expect(playing.instruction).toContain('User: Add a note "milk"');
    const { observation } = await playing.call('notes.add', { title: 'milk', text: 'two litres' });
    expect(observation.results).toEqual([{ name: 'notes.add', text: 'added milk' }]);
    expect((await playing.call('more.list')).observation.results[0]?.text).toBe('{"titles":[]}');
    expect(await playing.step(done)).toMatchObject({ outcome: 'solved', reward: { total: 1 } });
  });

  test('fails where a check does not hold', async () => {
    await using playing = await withTasks([addNote]);
    await playing.call('notes.add', { title: 'bread', text: '' });
    expect(await playing.step(done)).toMatchObject({ outcome: 'failed', metrics: { 'wrong-state': 1 } });
  });

  test.each<[string, object, string, string]>([
    ['notes.ad', {}, 'unknown_tool', 'Did you mean notes.add or'],
    ['notes.add', { title: 'x' }, 'bad_argument', 'The argument text is missing.'],
    ['notes.add', { title: 'x', text: 'y', size: 1 }, 'bad_argument', 'There is no argument "size".'],
    ['notes.add', { title: 5, text: 'y' }, 'bad_argument', 'The argument title cannot be used'],
    ['notes.add', { title: 'x', text: 'y', tags: [5] }, 'tool_error', 'tags'], // found by the server alone
    ['notes.read', { title: 'none' }, 'tool_error', 'There is no note none.'],
  ])('answers the call %s %j with %s', async (name, given, error, text) => {
    await using playing = await withTasks([addNote]);
    const { observation, inadmissible } = await playing.call(name, given as Record<string, string>);
    expect(observation.results[0]).toMatchObject({ error, text: expect.stringContaining(text) as string });
    expect(inadmissible).toBe(error !== 'tool_error'); // what the server refused may have been worth trying
  });

  test('starts from the calls that set it up, without withheld tools', async () => {
    const task = {
      setup: [{ name: 'notes.add', arguments: { title: 'rent', text: 'due on Friday' } }],
      withheld: ['notes.clear'],
      says: 'When is the rent due?',
      tell: ['Friday'],
    };
    await using playing = await withTasks([task]);
    expect((await playing.call('notes.clear')).observation.results[0]?.error).toBe('unknown_tool');
    await playing.call('notes.read', { title: 'rent' });
    await playing.step({ kind: 'say', text: 'On Friday.' });
    expect(await playing.step(done)).toMatchObject({ outcome: 'solved' });
  });

  test.each([
    ['restart', 'restart'],
    ['a tool', { tool: 'clear' }],
  ])('leaves nothing to the next one after a reset by %s', async (_, reset) => {
    await using playing = await withTasks([addNote], { servers: { notes: { ...server, reset } } });
    await playing.call('notes.add', { title: 'milk', text: 'two litres' });
    await playing.env.reset({ panel: 'train', index: 0 }, newContext());
    expect((await playing.call('notes.list')).observation.results[0]?.text).toBe('{"titles":[]}');
  });

  test('cuts long results', async () => {
    const text = 'x'.repeat(5_000);
    await using playing = await withTasks([
      { ...addNote, setup: [{ name: 'notes.add', arguments: { title: 'long', text } }] },
    ]);
    const { observation } = await playing.call('notes.read', { title: 'long' });
    expect(observation.results[0]?.text).toBe(`${'x'.repeat(4_000)}… (cut at 4000 characters)`);
  });

  test('gets other anchor keys after another order of calls that change something', async () => {
    await using playing = await withTasks([addNote]);
    const keys: unknown[] = [];
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      await playing.env.reset({ panel: 'train', index: 0 }, newContext());
      await playing.call('notes.list');
      for (const title of order) await playing.call('notes.add', { title, text: '' });
      const turn = await playing.call('notes.read', { title: 'a' });
      keys.push('anchorKey' in turn ? turn.anchorKey : undefined);
      expect(turn.stateKey).toBeUndefined();
    }
    expect(new Set(keys).size).toBe(2);
  });
});

test('keeps the laws of the contract that can be checked', async () => {
  const tasks = await writeTasks(at('tasks.json'), {
    panels: {
      train: [addNote],
      dev: [
        {
          ...addNote,
          setup: [{ name: 'notes.add', arguments: { title: 'x', text: 'y' } }],
          says: 'Clear.',
          gold: [{ name: 'notes.clear', arguments: {} }],
          checks: [{ call: { name: 'notes.list', arguments: {} }, equals: { titles: [] } }],
        },
      ],
    },
  });
  const report = await checkEnv(notes, {
    config: { servers: { notes: server }, tasks },
    tasksPerPanel: 1,
    pairs: 6,
    points: 4,
    episodes: 2,
  });
  expect(report.findings.map(describeFinding)).toEqual([]);
  const left = report.unchecked.map(({ law }) => law);
  expect(left.filter((law) => !Object.hasOwn(notes.unchecked ?? {}, law))).toEqual([]);
});

describe('opening refuses', () => {
  test.each<[string, object, RegExp]>([
    ['no server', { servers: {} }, /no server is named/],
    ['no tasks', { tasks: '' }, /no file of tasks/],
    ['a server without a way', { servers: { notes: {} } }, /servers\.notes\.command/],
    [
      'an address that keeps state unsaid',
      { servers: { notes: { type: 'http', url: 'http://127.0.0.1:1/mcp' } } },
      /notes\.reset/,
    ],
    ['a tool that is not there', { servers: { notes: { ...server, tools: ['ad'] } } }, /Did you mean add\?/],
    [
      'a reset that is not there',
      { servers: { notes: { ...server, reset: { tool: 'wipe' } } } },
      /no tool wipe/,
    ],
  ])('%s', async (_, settings, what) => {
    await expect(withTasks([addNote], settings)).rejects.toThrow(what);
  });

  test.each<[string, object, RegExp]>([
    ['unknown keys', { ...addNote, chekcs: [] }, /chekcs/],
    ['a task that every agent solves', { says: 'Do it.' }, /nothing is checked/],
    ['files outside of the folder', { ...addNote, files: { '../x': '' } }, /outside of the work folder/],
    [
      'gold calls of tools that are not there',
      { ...addNote, gold: [{ name: 'notes.ad', arguments: {} }] },
      /gold: there is no tool notes\.ad\. Did you mean notes\.add/,
    ],
    [
      'checks of tools that are not there',
      { says: 'x', checks: [{ call: { name: 'a.b', arguments: {} }, contains: 'x' }] },
      /no tool a\.b/,
    ],
  ])('tasks with %s', async (_, task, what) => {
    const refusal = withTasks([task]);
    await expect(refusal).rejects.toThrow(what);
    await expect(refusal).rejects.toSatisfy((thrown) => UsageError.is(thrown));
  });
});
