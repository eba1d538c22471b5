import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContext, type Context } from '../../../../envs/core/context.ts';
import { createRng } from '../../../../envs/core/rng.ts';
import { lightsOutEnv } from '../../../../envs/puzzle/lights-out.ts';
import { openBackend } from '../../../../models/backend/open-backend.ts';
import { createExpertAgent } from '../../../../agents/policy/expert.ts';
import {
  openEnvSession,
  playGroups,
  rolloutSettingsSchema,
  type EnvSession,
} from '../../../../trainers/env-session.ts';
import { createChoicePolicy, type ChoicePolicy } from '../../../../trainers/policy/choice/choice-policy.ts';
import { createGigpo } from '../../credit/built-in.ts';
import { passBegins, type UpdateSettings } from '../../../../trainers/update/policy.ts';

const settings: UpdateSettings = {
  epochs: 1,
  batchSteps: 64,
  learningRate: 1e-3,
  optimiser: { kind: 'adamw' },
  objective: { kind: 'clipped', options: {} },
  clipLow: 0.2,
  clipHigh: 0.2,
  zeroAdvantage: 'keep',
  klWeight: 0,
  entropyWeight: 0,
  importanceCap: 2,
  maxGradNorm: 1,
  weightDecay: 0,
  temperature: 1,
  synchronous: true,
};
const tasks = [0, 1].map((index) => ({ panel: 'train', index }));

let context: Context;
let envSession: EnvSession;

beforeAll(async () => {
  context = createContext({ seed: 1, now: () => performance.now() });
  envSession = await openEnvSession(
    lightsOutEnv,
    rolloutSettingsSchema.parse({ envConfig: { size: 3 } }),
    context,
  );
});
afterAll(async () => {
  await envSession[Symbol.asyncDispose]();
});

const create = async (features?: boolean): Promise<ChoicePolicy> =>
  createChoicePolicy({
    config: {
      kind: 'choice',
      buckets: 2048,
      width: 16,
      hidden: 16,
      ...(features === undefined ? {} : { features }),
    },
    update: { batchSteps: 64, klWeight: 0 },
    text: envSession.definition.text,
    backend: await openBackend('wasm'),
    rng: createRng(2),
  });

const fingerprintOf = ({ traits }: ChoicePolicy): string | undefined => traits[0]?.fingerprint;

describe('a choice policy of an env that declares features', () => {
  it('encodes stored episodes as they were played: an update finds the same probabilities', async () => {
    await using policy = await create();
    const played = await playGroups(
      envSession,
      { agent: policy.agent({ kind: 'sampled', temperature: 1 }), tasks, label: 'test', members: 2 },
      context,
    );
    const groups = played.map(({ group }) => group);
    const figures = await policy.learn(
      { groups, credit: createGigpo().assign(groups, {}) },
      settings,
      context,
    );
    expect(figures['update/steps']).toBeGreaterThan(0);
    expect(figures['update/behaviour-gap']).toBeLessThan(1e-4);
  });

  it('imitates a board better than one that has the words alone', async () => {
    const agent = createExpertAgent({
      kind: 'searcher',
      experts: envSession.host.experts,
      text: envSession.definition.text,
    });
    const played = await playGroups(envSession, { agent, tasks, label: 'shown', members: 2 }, context);
    const lossOf = async (features?: boolean): Promise<number> => {
      await using policy = await create(features);
      const imitation = await policy.imitate(played.map(({ group }) => group));
      let loss = Number.NaN;
      for (let epoch = 0; epoch < 6; epoch += 1) {
        const { lossSum, weight } = await imitation.pass(
          {
            learningRate: () => 1e-2,
            optimiser: { kind: 'adamw' },
            maxGradNorm: 1,
            weightDecay: 0,
            batchSteps: 8,
          },
          createRng(epoch),
          { from: passBegins, signal: context.signal },
        );
        loss = lossSum / weight;
      }
      return loss;
    };
    expect(await lossOf()).toBeLessThan(0.5 * (await lossOf(false)));
  });

  it('records another fingerprint with features than without', async () => {
    await using policy = await create();
    await using blind = await create(false);
    await using clear = await create(true);
    expect(fingerprintOf(policy)).toBe(fingerprintOf(clear));
    expect(fingerprintOf(policy)).not.toBe(fingerprintOf(blind));
  });
});
