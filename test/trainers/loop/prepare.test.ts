import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import type { AnyEnvDefinition, Env } from '../../../envs/core/env.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { lightsOutEnv } from '../../../envs/puzzle/lights-out.ts';
import { trainConfigSchema, type TrainConfigInput } from '../../../trainers/config/config.ts';
import { parseTrainConfig } from '../../../trainers/config/parse-train-config.ts';
import { prepareTraining, type TrainingSetup } from '../../../trainers/loop/setup/training-setup.ts';
import { resumeTraining, startTraining } from '../../../trainers/loop/start-training.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { temporaryFolder } from '../run/make-run.ts';
import { smallConfig } from './small-training.ts';

const root = temporaryFolder();
afterAll(() => root[Symbol.dispose]());

const sound: AnyEnvDefinition = lightsOutEnv;

/** Lights Out with another way to begin an episode. */
const beginning = (
  reset: (env: Env<unknown, unknown>) => Env<unknown, unknown>['reset'],
): AnyEnvDefinition => ({
  ...sound,
  open: async (config, context) => {
    const host = await sound.open(config, context);
    const begun = async (): Promise<Env<unknown, unknown>> => {
      const env = await host.create();
      return { reset: reset(env), step: (action, step) => env.step(action, step), close: () => env.close() };
    };
    return {
      panels: host.panels,
      ...(host.experts === undefined ? {} : { experts: host.experts }),
      describeTask: (task) => host.describeTask(task),
      create: begun,
      close: () => host.close(),
    };
  },
});

const prepared = (
  config: Partial<TrainConfigInput>,
  definition: AnyEnvDefinition = sound,
  opened: () => void = () => undefined,
): Promise<TrainingSetup> =>
  prepareTraining({
    config: trainConfigSchema.parse({ ...smallConfig, ...config }),
    definition,
    backend: () => {
      opened();
      return openBackend('cpu');
    },
    versions: {},
    context: createContext({ seed: 3, now: () => performance.now() }),
  });

describe('prepare', () => {
  it('refuses a config that names another env than the given one', async () => {
    const refused = prepared({ env: 'nosuch-v1' });
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(
      'training config, env: it is "nosuch-v1", and the definition given is that of lights-out-v1. Write env: "lights-out-v1", or give the definition of nosuch-v1.',
    );
  });

  it('refuses a choice policy when the env lists no actions, before it opens a backend', async () => {
    const mute = beginning((env) => async (task, context) => ({
      ...(await env.reset(task, context)),
      admissible: undefined,
    }));
    let opened = 0;
    const refused = prepared({}, mute, () => (opened += 1));
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(
      /^training config, policy\.kind: lights-out-v1 lists no admissible actions, and a choice policy chooses among them. Train a language model.*--policy token --model FOLDER/,
    );
    expect(opened).toBe(0);
  });

  it('leaves an env that fails its first reset to the rollouts, which retry it', async () => {
    await using setup = await prepared(
      {},
      beginning(() => () => Promise.reject(new Error('the fuse blew'))),
    );
    expect(setup.panels.train.name).toBe('train');
  });
});

describe('startTraining and resumeTraining', () => {
  it('run without listeners', async () => {
    const folder = join(root.path, 'unheard');
    const config = { iterations: 1, warmStart: { episodes: 0 } };
    await using first = await prepared(config);
    expect(await startTraining(first, folder)).toMatchObject({ state: { iteration: 1 } });
    expect(existsSync(join(folder, 'config.json'))).toBe(true);
    await using second = await prepared(config);
    expect(await resumeTraining(second, folder)).toMatchObject({ state: { iteration: 1 } });
  });
});

describe('parseTrainConfig', () => {
  it('fills in the defaults', () => {
    expect(parseTrainConfig({ env: 'lights-out-v1' })).toEqual(
      trainConfigSchema.parse({ env: 'lights-out-v1' }),
    );
  });

  it('reports what is wrong with a suggestion, as the command does', () => {
    const parse =
      (value: object): (() => unknown) =>
      () =>
        parseTrainConfig({ env: 'lights-out-v1', ...value }, { definition: sound });
    expect(parse({ iteration: 3 })).toThrow(UsageError);
    expect(parse({ iteration: 3 })).toThrow(
      /^training config: unknown key "iteration"; did you mean iterations\?/,
    );
    expect(parse({ size: 3 })).toThrow('did you mean envConfig.size?');
    expect(parse({ seed: 'one' })).toThrow(/seed: .*npx cairn-gym train --keys/);
  });
});
