import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { tau2Env } from '../../../envs/tau2/definition.ts';
import { createMemoryLogger } from '../../../envs/core/log.ts';
import { openEnv } from '../../../envs/open.ts';
import { replayTau2 } from '../../../bench/tools/replay-tau2.ts';
import { tau2Files, writeTau2Folder } from '../../support/tau2-folder.ts';
import { context, playTau2 } from './play-tau2.ts';

const data = writeTau2Folder();
afterAll(data.remove);
const retail = { data: data.folder, domain: 'retail' };
const mock = { data: data.folder, domain: 'mock' };
const done = { kind: 'done' } as const;
const base = (index: number) => ({ panel: 'base', index });

describe('gold actions', () => {
  it.each(['retail', 'mock', 'airline'] as const)(
    'lead to full marks on every task of %s',
    async (domain) => {
      const replayed = await replayTau2({ data: data.folder, domain, judged: 'communicate' }, context);
      expect(replayed.length).toBeGreaterThan(1);
      expect(replayed.filter(({ isSolved }) => !isSolved)).toEqual([]);
    },
  );

  it('may fail where they only look, and the end state is still graded', async () => {
    await using playing = await playTau2(retail, base(2));
    expect(await playing.call('get_order_details', { order_id: '#W9' })).toBe('Error: Order not found');
    await playing.call('cancel_pending_order', { order_id: '#W3', reason: 'no longer needed' });
    expect(await playing.step(done)).toMatchObject({ outcome: 'solved' });
  });
});

describe('the reward', () => {
  it('the reward is 0 where the end state differs from the gold one', async () => {
    await using playing = await playTau2(retail);
    await playing.call('cancel_pending_order', { order_id: '#W1', reason: 'ordered by mistake' });
    expect(await playing.step(done)).toMatchObject({
      outcome: 'failed',
      reward: { total: 0 },
      metrics: { 'wrong-db': 1, 'wrong-communicate': 0 },
    });
  });

  it('needs what must be communicated, and commas of the message do not count', async () => {
    const exchange = {
      order_id: '#W2',
      item_ids: ['9900000001'],
      new_item_ids: ['100000002'],
      payment_method_id: 'gift_card_1',
    };
    await using silent = await playTau2(retail, base(1));
    await silent.call('exchange_delivered_order_items', exchange);
    expect(await silent.step(done)).toMatchObject({ outcome: 'failed', metrics: { 'wrong-communicate': 1 } });
    await using telling = await playTau2(retail, base(1));
    await telling.call('exchange_delivered_order_items', exchange);
    expect(await telling.say('It costs $2,.35 more')).toMatchObject({ outcome: 'solved' });
  });

  it('needs every gold action where the basis has ACTION, and compares only the arguments that it names', async () => {
    await using without = await playTau2(retail, base(3));
    expect(await without.step(done)).toMatchObject({ outcome: 'failed', metrics: { 'wrong-action': 1 } });
    await using with_ = await playTau2(retail, base(3));
    await with_.call('transfer_to_human_agents', { summary: 'in other words' });
    expect(await with_.step(done)).toMatchObject({ outcome: 'solved' });
  });

  it('needs the assertions on the side of the user', async () => {
    await using playing = await playTau2(mock, base(2));
    await playing.call('update_task_status', { task_id: 'task_1', status: 'completed' });
    expect(await playing.step(done)).toMatchObject({
      outcome: 'failed',
      metrics: { 'wrong-db': 1, 'wrong-action': 1, 'wrong-env-assertion': 1 },
    });
  });

  it('a task without criteria gets the full reward', async () => {
    await using playing = await playTau2(mock, base(3));
    expect(await playing.step(done)).toMatchObject({ outcome: 'solved' });
  });
});

describe('a task', () => {
  it('starts after the messages that it has, whose words count', async () => {
    await using playing = await playTau2(mock);
    expect(playing.opening.instruction).toContain('You called create_task');
    expect(await playing.call('get_users')).toContain('"tasks": ["task_1", "task_2"]');
    await playing.call('update_task_status', { task_id: 'task_2', status: 'completed' });
    expect(await playing.step(done)).toMatchObject({ outcome: 'solved' });
  });

  it('starts with its own data, merged into the files', async () => {
    await using playing = await playTau2(mock, base(1));
    expect(await playing.call('get_users')).toBe(
      '[{"user_id": "nib", "name": "Nib", "tasks": ["task_1", "task_9"]}]',
    );
  });

  it('tasks with NL assertions are left out, and the log has their number', async () => {
    const log = createMemoryLogger();
    const host = await openEnv(tau2Env, { data: data.folder, domain: 'retail', dev: 0 }, { ...context, log });
    expect(host.panels.map(({ name, size }) => [name, size])).toEqual([
      ['train', 3],
      ['test', 2],
    ]);
    expect(log.events.map(({ event }) => event)).toContainEqual({
      type: 'opening-tally',
      part: 'retail/tasks.json',
      name: 'tasks with NL assertions, which are left out',
      count: 1,
    });
    await host.close();
  });

  it('tasks with NL assertions can be graded by what must be communicated', async () => {
    await using playing = await playTau2({ ...retail, judged: 'communicate' }, base(3));
    await playing.call('cancel_pending_order', { order_id: '#W3', reason: 'no longer needed' });
    expect(await playing.step(done)).toMatchObject({ metrics: { 'wrong-communicate': 1 } });
  });
});

describe('the scripted user', () => {
  it('says first what the task gives it, and stops where the criteria are met', async () => {
    await using playing = await playTau2(retail);
    expect(playing.opening.observation).toMatchObject({
      user: expect.stringContaining('You are Zoe Quill, zip code 04001.') as string,
    });
    const agreed = await playing.say('Shall I cancel it?');
    expect(agreed).toMatchObject({
      kind: 'ongoing',
      observation: { user: expect.stringMatching(/^Yes/) as string },
    });
    await playing.call('cancel_pending_order', { order_id: '#W1', reason: 'no longer needed' });
    expect(await playing.say('It is done.')).toMatchObject({
      kind: 'terminated',
      outcome: 'solved',
      observation: { user: '###STOP###' },
    });
  });

  it('leaves after a transfer, with what was reached', async () => {
    await using playing = await playTau2(retail);
    await playing.call('transfer_to_human_agents', { summary: 'no idea' });
    expect(await playing.say('Please hold on.')).toMatchObject({
      outcome: 'failed',
      observation: { user: '###TRANSFER###' },
    });
  });

  it('uses its tools with the arguments of the task', async () => {
    await using playing = await playTau2(mock, base(2));
    expect((await playing.say('Please use dismiss_notification.')).observation.user).toBe(
      'I did dismiss_notification: Notification n2 dismissed',
    );
  });
});

describe('a damaged folder', () => {
  const { retailDb, retailTasks, mockTasks } = tau2Files;
  it.each<[string, string, Readonly<Record<string, unknown>>, RegExp]>([
    [
      'a missing domain',
      'airline',
      { 'airline/db.json': undefined, 'airline/tasks.json': undefined, 'airline/policy.md': undefined },
      /no folder airline/,
    ],
    [
      'a missing file',
      'retail',
      { 'retail/policy.md': undefined },
      /retail\/policy\.md: there is no such file/,
    ],
    [
      'a database cut off',
      'retail',
      { 'retail/db.json': '{\n "products": {' },
      /db\.json: line 2, column \d+: it is not JSON, or incomplete/,
    ],
    [
      'a table that is missing',
      'retail',
      { 'retail/db.json': '{"products": {}, "users": {}}' },
      /db\.json, orders: the table is missing/,
    ],
    [
      'a table too many',
      'retail',
      { 'retail/db.json': '{"cars": {}}' },
      /db\.json, cars: the domain has no such table/,
    ],
    [
      'a row of another shape',
      'retail',
      { 'retail/db.json': { ...retailDb, orders: { '#W1': { order_id: '#W1' } } } },
      /db\.json, orders, #W1: .*user_id/s,
    ],
    [
      'an unknown tool in a task',
      'retail',
      {
        'retail/tasks.json': [
          { ...retailTasks[0], evaluation_criteria: { actions: [{ name: 'fly', arguments: {} }] } },
        ],
        'retail/split_tasks.json': undefined,
      },
      /task cancel, actions: the assistant has no tool fly/,
    ],
    [
      'an unknown task in the split',
      'retail',
      { 'retail/split_tasks.json': { base: ['nobody'] } },
      /split_tasks\.json, base: it names the task "nobody"/,
    ],
    [
      'messages that do not repeat',
      'mock',
      {
        'mock/tasks.json': JSON.stringify(mockTasks)
          .replace('Refill\\\\"', 'Other\\\\"')
          .replace('\\"title\\":\\"Refill\\"', '\\"title\\":\\"Other\\"'),
      },
      /task history, message_history, create_task: the call returns/,
    ],
  ])('a folder with %s is refused with file and place', async (_, domain, changed, words) => {
    const damaged = writeTau2Folder(changed);
    await expect(playTau2({ data: damaged.folder, domain })).rejects.toThrow(words);
    damaged.remove();
  });

  it('a config is refused that wants to be graded by results', async () => {
    await expect(playTau2({ ...retail, grading: 'results' })).rejects.toThrow(/criteria of its own/);
  });

  it('a config without a folder is refused', async () => {
    await expect(playTau2({})).rejects.toThrow(/no data folder is named.*--set data=FOLDER/s);
  });
});

const real = process.env['TAU2_DATA'] ?? '';
if (real !== '')
  describe('the data of TAU2_DATA', () => {
    // Task 7 of mock has no gold action. Task 8 wants the user's database both changed and as it was.
    it('lead to full marks by their gold actions, but for two tasks of mock', async () => {
      const replayed = await replayTau2({ data: real, domain: 'mock' }, context);
      expect(replayed.filter(({ isSolved }) => !isSolved).map(({ index, wrong }) => [index, wrong])).toEqual([
        [7, ['env-assertion']],
        [8, ['env-assertion']],
      ]);
    });

    it('lead to full marks in all of retail', async () => {
      const folder = path.join(real, 'retail');
      const tasks = readdirSync(folder).find((name) => /^tasks.*\.json$/.test(name)) ?? 'tasks.json';
      const replayed = await replayTau2(
        { data: real, domain: 'retail', tasks, judged: 'communicate' },
        context,
      );
      expect(replayed.length).toBeGreaterThan(0);
      expect(replayed.filter(({ isSolved }) => !isSolved)).toEqual([]);
    });
  });
