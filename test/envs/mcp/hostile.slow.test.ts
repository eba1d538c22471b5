// Slow: each test starts processes of servers.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../envs/core/errors.ts';
import { FaultError } from '../../../envs/core/errors.ts';
import { untilGone } from '../../support/processes.ts';
import { useFolder } from '../../support/own-folder.ts';
import { fixture, newContext, play, writeTasks, type Playing } from './playing.ts';

const at = useFolder();

async function against(how: string, settings: object = {}, words: readonly string[] = []): Promise<Playing> {
  const tasks = await writeTasks(at('tasks.json'), {
    panels: {
      train: [
        { says: 'Call good.', checks: [{ call: { name: 'it.good', arguments: {} }, contains: 'fine' }] },
      ],
    },
  });
  const servers = { it: { command: process.execPath, args: [fixture('hostile-server.mjs'), how, ...words] } };
  return await play({ servers, tasks, ...settings });
}

async function faultOf(work: Promise<unknown>): Promise<Fault | undefined> {
  try {
    await work;
    return undefined;
  } catch (thrown) {
    if (!FaultError.is(thrown)) throw thrown;
    return thrown.fault;
  }
}

const pidsIn = async (file: string): Promise<readonly number[]> =>
  (await readFile(file, 'utf8')).trim().split(/\s+/).map(Number);

describe('a server that misbehaves', () => {
  test.each([
    ['dies', 'died', /ended with code 3; it printed: out of luck/],
    ['hangs', 'late', /bad did not answer within 500 ms/],
    ['floods', 'too-large', /more than 1000000 bytes/],
    ['notifies', 'too-large', /more than 1000000 bytes/],
    ['lies', 'schema', /does not match its output schema/],
    ['forgets', 'changed', /no longer those/],
    ['nonsense', 'protocol', /./],
  ])('%s: the episode has the fault %s, and the next one works', async (how, code, message) => {
    await using playing = await against(how, {
      answerBytes: 1_000_000,
      ...(how === 'hangs' ? { timeMs: 500 } : {}),
    });
    const fault = await faultOf(playing.call('it.bad'));
    expect(fault).toMatchObject({ kind: 'tool-server-failed', server: 'it', code });
    expect(fault).toHaveProperty('message', expect.stringMatching(message));
    const env = await playing.host.create();
    const context = newContext();
    await env.reset({ panel: 'train', index: 0 }, context);
    const calls = [{ name: 'it.good', arguments: {} }];
    const { observation } = await env.step({ kind: 'calls', calls }, context);
    expect(observation.results).toEqual([{ name: 'it.good', text: 'fine' }]);
    await env.close();
  });

  test('changes its tools: the next call has the fault', async () => {
    await using playing = await against('changes');
    await playing.call('it.bad');
    expect(await faultOf(playing.call('it.good'))).toMatchObject({ code: 'changed' });
  });

  test.each([
    ['rejects', 'bad_argument', 'a is not right'],
    ['fails', 'tool_error', 'Internal error'],
  ])('%s a call: that is an observation', async (how, error, text) => {
    await using playing = await against(how);
    const { observation } = await playing.call('it.bad');
    expect(observation.results).toEqual([
      { name: 'it.bad', error, text: expect.stringContaining(text) as string },
    ]);
    expect(await playing.step({ kind: 'done' })).toMatchObject({ outcome: 'solved' });
  });

  test.each(['old', 'noisy'])('works although it is %s', async (how) => {
    await using playing = await against(how);
    expect((await playing.call('it.bad')).observation.results).toEqual([{ name: 'it.bad', text: 'ok' }]);
  });

  test('never starts: opening has a fault in time', async () => {
    expect(await faultOf(against('never-starts', { startMs: 600 }))).toMatchObject({ code: 'start' });
  });

  test('does not exist: opening names the command', async () => {
    const tasks = await writeTasks(at('tasks.json'), { panels: { train: [{ says: 'x', tell: ['x'] }] } });
    const fault = await faultOf(play({ servers: { it: { command: 'no-such-program' } }, tasks }));
    expect(fault).toMatchObject({
      code: 'start',
      message: expect.stringContaining('no-such-program') as string,
    });
  });
});

describe('processes', () => {
  test('end with their children when the env is closed, and when an episode restarts them', async () => {
    const file = at('pids');
    const playing = await against('child', {}, [file]);
    const before = await pidsIn(file);
    expect(before).toHaveLength(4); // one start to list the tools, one for the episode
    await untilGone(before.slice(0, 2));
    await playing.env.reset({ panel: 'train', index: 0 }, newContext());
    await untilGone(before);
    await playing[Symbol.asyncDispose]();
    await untilGone(await pidsIn(file));
  });

  test('end too where they ignore SIGTERM and the end of their input', async () => {
    const file = at('pids');
    const playing = await against('stubborn', {}, [file]);
    await playing[Symbol.asyncDispose]();
    await untilGone(await pidsIn(file));
  });

  test('end at once when a call is cancelled, which rejects with the reason', async () => {
    await using playing = await against('hangs');
    const stop = new AbortController();
    const env = await playing.host.create();
    await env.reset({ panel: 'train', index: 0 }, newContext());
    const calling = env.step(
      { kind: 'calls', calls: [{ name: 'it.bad', arguments: {} }] },
      newContext(stop.signal),
    );
    stop.abort(new Error('enough'));
    await expect(calling).rejects.toThrow('enough');
    await env.close();
  });
});
