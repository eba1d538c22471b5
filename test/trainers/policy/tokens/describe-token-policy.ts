import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { createRng } from '../../../../envs/core/rng.ts';
import { openBackend } from '../../../../models/backend/open-backend.ts';
import { createPolicy, openPolicy } from '../../../../trainers/policy/create-policy.ts';
import { policyConfigSchema } from '../../../../trainers/policy/policy-config.ts';
import type { EnvSession } from '../../../../trainers/env-session.ts';
import { testContext } from '../../../support/rollout.ts';
import { makeTinyModel } from '../../../support/tiny-model.ts';
import { temporaryFolder } from '../../run/make-run.ts';
import { policyContract } from '../policy-contract.ts';

/** The policies that the contract is tried on. */
const cases = [
  { backend: 'wasm', kind: 'all weights', more: {} },
  { backend: 'wasm', kind: 'all weights, by two workers', more: { workers: 2 } },
  { backend: 'wasm', kind: 'an adapter', more: { adapter: { rank: 4 } } },
  { backend: 'wasm', kind: 'each step a row of its own', more: { history: 1 } },
  {
    backend: 'wasm',
    kind: 'its context reset within a reply',
    more: { maxTokens: 21, reset: { carriedTokens: 4, contexts: 2 } },
  },
  { backend: 'wasm', kind: 'restricted to admissible actions', more: { restricted: true } },
] as const;

/** Tries the contract of policies on the token policies of these kinds. */
export function describeTokenPolicies(kinds: readonly (typeof cases)[number]['kind'][]): void {
  const folder = temporaryFolder();
  afterAll(() => folder[Symbol.dispose]());
  for (const { backend, kind, more } of cases.filter((one) => kinds.includes(one.kind)))
    describe(`token policy on ${backend}, ${kind}`, () => tryContract({ folder, backend, more }));
}

function tryContract({
  folder,
  backend: name,
  more,
}: {
  readonly folder: ReturnType<typeof temporaryFolder>;
  readonly backend: 'cpu' | 'wasm';
  readonly more: object;
}): void {
  const configOf = async (seed: number) =>
    policyConfigSchema.parse({
      kind: 'token',
      model: await makeTinyModel(join(folder.path, `seed-${seed}`), seed),
      maxTokens: 21,
      contextLength: 1_024,
      workers: 0,
      ...more,
    });
  const create = async (envSession: EnvSession, seed: number) =>
    createPolicy({
      config: {
        policy: await configOf('adapter' in more ? 1 : seed),
        update: { batchSteps: 8, klWeight: 0 },
      },
      envSession,
      backend: await openBackend(name),
      rng: createRng(seed),
      context: testContext(),
    });
  policyContract({
    create,
    open: async (envSession, saved) =>
      openPolicy({ config: await configOf(1), folder: saved, envSession, backend: await openBackend(name) }),
    likelier: (decision, by) =>
      decision.kind === 'tokens'
        ? {
            ...decision,
            spans: decision.spans.map((span) => ({
              ...span,
              logprobs: span.logprobs.map((logprob) => (logprob === null ? null : logprob + by)),
            })),
          }
        : decision,
  });
}
