import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CallWatch } from '../../../cli/watch/call-watch.ts';
import { watchEnv } from '../../../cli/watch/watched-env.ts';
import { checkEnv } from '../../../envs/check/check-env.ts';
import { describeFinding, type CheckReport } from '../../../envs/check/report.ts';
import { createContext } from '../../../envs/core/context.ts';
import type { AnyEnvDefinition, Env, EnvHost } from '../../../envs/core/env.ts';
import { reward, type Opening, type StepResult } from '../../../envs/core/step.ts';
import type { PanelInfo, TaskInfo, TaskRef } from '../../../envs/core/task.ts';
import { openEnv } from '../../../envs/open.ts';
import type { Flaw } from '../../contract/broken-envs/break-env.ts';
import { definitionFlaws } from '../../contract/broken-envs/definition-flaws.ts';
import { vault } from '../../contract/broken-envs/vault.ts';
import { isThorough } from '../../support/thorough.ts';

const watch = new CallWatch();
const watched = (definition: AnyEnvDefinition): AnyEnvDefinition =>
  watchEnv(definition, watch, { ms: 60_000 });
afterAll(() => watch.close());

const context = createContext({ seed: 0, now: () => 0 });
const quick = { tasksPerPanel: 1, contentsPerPanel: 20, pairs: 4, points: 4, graceMs: 60 };
const turn = {
  observation: 'a door',
  stateKey: 's',
  anchorKey: 'a',
  admissible: ['go'],
  stepsLeft: undefined,
  seat: 0,
};

/** Everything behind getters and private names, which only their own object may touch. */
class Closet implements Env<unknown, unknown> {
  #steps = 0;
  reset(): Promise<Opening<unknown, unknown>> {
    this.#steps = 0;
    return Promise.resolve({ ...turn, instruction: 'Go.' });
  }
  step(): Promise<StepResult<unknown, unknown>> {
    this.#steps += 1;
    return Promise.resolve({
      kind: 'ongoing',
      ...turn,
      observation: `door ${this.#steps}`,
      reward: reward({}),
      inadmissible: false,
    });
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

class Closets implements EnvHost<unknown, unknown> {
  readonly #panels = [{ name: 'train', size: 2, purpose: 'train', summary: '' }] as const;
  readonly #plan = ['go'];
  get panels(): readonly PanelInfo[] {
    return this.#panels;
  }
  get identity(): string {
    return this.#plan.join();
  }
  get experts(): { planner: () => readonly unknown[] } {
    return { planner: () => this.#plan };
  }
  describeTask({ index }: TaskRef): TaskInfo {
    return { family: this.identity, instruction: 'Go.', content: index };
  }
  create(): Promise<Env<unknown, unknown>> {
    return Promise.resolve(Object.freeze(new Closet()));
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

const closets: AnyEnvDefinition = Object.freeze({
  id: 'lab/closet-v1',
  summary: 'opens doors',
  config: z.strictObject({}),
  observation: z.string(),
  action: z.string(),
  deterministic: true,
  text: {
    observation: String,
    action: String,
    parse: (text: string) => ({ kind: 'action' as const, action: text }),
  },
  open: () => Promise.resolve(Object.freeze(new Closets())),
});

describe('env under the watch', () => {
  it('keeps all its words', () => {
    const sampled = { ...closets, text: { ...closets.text, isSample: (action: unknown) => action === 'go' } };
    const { text } = watched(sampled);
    expect(Object.keys(text).toSorted()).toEqual(['action', 'isSample', 'observation', 'parse']);
    expect([text.isSample?.('go'), text.isSample?.('stay')]).toEqual([true, false]);
  });

  it('keeps private, frozen and getter members, and gains no members', async () => {
    const definition = watched(closets);
    expect(Object.keys(definition).toSorted()).toEqual(Object.keys(closets).toSorted());
    const sampled: AnyEnvDefinition = {
      ...closets,
      text: { ...closets.text, isSample: (action) => action === 'go' },
    };
    expect(Object.keys(definition.text).toSorted()).toEqual(Object.keys(closets.text).toSorted());
    expect(['go', 'stay'].map((action) => watched(sampled).text.isSample?.(action))).toEqual([true, false]);
    const host = await definition.open({}, context);
    expect(Object.keys(host).toSorted()).toEqual([
      'close',
      'create',
      'describeTask',
      'experts',
      'identity',
      'panels',
    ]);
    expect(Object.keys(host.experts ?? {})).toEqual(['planner']);
    const opened = await openEnv(definition, {}, context);
    expect(opened.describeTask({ panel: 'train', index: 1 })).toEqual({
      family: 'go',
      instruction: 'Go.',
      content: 1,
    });
    expect(opened.experts?.planner?.({ panel: 'train', index: 1 })).toEqual(['go']);
    const env = await opened.create();
    expect(env.snapshots).toBeUndefined();
    await env.reset({ panel: 'train', index: 1 }, context);
    await env.step('go', context);
    expect(await env.step('go', context)).toMatchObject({ observation: 'door 2' });
    await env.close();
  });

  it('keeps every member that a host may have', async () => {
    const full: Required<EnvHost<unknown, unknown>> = {
      panels: new Closets().panels,
      identity: 'two doors',
      unavailablePanels: [{ name: 'dev', why: 'there is no key', fix: 'Make one' }],
      describeTask: () => ({ family: 'doors', instruction: 'Go.', content: 0 }),
      create: () => Promise.resolve(new Closet()),
      close: () => Promise.resolve(),
      maxConcurrency: 3,
      experts: { planner: () => ['go'] },
      audit: { secrets: () => ['key'] },
      tools: { list: () => [], read: () => ({ kind: 'action', action: 'go' }) },
    };
    const definition = { ...closets, open: () => Promise.resolve(full) };
    const hosts = [
      await watched(definition).open({}, context),
      await openEnv(watched(definition), {}, context),
    ];
    for (const host of hosts) {
      expect(Object.keys(host).toSorted()).toEqual(Object.keys(full).toSorted());
      expect(host).toMatchObject({
        panels: full.panels,
        identity: 'two doors',
        unavailablePanels: full.unavailablePanels,
        maxConcurrency: 3,
      });
    }
  });

  it('keeps members outside the contract, and watches their calls', async () => {
    const read = (value: object, ...path: readonly string[]): unknown =>
      path.reduce<unknown>((at, name) => Reflect.get(at as object, name), value);
    const seen: boolean[] = [];
    const own = new CallWatch();
    const isWatched = (): string => (seen.push(isUnderWay), 'an answer');
    let isUnderWay = false;
    own.during = (_said, _place, run) => {
      isUnderWay = true;
      const answer = run();
      isUnderWay = false;
      return answer;
    };
    const unknown = { hints: ['look'], ask: isWatched, gadgets: { list: isWatched } };
    const env = Object.assign(new Closet(), unknown);
    const host = Object.assign(new Closets(), unknown, { create: () => Promise.resolve(env) });
    const later: AnyEnvDefinition = { ...closets, ...unknown, open: () => Promise.resolve(host) };
    const definition = watchEnv(later, own, { ms: 60_000 });
    const opened = await openEnv(definition, {}, context);
    const bare = await definition.open({}, context);
    for (const each of [definition, opened, await bare.create()]) {
      expect(read(each, 'hints')).toEqual(['look']);
      expect((read(each, 'ask') as () => string)()).toBe('an answer');
      expect((read(each, 'gadgets', 'list') as () => string)()).toBe('an answer');
    }
    expect(seen).toEqual(Array.from({ length: 6 }, () => true));
    await own.close();
  });

  it('passes its check as without the watch', async () => {
    const [alone, under] = [await checkEnv(vault, quick), await checkEnv(watched(vault), quick)];
    expect(under).toEqual(alone);
    expect(under.findings).toEqual([]);
  });

  const lawsOf = ({ findings }: CheckReport): readonly string[] => [
    ...new Set(findings.map(({ law }) => law)),
  ];

  it.each(isThorough ? definitionFlaws : definitionFlaws.slice(0, 4))(
    'breaks the same law as without the watch: $says',
    async ({ law, definition, options }: Flaw) => {
      const report = await checkEnv(watched(definition), { ...quick, ...options });
      expect(lawsOf(report), report.findings.map(describeFinding).join('\n')).toContain(law);
      expect(lawsOf(report)).toEqual(lawsOf(await checkEnv(definition, { ...quick, ...options })));
    },
  );
});

it('carries the recipes, the bench preset and every other plain part of the definition', () => {
  const presets = {
    recipes: { choice: [{ settings: { iterations: 3 } }] },
    bench: { panels: ['unseen'] },
    unchecked: { luck: 'each step is a draw' },
  };
  expect(watched({ ...vault, ...presets })).toMatchObject(presets);
});
