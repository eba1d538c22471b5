import { describe, expect, it } from 'vitest';
import { trainedOn } from '../../../lab/players/trained-on.ts';
import type { StoredRun } from '../../../lab/players/stored-run.ts';
import { policyConfigSchema } from '../../../trainers/policy/policy-config.ts';
import { createContext } from '../../../envs/core/context.ts';
import { readPanel } from '../../../envs/core/task.ts';
import { shopEnv } from '../../../envs/shop/definition.ts';
import { openEnvSession, rolloutSettingsSchema, type EnvSession } from '../../../trainers/env-session.ts';

const open = (envConfig: Readonly<Record<string, unknown>>): Promise<EnvSession> =>
  openEnvSession(
    shopEnv,
    rolloutSettingsSchema.parse({ envConfig }),
    createContext({ seed: 0, now: () => 0 }),
  );

/** A run that was trained on what is open there, with its config as it was given. */
function runOn({ host, envConfig: config }: EnvSession, envConfig: StoredRun['envConfig']): StoredRun {
  const panel = (name: string, limit: number): { fingerprint: string; tasks: number } => {
    const { fingerprint, tasks } = readPanel(host, { env: shopEnv.id, config, name, limit });
    return { fingerprint, tasks: tasks.length };
  };
  return {
    env: shopEnv.id,
    envConfig,
    seed: 0,
    temperature: 1,
    policy: policyConfigSchema.parse({}),
    evaluation: { decoding: 'greedy' },
    folder: '/run',
    name: 'run',
    checkpoint: 'last',
    weights: 'nowhere',
    weightsDigest: '',
    document: { config: {}, versions: { 'cairn-gym': '0.1.0' } },
    training: {
      method: 'GiGPO',
      settings: `sha256:${'0'.repeat(64)}`,
      runs: [{ name: 'run', seed: 0, checkpoint: 'last', iteration: 1 }],
    },
    settings: { seed: 0, settings: {}, begins: { folders: [], digest: undefined } },
    identity: host.identity,
    panels: { 'train[0..40)': panel('train', 40), 'dev[0..4)': panel('dev', 4) },
  };
}

describe('trainedOn', () => {
  it('reports config keys that distinguish the played tasks, and ignores paths of the machine', async () => {
    await using home = await open({});
    const run = runOn(home, {});
    expect(trainedOn(run, home)).toBeUndefined();
    await using moved = await open({ cacheFolder: 'elsewhere' });
    expect(trainedOn(run, moved)).toBeUndefined();
    await using larger = await open({
      catalogue: { products: 2_000 },
      strict: true,
      cacheFolder: 'elsewhere',
    });
    expect(trainedOn(run, larger)).toEqual({
      env: 'shop-v1',
      differences: [
        { key: 'catalogue.products', trained: 1_000, played: 2_000 },
        { key: 'strict', trained: false, played: true },
      ],
    });
  });

  it('compares the env’s own identity of its tasks when the run has stored it', async () => {
    await using home = await open({});
    const run = {
      ...runOn(home, { catalogue: { kind: 'original', folder: 'of this machine' } }),
      identity: { dialect: 'classic', strict: false },
    };
    await using other = await open({ strict: true });
    const told = trainedOn(run, {
      ...other,
      host: { ...other.host, identity: { dialect: 'current', strict: true } },
    });
    expect(told?.differences).toEqual([
      { key: 'dialect', trained: 'classic', played: 'current' },
      { key: 'strict', trained: false, played: true },
    ]);
  });

  it('reports other tasks when the config is the same', async () => {
    await using home = await open({});
    const run = runOn(home, {});
    const fingerprint = `sha256:${'0'.repeat(64)}`;
    const told = trainedOn(
      { ...run, panels: { ...run.panels, 'dev[0..4)': { fingerprint, tasks: 4 } } },
      home,
    );
    expect(told?.differences).toEqual([
      { key: 'the tasks of dev[0..4)', trained: fingerprint, played: run.panels['dev[0..4)']?.fingerprint },
    ]);
    expect(trainedOn({ ...run, panels: { gone: { fingerprint, tasks: 4 } } }, home)?.differences).toEqual([
      { key: 'the tasks of gone', trained: fingerprint },
    ]);
    expect(trainedOn({ ...run, envConfig: { noKey: 1 } }, home)).toBeUndefined();
  });
});
