import { describe, expect, it } from 'vitest';
import type { ChoiceSampler } from '../../../agents/core/choice-sampler.ts';
import { createChoiceAgent } from '../../../agents/policy/choice.ts';
import { isSolved } from '../../../agents/rollout/trajectory.ts';
import { createContext, type Context } from '../../../envs/core/context.ts';
import { readPanel, type TaskPanel } from '../../../envs/core/task.ts';
import { householdEnv } from '../../../envs/household/definition.ts';
import { trainConfigSchema } from '../../../trainers/config/config.ts';
import { clone } from '../../../trainers/loop/warm-start/clone.ts';
import { cloningBegins } from '../../../trainers/run/cloning-state.ts';
import { demonstrate, solvedOnly } from '../../../trainers/loop/warm-start/demonstrations.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { choiceConfigSchema } from '../../../models/choice/choice-config.ts';
import { createChoiceModel } from '../../../models/choice/choice-model.ts';
import { ChoicePolicy } from '../../../trainers/policy/choice/choice-policy.ts';
import { ChoiceScorer } from '../../../trainers/update/choice/choice-scorer.ts';
import {
  openEnvSession,
  playGroups,
  rolloutSettingsSchema,
  type EnvSession,
} from '../../../trainers/env-session.ts';

/** What a policy scores by that is cloned from 64 demonstrations, the most there may be. */
async function cloned(envSession: EnvSession, train: TaskPanel, context: Context): Promise<ChoiceScorer> {
  const { warmStart, update } = trainConfigSchema.parse({ env: 'household-v1' });
  const config = choiceConfigSchema.parse({});
  const model = createChoiceModel({
    backend: await openBackend('wasm'),
    config,
    rng: context.rng.fork('weights'),
  });
  await clone({
    policy: new ChoicePolicy(model, envSession.definition.text),
    demonstrations: solvedOnly(
      await demonstrate(envSession, { panel: train, episodes: 64 }, context),
      householdEnv.id,
    ),
    settings: {
      ...warmStart,
      epochs: 16,
      patience: 16,
      evaluateEvery: 16,
      optimiser: { kind: 'adamw' },
      maxGradNorm: update.maxGradNorm,
      weightDecay: 0,
    },
    from: cloningBegins,
    evaluate: async () => ({
      success: { rate: 0, low: 0, high: 0 },
      faults: { count: 0, retried: 0, share: 0, rateLow: 0, rateHigh: 0, excessive: false },
    }),
    keep: async () => undefined,
    restore: async () => undefined,
    onPass: async () => undefined,
    context,
  });
  return new ChoiceScorer(model);
}

describe('policy without the task', () => {
  it('solves hardly more than a random one', async () => {
    const context = createContext({ seed: 0, now: () => performance.now() });
    await using envSession = await openEnvSession(householdEnv, rolloutSettingsSchema.parse({}), context);
    const panel = (name: string, limit?: number): TaskPanel =>
      readPanel(envSession.host, {
        env: householdEnv.id,
        config: envSession.envConfig,
        name,
        ...(limit === undefined ? {} : { limit }),
      });
    const policy = await cloned(envSession, panel('train'), context);
    const solvedBy = async (
      sampler: ChoiceSampler,
      observation: (seen: string) => string,
    ): Promise<number> => {
      const agent = createChoiceAgent({
        id: 'tested',
        sampler,
        text: { ...householdEnv.text, observation },
        mode: { kind: 'sampled', temperature: 1 },
      });
      const played = await playGroups(
        envSession,
        { agent, tasks: panel('dev', 100).tasks, label: 'masking', members: 1 },
        context,
      );
      return played.filter(({ group }) => group.members.every(isSolved)).length;
    };
    const told = await solvedBy(policy, (seen) => seen);
    const masked: ChoiceSampler = { begin: () => policy.begin('') };
    const untold = await solvedBy(masked, (seen) => seen.replace(/Your task is to: .*/, ''));
    await policy.model.dispose();
    expect(told).toBeGreaterThanOrEqual(30);
    expect(untold).toBeLessThanOrEqual(8);
  });
});
