import { describe, expect, it } from 'vitest';
import type { TaskRef } from '../../../envs/core/task.ts';
import { openEnv } from '../../../envs/open.ts';
import { families } from '../../../envs/tools/compose.ts';
import { toolsEnv } from '../../../envs/tools/definition.ts';
import { context, failuresOf, playTask, type ToolHost } from './play-tools.ts';

const worlds = ['backoffice', 'airline', 'bank', 'office'] as const;

/** A task of each family in each panel. */
const tasksOf = (host: ToolHost): readonly TaskRef[] =>
  host.panels.flatMap(({ name }) => families.map((_, index) => ({ panel: name, index })));

describe.each(worlds)('%s', (world) => {
  it('lets the gold calls solve it, and a searcher that sees what agents see', async () => {
    const host = await openEnv(toolsEnv, { world, manual: false }, context);
    expect(await failuresOf(host, tasksOf(host))).toEqual([]);
    await host.close();
  });

  it('contains all families, and chance hardly ever solves it', async () => {
    const host = await openEnv(toolsEnv, { world, manual: false }, context);
    const seen = new Set<string>();
    let solved = 0;
    const games = 100;
    for (let game = 0; game < games; game += 1) {
      const ref = { panel: 'train', index: game };
      seen.add(host.describeTask(ref).family);
      const rng = context.rng.fork(game);
      if ((await playTask(host, ref, ({ admissible = [] }) => rng.pick(admissible))).isSolved) solved += 1;
    }
    expect([...seen].toSorted()).toEqual([...new Set(families)].toSorted());
    expect(solved / games).toBeLessThan(0.05);
    await host.close();
  });

  it('gives at least 200 tasks, and other tasks for another seed', async () => {
    const host = await openEnv(toolsEnv, { world }, context);
    const other = await openEnv(toolsEnv, { world, seed: 2 }, context);
    expect(host.panels.reduce((sum, { size }) => sum + size, 0)).toBeGreaterThanOrEqual(200);
    const ref = { panel: 'train', index: 1 };
    expect(host.describeTask(ref).content).not.toEqual(other.describeTask(ref).content);
    await host.close();
    await other.close();
  });
});

it('a user of the office uses the own phone where the agent says so, and the agent cannot', async () => {
  const host = await openEnv(toolsEnv, { world: 'office' }, context);
  const index = Array.from({ length: 480 }, (_, at) => at).find((at) =>
    host.describeTask({ panel: 'train', index: at }).instruction?.includes('phone'),
  );
  const env = await host.create();
  const ref = { panel: 'train', index: index ?? -1 };
  const { observation } = await env.reset(ref, context);
  expect(observation.tools).not.toContain('check_phone');
  const asked = await env.step({ kind: 'say', text: 'Please use check_phone.' }, context);
  expect(asked.observation.user).toMatch(/^I did check_phone: \{"flightMode":/);
  const own = await env.step({ kind: 'calls', calls: [{ name: 'check_phone', arguments: {} }] }, context);
  expect(own).toMatchObject({ inadmissible: true, observation: { results: [{ error: 'unknown_tool' }] } });
  await env.close();
  await host.close();
});
