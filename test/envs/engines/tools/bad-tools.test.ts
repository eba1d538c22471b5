import { expect, it } from 'vitest';
import { z } from 'zod';
import { FaultError } from '../../../../envs/core/errors.ts';
import { defineTool, type Tool } from '../../../../envs/engines/tools/tool.ts';
import { fuseTool, lamps, play, switchOn, tables, tools, type Tables } from './desk.ts';

const nothing = z.strictObject({});

/** A tool `bad` that changes a lamp and then does what `run` does. */
const bad = (run: () => unknown, output: z.ZodType = z.unknown()): Tool =>
  defineTool(tables, {
    name: 'bad',
    description: 'errs',
    input: nothing,
    output,
    run: (_, world) => {
      world.update('lamps', 'lamp_a', { state: 'on' });
      return run();
    },
  });

const cyclic = (): unknown => {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
};

async function faultOf(tool: Tool, settings: object = {}): Promise<unknown> {
  await using playing = await play(switchOn, settings, { tools: [...tools, tool] });
  const thrown: unknown = await playing.call('bad').catch((error: unknown) => error);
  if (!FaultError.is(thrown)) throw thrown;
  return thrown.fault;
}

it.each<[string, Tool, string]>([
  [
    'throws',
    bad(() => {
      throw new Error('broken wire');
    }),
    'broken wire',
  ],
  ['rejects', bad(() => Promise.reject(new Error('broken wire'))), 'broken wire'],
  ['returns itself', bad(cyclic), 'contains itself'],
  ['returns what is no JSON', bad(() => ({ at: new Date(0) })), 'an instance of a class is not JSON'],
  ['returns undefined', bad(() => undefined), 'undefined is not JSON'],
  ['returns NaN', bad(() => ({ watts: Number.NaN })), 'NaN is not JSON'],
  [
    'breaks its schema',
    bad(() => ({ watts: 'many' }), z.strictObject({ watts: z.int() })),
    'does not match its output',
  ],
  [
    'puts a row that does not match',
    defineTool(tables, {
      name: 'bad',
      description: 'errs',
      input: nothing,
      output: nothing,
      run: (_, world) => {
        world.update('lamps', 'lamp_a', { watts: -1 });
        return {};
      },
    }),
    'does not match its table',
  ],
])('a tool that %s is a fault of the world', async (_, tool, message) => {
  expect(await faultOf(tool)).toMatchObject({
    kind: 'env-crashed',
    where: 'tool bad',
    message: expect.stringContaining(message) as string,
  });
});

it('a tool that hangs is a fault after its deadline, and changes nothing when it wakes', async () => {
  let wake = (): void => undefined;
  const sleeping = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const late: { thrown?: unknown } = {};
  const tool = defineTool(tables, {
    name: 'bad',
    description: 'hangs',
    input: nothing,
    output: nothing,
    run: async (_, world) => {
      await sleeping;
      try {
        world.update('lamps', 'lamp_a', { state: 'on' });
      } catch (thrown) {
        late.thrown = thrown;
      }
      return {};
    },
  });
  expect(await faultOf(tool, { timeMs: 20 })).toEqual({
    kind: 'deadline-passed',
    where: 'tool bad',
    afterMs: 20,
  });
  wake();
  await expect
    .poll(() => late.thrown)
    .toMatchObject({ message: expect.stringContaining('after the end') as string });
});

it('a tool that waits gets a signal that aborts at its deadline', async () => {
  const seen: { reason?: unknown } = {};
  const tool = defineTool(tables, {
    name: 'bad',
    description: 'waits',
    input: nothing,
    output: nothing,
    run: (_args, _world, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          seen.reason = signal.reason;
          reject(signal.reason as Error);
        });
      }),
  });
  expect(await faultOf(tool, { timeMs: 20 })).toMatchObject({ kind: 'deadline-passed' });
  expect(seen.reason).toBeInstanceOf(FaultError);
});

it('cuts a result of 100 MB, and says so, without writing it out', async () => {
  const hundred = 'x'.repeat(1_000_000);
  const tool = bad(() => ({ pages: Array.from({ length: 100 }, () => hundred) }));
  await using playing = await play(switchOn, { resultCharacters: 200 }, { tools: [...tools, tool] });
  const { observation, inadmissible } = await playing.call('bad');
  expect(observation.results[0]?.text).toHaveLength(200 + '… (cut at 200 characters)'.length);
  expect(inadmissible).toBe(false);
});

it.each<[string, unknown, string]>([
  [
    'a user that throws',
    () => {
      throw new Error('no battery');
    },
    'no battery',
  ],
  ['a user that says no text', () => ({ says: 5, state: {} }), 'no message'],
])('%s is a fault of the world', async (_, hear, message) => {
  await using playing = await play(switchOn, {}, { user: { hear: hear as () => never } });
  await expect(playing.step({ kind: 'say', text: 'Hello' })).rejects.toMatchObject({
    fault: {
      kind: 'env-crashed',
      where: 'user simulator',
      message: expect.stringContaining(message) as string,
    },
  });
});

it('a user that hangs is a fault after the deadline', async () => {
  await using playing = await play(
    switchOn,
    { timeMs: 20 },
    { user: { hear: () => new Promise(() => undefined) } },
  );
  await expect(playing.step({ kind: 'say', text: 'Hello' })).rejects.toMatchObject({
    fault: { kind: 'deadline-passed', where: 'user simulator' },
  });
});

it('an endless answer of a user is cut', async () => {
  const user = { hear: () => ({ says: 'x'.repeat(100_000), state: {} }) };
  await using playing = await play(switchOn, {}, { user });
  const { observation } = await playing.step({ kind: 'say', text: 'Hello' });
  expect(observation.user).toHaveLength(4_001);
});

it('a gold call that fails stops the run, with the place of the task', async () => {
  const task = {
    ...switchOn,
    requests: [{ says: 'Go', gold: [{ name: 'get_lamp', arguments: { lamp: 'lamp_z' } }] }],
  };
  await using playing = await play(task);
  await expect(playing.step({ kind: 'done' })).rejects.toThrow(
    /task train\/0, request 0: its gold call of get_lamp fails: There is no lamp lamp_z/,
  );
});

it.each<[string, object, RegExp]>([
  ['no request', { start: { lamps, fuses: [] }, requests: [] }, /requests/],
  ['a table without rows', { start: { lamps }, requests: switchOn.requests }, /table fuses has no array/],
  ['facts of no table', { ...switchOn, facts: { doors: [] } }, /there is no table doors/],
  ['a wrong row', { ...switchOn, start: { lamps: [{ id: 'a' }], fuses: [] } }, /row 0 of lamps/],
])('a task with %s is refused', async (_, task, message) => {
  await expect(play(task as unknown as typeof switchOn)).rejects.toThrow(message);
});

it.each<[string, () => unknown, RegExp]>([
  ['a name that models cannot call', () => define('put lamp', nothing), /no name that models/],
  ['an input that is not strict', () => define('put', z.object({})), /no strict object/],
])('a tool with %s is refused', (_, make, message) => expect(make).toThrow(message));

function define(name: string, input: z.ZodObject): Tool {
  return defineTool<Tables, z.ZodObject, z.ZodType>(tables, {
    name,
    description: '',
    input,
    output: nothing,
    run: () => ({}),
  });
}

it('two tools of one name, and tools named like other actions, are refused', async () => {
  await expect(play(switchOn, {}, { tools: [fuseTool, fuseTool] })).rejects.toThrow(
    /put_fuse_in is used twice/,
  );
  await expect(play(switchOn, {}, { tools: [define('done', nothing)] })).rejects.toThrow(
    /done is used by the kit/,
  );
});
