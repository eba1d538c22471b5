import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createContext } from '../../../envs/core/context.ts';
import type { AnyEnvDefinition } from '../../../envs/core/env.ts';
import { defineTool, refuse } from '../../../envs/engines/tools/tool.ts';
import { defineToolEnv } from '../../../envs/engines/tools/define-tool-env.ts';
import { openEnv } from '../../../envs/open.ts';
import { lightsOutEnv } from '../../../envs/puzzle/lights-out.ts';
import { createEnvServer } from '../../../serve/mcp/env-server.ts';
import { EpisodeDesk, type DeskOptions } from '../../../serve/mcp/episode-desk.ts';
import { loadServerSdk } from '../../../serve/mcp/load-server-sdk.ts';

interface Answer {
  readonly text: string;
  readonly isError: boolean;
  readonly shown: Readonly<Record<string, unknown>>;
}

interface Served {
  readonly desk: EpisodeDesk;
  readonly client: Client;
  readonly call: (name: string, given?: Readonly<Record<string, unknown>>) => Promise<Answer>;
}

async function serve(
  definition: AnyEnvDefinition,
  options: Partial<Pick<DeskOptions, 'mostEpisodes' | 'idleMs' | 'callMs'>> = {},
): Promise<Served> {
  const context = createContext({ seed: 0, now: () => performance.now() });
  const host = await openEnv(definition, {}, context);
  const panels = host.panels.filter(({ purpose }) => purpose !== 'held-out');
  const parts = { definition, host, panels, context };
  const desk = new EpisodeDesk({ ...parts, mostEpisodes: 2, idleMs: 60_000, callMs: 60_000, ...options });
  const server = createEnvServer(await loadServerSdk(), desk, parts, '1');
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(ours);
  onTestFinished(async () => {
    await client.close();
    await desk.close();
    await host.close();
  });
  return {
    desk,
    client,
    call: async (name, given = {}) => {
      const {
        content,
        isError = false,
        structuredContent = {},
      } = await client.callTool({
        name,
        arguments: given,
      });
      const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      return { text, isError, shown: structuredContent as Record<string, unknown> };
    },
  };
}

const tables = { lamps: z.strictObject({ id: z.string(), lit: z.boolean() }) };
const lampEnv = defineToolEnv({
  id: 'test/lamp-v1',
  summary: 'a lamp',
  world: {
    tables,
    tools: [
      defineTool(tables, {
        name: 'light',
        description: 'lights a lamp',
        input: z.strictObject({ lamp: z.string() }),
        output: z.strictObject({ lit: z.boolean() }),
        run: ({ lamp }, world) => {
          if (lamp === 'broken') throw new RangeError('it burst');
          if (world.get('lamps', lamp) === undefined) return refuse('not_found', 'There is no such lamp.');
          return { lit: world.update('lamps', lamp, { lit: true }).lit };
        },
      }),
    ],
    panels: { train: 3 },
    task: () => ({
      start: { lamps: [{ id: 'a', lit: false }] },
      requests: [{ says: 'Light a.', gold: [{ name: 'light', arguments: { lamp: 'a' } }] }],
    }),
  },
});

describe('an environment as an MCP server', () => {
  it('plays an episode by its handle', async () => {
    const { call, client } = await serve(lightsOutEnv);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['start_episode', 'step', 'close_episode']);
    const start = await call('start_episode', { panel: 'dev', index: 3 });
    expect(start.text).toContain('Put all lights out');
    const { episode, actions } = start.shown;
    const [action] = actions as readonly string[];
    const next = await call('step', { episode, action });
    expect(next.shown).toMatchObject({ episode, reward: 0, done: false, inadmissible: false });
    expect(next.shown['observation']).not.toBe(start.shown['observation']);
    expect(await call('close_episode', { episode })).toMatchObject({ isError: false });
    expect(await call('step', { episode, action })).toMatchObject({
      isError: true,
      text: expect.stringContaining('no such episode') as string,
    });
  });

  it('keeps episodes apart', async () => {
    const { call } = await serve(lightsOutEnv);
    const [one, other] = [await call('start_episode'), await call('start_episode')];
    const [action] = one.shown['actions'] as readonly string[];
    const moved = await call('step', { episode: one.shown['episode'], action });
    const also = await call('step', { episode: other.shown['episode'], action });
    expect(also.shown['observation']).toBe(moved.shown['observation']);
    expect(also.shown['episode']).not.toBe(moved.shown['episode']);
  });

  it('offers the tools of a world with the handle, and leaves wrong arguments to it', async () => {
    const { call, client } = await serve(lampEnv);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'start_episode',
      'step',
      'close_episode',
      'light',
      'say',
      'done',
      'transfer',
    ]);
    expect(tools[3]?.inputSchema).toMatchObject({
      properties: { episode: { type: 'string' }, lamp: { type: 'string' } },
      required: ['episode', 'lamp'],
    });
    const { episode } = (await call('start_episode')).shown;
    expect((await call('light', { episode, lmap: 'a' })).shown).toMatchObject({ inadmissible: true });
    expect((await call('light', { episode, lamp: 'a' })).text).toBe('light: {"lit":true}');
    const end = await call('done', { episode });
    expect(end.shown).toMatchObject({ done: true, outcome: 'solved', reward: 1, terms: { outcome: 1 } });
    expect(end.text).toContain('The episode is over: solved.');
    expect(await call('light', { lamp: 'a' })).toMatchObject({ isError: true });
  });

  it('does not change an episode by words that are no action', async () => {
    const { call } = await serve(lampEnv);
    const { episode } = (await call('start_episode')).shown;
    expect(await call('step', { episode, action: '{' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('That is no JSON') as string,
    });
    expect((await call('step', { episode, action: 'light lamp=a' })).shown).toMatchObject({ done: false });
  });

  it('ends an episode whose world failed, without a result', async () => {
    const { call, desk } = await serve(lampEnv);
    const { episode } = (await call('start_episode')).shown;
    expect(await call('light', { episode, lamp: 'broken' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/without a result: .*it burst/) as string,
    });
    expect(desk.figures).toEqual({ open: 0, started: 1 });
  });

  it.each<[object, string]>([
    [{ panel: 'train', index: 9 }, 'has the tasks 0 to 2'],
    [{ panel: 'none' }, 'panel'],
    [{ index: -1 }, 'index'],
  ])('refuses to start %j', async (given, why) => {
    const { call } = await serve(lampEnv);
    expect(await call('start_episode', { ...given })).toMatchObject({
      isError: true,
      text: expect.stringContaining(why) as string,
    });
  });

  it('opens no more episodes than the limit, and closes those without calls', async () => {
    const { call, desk } = await serve(lampEnv, { idleMs: 40 });
    await call('start_episode');
    await call('start_episode');
    await expect.poll(() => desk.figures.open).toBe(0);
    const { call: again, desk: full } = await serve(lampEnv);
    const [first] = [await again('start_episode'), await again('start_episode')];
    expect(await again('start_episode')).toMatchObject({
      isError: true,
      text: expect.stringContaining('2 episodes are open') as string,
    });
    await again('close_episode', { episode: first.shown['episode'] });
    expect((await again('start_episode')).isError).toBe(false);
    expect(full.figures).toEqual({ open: 2, started: 3 });
  });

  it('refuses a world whose tool has one of our names', async () => {
    const { name: _name, ...tool } = { name: '', description: 'x', input: z.strictObject({}) };
    const taken = defineToolEnv({
      id: 'test/taken-v1',
      summary: 'x',
      world: {
        tables,
        tools: [defineTool(tables, { ...tool, name: 'step', output: z.boolean(), run: () => true })],
        panels: { train: 1 },
        task: () => ({ start: { lamps: [] }, requests: [{ says: 'x', gold: [] }] }),
      },
    });
    await expect(serve(taken)).rejects.toThrow(/tool step: the tools start_episode, step, close_episode/);
  });
});
