import type { KeyOf } from '../../agents/servers/secret.ts';
import type { Context } from '../../envs/core/context.ts';
import type { Rng } from '../../envs/core/rng.ts';
import type { TensorBackend } from '../../models/backend/backend.ts';
import type { EnvSession } from '../env-session.ts';
import { createChoicePolicy, openChoicePolicy } from './choice/choice-policy.ts';
import type { PolicyConfig } from './policy-config.ts';
import type { PlayingPolicy, TrainablePolicy, UpdateShape } from '../update/policy.ts';
import { createTokenPolicy, openTokenPolicy } from './tokens/token-policy.ts';

/**
 * Creates the initial policy of the config, for the env of the session.
 * @throws UsageError before allocation if training cannot fit into memory
 */
export async function createPolicy(options: {
  readonly config: { readonly policy: PolicyConfig; readonly update: UpdateShape };
  readonly envSession: Pick<EnvSession, 'definition' | 'host' | 'envConfig'>;
  readonly backend: TensorBackend;
  readonly rng: Rng;
  readonly context: Context;
  /** Keys of servers, if any are used. */
  readonly keyOf?: KeyOf | undefined;
}): Promise<TrainablePolicy> {
  const {
    config: { policy, update },
    envSession,
    backend,
    rng,
    context,
    keyOf,
  } = options;
  switch (policy.kind) {
    case 'choice':
      return createChoicePolicy({ config: policy, update, text: envSession.definition.text, backend, rng });
    case 'token':
      return createTokenPolicy({ config: policy, update, game: envSession, backend, rng, context, keyOf });
    default:
      return policy satisfies never;
  }
}

/**
 * Opens the policy of a run's checkpoint, for playing in the session's env. Data that only training needs is
 * not read.
 */
export async function openPolicy(options: {
  /** Policy config of the run. */
  readonly config: PolicyConfig;
  /** Written by `save`. */
  readonly folder: string;
  readonly envSession: Pick<EnvSession, 'definition' | 'host' | 'envConfig' | 'concurrency'>;
  readonly backend: TensorBackend;
}): Promise<PlayingPolicy> {
  const { config, folder, envSession, backend } = options;
  switch (config.kind) {
    case 'choice':
      return openChoicePolicy({ folder, text: envSession.definition.text, backend });
    case 'token':
      return openTokenPolicy({
        config,
        folder,
        game: envSession,
        episodes: envSession.concurrency,
        backend,
      });
    default:
      return config satisfies never;
  }
}
