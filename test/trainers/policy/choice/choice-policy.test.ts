import { describe, expect, it } from 'vitest';
import { createRng } from '../../../../envs/core/rng.ts';
import { openBackend } from '../../../../models/backend/open-backend.ts';
import { createChoicePolicy } from '../../../../trainers/policy/choice/choice-policy.ts';
import { createPolicy, openPolicy } from '../../../../trainers/policy/create-policy.ts';
import { policyConfigSchema } from '../../../../trainers/policy/policy-config.ts';
import { corridorText } from '../../../support/corridor.ts';
import { testContext } from '../../../support/rollout.ts';
import { policyContract } from '../policy-contract.ts';

const policy = policyConfigSchema.parse({ buckets: 512, width: 8, hidden: 8 });

describe.each(['cpu', 'wasm'] as const)('choice policy on %s', (name) => {
  policyContract({
    create: async (envSession, seed) =>
      createPolicy({
        config: { policy, update: { batchSteps: 8, klWeight: 0 } },
        envSession,
        backend: await openBackend(name),
        rng: createRng(seed),
        context: testContext(),
      }),
    open: async (envSession, folder) =>
      openPolicy({ config: policy, folder, envSession, backend: await openBackend(name) }),
    likelier: (decision, by) =>
      decision.kind === 'choice' ? { ...decision, logprob: decision.logprob + by } : decision,
  });
});

describe('policy config', () => {
  it('describes a choice policy without a kind, as in older versions', () => {
    expect(policyConfigSchema.parse({ surroundings: true })).toEqual({
      kind: 'choice',
      buckets: 16_384,
      width: 64,
      hidden: 64,
      surroundings: true,
    });
  });

  it('must have a known kind', () => {
    expect(policyConfigSchema.safeParse({ kind: 'oracle' }).error?.issues.map(({ path }) => path)).toEqual([
      ['kind'],
    ]);
  });
});

describe('decoding of a choice policy', () => {
  it('allows no token filters', async () => {
    await using made = await createChoicePolicy({
      config: { kind: 'choice', buckets: 512, width: 8, hidden: 8 },
      update: { batchSteps: 8, klWeight: 0 },
      text: corridorText,
      backend: await openBackend('cpu'),
      rng: createRng(1),
    });
    expect(() => made.agent({ kind: 'sampled', temperature: 1, minP: 0.1 })).toThrow(
      /decoding of a choice policy: topK, topP and minP apply to tokens/,
    );
  });
});
