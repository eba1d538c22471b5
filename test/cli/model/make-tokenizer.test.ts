import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadTokenizer } from '../../../agents/render/tokenizer/load-tokenizer.ts';
import { makeTokenizer, writeTokenizer, type TokenizerPlan } from '../../../cli/model/make-tokenizer.ts';
import { builtInEnvs } from '../../../envs/catalog.ts';
import { createContext, type Context } from '../../../envs/core/context.ts';
import { RunError, UsageError } from '../../../envs/core/errors.ts';
import { createRegistry } from '../../../envs/core/registry.ts';
import { defineTextEnv } from '../../../envs/kit/text-env.ts';
import { gatherEnvTexts } from '../../../trainers/loop/warm-start/env-texts.ts';
import { openEnvSession, rolloutSettingsSchema } from '../../../trainers/env-session.ts';

const registry = createRegistry(builtInEnvs);
const seeded = (seed: number): Context => createContext({ seed, now: () => performance.now() });
const household: TokenizerPlan = {
  kind: 'from-env',
  definitions: [registry.find('household')],
  episodes: 12,
  vocabulary: 512,
};

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-tokenizer-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describe('tokenizer trained on envs', () => {
  test('needs far fewer tokens than bytes for the env’s texts, and is written to a new folder', async () => {
    const folder = await newFolder();
    await writeTokenizer(folder, await makeTokenizer(household, seeded(1)));
    const { tokenizer, template } = await loadTokenizer(folder);
    expect(tokenizer.size).toBe(512);
    expect(template?.tokens).toEqual({ eos_token: '<|end|>', pad_token: '<|pad|>' });
    const text = 'You open the fridge 1. The fridge 1 is open. In it, you see a apple 1, and a mug 2.';
    expect(tokenizer.encode(text).length).toBeLessThan(Buffer.byteLength(text) / 2);
    await expect(writeTokenizer(folder, await makeTokenizer({ kind: 'bytes' }, seeded(1)))).rejects.toThrow(
      UsageError,
    );
  });

  test('depends only on the seed', async () => {
    const first = await makeTokenizer(household, seeded(1));
    expect(await makeTokenizer(household, seeded(1))).toEqual(first);
    expect(await makeTokenizer(household, seeded(2))).not.toEqual(first);
  });

  test('learns from every named env, in order', async () => {
    const named: string[] = [];
    const definitions = [registry.find('household'), registry.find('lights-out')];
    await makeTokenizer({ kind: 'from-env', definitions, episodes: 2, vocabulary: 300 }, seeded(1), (id) =>
      named.push(id),
    );
    expect(named).toEqual(definitions.map(({ id }) => id));
  });

  test('learns from the env with its config', async () => {
    const definitions = [registry.find('lights-out')];
    const small = { kind: 'from-env', definitions, episodes: 2, vocabulary: 300 } as const;
    const [side5, side4] = [
      await makeTokenizer(small, seeded(1)),
      await makeTokenizer({ ...small, envConfig: { size: 4 } }, seeded(1)),
    ];
    expect(side4).not.toEqual(side5);
  });
});

/** Counts to three by the only action there is. */
const counter = defineTextEnv({
  id: 'counter-v1',
  summary: 'counts',
  turnLimit: 5,
  panels: { train: 4, dev: 1 },
  task: ({ panel, index }) => ({ instruction: `count for ${panel} ${index}`, start: { count: 0 } }),
  observe: ({ count }) => `the count is ${count}`,
  actions: () => ['add one'],
  step: ({ count }) => ({
    state: { count: count + 1 },
    ...(count === 2 ? { outcome: 'solved' as const } : {}),
  }),
});

describe('gatherEnvTexts', () => {
  test('collects instructions, observations, actions and lists of actions of the training panel', async () => {
    const context = seeded(3);
    await using bench = await openEnvSession(counter, rolloutSettingsSchema.parse({}), context);
    const texts = await gatherEnvTexts(bench, { episodes: 2 }, context);
    expect(texts).toHaveLength(2 * 8);
    expect(texts.slice(1, 8)).toEqual([
      'the count is 0',
      'add one',
      'the count is 1',
      'add one',
      'the count is 2',
      'add one',
      '- add one',
    ]);
    expect(texts[0]).toMatch(/^count for train \d$/);
  });

  test('refuses an env whose episodes all fail, and one without a training panel', async () => {
    const context = seeded(3);
    await using bench = await openEnvSession(counter, rolloutSettingsSchema.parse({}), context);
    const broken = {
      ...bench,
      host: { ...bench.host, panels: bench.host.panels.filter(({ purpose }) => purpose !== 'train') },
    };
    await expect(gatherEnvTexts(broken, { episodes: 2 }, context)).rejects.toThrow(UsageError);
    const failing = defineTextEnv({
      id: 'failing-v1',
      summary: 'fails',
      turnLimit: 5,
      panels: { train: 4, dev: 1 },
      task: () => ({ instruction: 'none', start: 0 }),
      observe: () => 'nothing',
      actions: () => ['fail'],
      step: () => {
        throw new Error('broken on purpose');
      },
    });
    await using other = await openEnvSession(failing, rolloutSettingsSchema.parse({}), context);
    await expect(gatherEnvTexts(other, { episodes: 2 }, context)).rejects.toThrow(RunError);
  });
});
