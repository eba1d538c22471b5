import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createContext } from '../../../envs/core/context.ts';
import type { AnyEnvDefinition, EnvHost } from '../../../envs/core/env.ts';
import { mapDefinition, mapHost } from '../../../envs/core/map-env.ts';
import type { PanelInfo } from '../../../envs/core/task.ts';
import { openEnv } from '../../../envs/open.ts';

type AnyHost = EnvHost<unknown, unknown>;

const context = createContext({ seed: 0, now: () => 0 });
const panels: readonly PanelInfo[] = [{ name: 'train', size: 2, purpose: 'train', summary: '' }];

/** A host with private members, a getter, and two members that the contract does not have. */
class Den implements AnyHost {
  readonly #content = 'a fox';
  #reads = 0;
  readonly hints = ['look'];
  get panels(): readonly PanelInfo[] {
    this.#reads += 1;
    return panels;
  }
  get reads(): number {
    return this.#reads;
  }
  get ghost(): never {
    throw new Error('nobody is there');
  }
  describeTask(): { family: string; content: string } {
    return { family: 'den', content: this.#content };
  }
  create(): Promise<never> {
    return Promise.reject(new Error(this.#content));
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
  smell(): string {
    return this.#content;
  }
}

const unknownOf = (value: object, name: string): unknown => Reflect.get(value, name);
const call = (value: object, name: string): unknown => {
  const method = unknownOf(value, name);
  return typeof method === 'function' ? Reflect.apply(method, undefined, []) : method;
};

const den: AnyEnvDefinition = {
  id: 'lab/den-v1',
  summary: 'hides a fox',
  config: z.strictObject({}),
  observation: z.string(),
  action: z.string(),
  deterministic: true,
  text: { observation: String, action: String, parse: (text) => ({ kind: 'action', action: text }) },
  open: () => Promise.resolve(new Den()),
};

describe('mapHost', () => {
  it('keeps members outside the contract', async () => {
    const host = mapHost<unknown, unknown>(new Den(), { maxConcurrency: 1 });
    expect(unknownOf(host, 'hints')).toEqual(['look']);
    expect(call(host, 'smell')).toBe('a fox');
    expect(host.maxConcurrency).toBe(1);
    await expect(host.create()).rejects.toThrow('a fox');
  });

  it('replaces members by the changes', () => {
    const host = mapHost<unknown, unknown>(new Den(), {
      describeTask: () => ({ family: 'mapped', content: 0 }),
    });
    expect(host.describeTask({ panel: 'train', index: 0 }).family).toBe('mapped');
  });

  it('reads a member once, on first use', () => {
    const original = new Den();
    const host = mapHost<unknown, unknown>(original, {});
    expect(original.reads).toBe(0);
    expect(host.panels).toBe(host.panels);
    expect(original.reads).toBe(1);
    expect(() => unknownOf(host, 'ghost')).toThrow('nobody is there');
  });

  it('gives a host with exactly the members of the original', () => {
    const names = ['close', 'create', 'describeTask', 'ghost', 'hints', 'panels', 'reads', 'smell'];
    expect(Object.keys(mapHost<unknown, unknown>(new Den(), {})).toSorted()).toEqual(names);
  });
});

describe('mapDefinition', () => {
  it('keeps members outside the contract and replaces the changed ones', () => {
    const later = { ...den, difficulty: 'hard' };
    const mapped = mapDefinition(later, { summary: 'mapped' });
    expect(unknownOf(mapped, 'difficulty')).toBe('hard');
    expect([mapped.summary, mapped.id, mapped.config]).toEqual(['mapped', den.id, den.config]);
  });
});

describe('openEnv', () => {
  it('passes on host members outside the contract', async () => {
    const host = await openEnv(den, {}, context);
    expect(unknownOf(host, 'hints')).toEqual(['look']);
    expect(call(host, 'smell')).toBe('a fox');
    expect(host.describeTask({ panel: 'train', index: 1 }).content).toBe('a fox');
  });
});
