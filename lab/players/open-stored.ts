import { openBackend } from '../../models/backend/open-backend.ts';
import { policyPlayer } from '../../trainers/evaluate/evaluate.ts';
import { openPolicy } from '../../trainers/policy/create-policy.ts';
import { backendPreferenceOf, type PolicyConfig } from '../../trainers/policy/policy-config.ts';
import type { PolicyDecoding } from '../../trainers/results/estimate.ts';
import type { Lineage } from '../../trainers/results/lineage.ts';
import type { TrainedOn } from '../../trainers/results/result.ts';
import type { OpenedPlayer, OpenPlayerOptions } from './player-kind.ts';

/** A policy whose weights lie in a folder. */
interface StoredPolicy {
  /** Its name in tables. */
  readonly name: string;
  readonly policy: PolicyConfig;
  readonly folder: string;
  readonly checkpoint: string;
  readonly decoding: PolicyDecoding;
  /** The backend of the run that trained it. */
  readonly trainedWith?: string | undefined;
  readonly trainedOn?: TrainedOn | undefined;
  readonly training?: Lineage | undefined;
}

/** Loads the weights onto the backend. */
export async function openStoredPolicy(
  { name, policy: config, folder, checkpoint, decoding, trainedWith, trainedOn, training }: StoredPolicy,
  { envSession, backend: open = (prefer) => openBackend('auto', { prefer }), log }: OpenPlayerOptions,
): Promise<OpenedPlayer> {
  const backend = await open(backendPreferenceOf(config, trainedWith));
  log?.(`backend ${backend.name}: ${backend.why}`);
  const policy = await openPolicy({ config, folder, envSession, backend });
  for (const note of policy.notes) log?.(note);
  return {
    ...policyPlayer(policy, { name, checkpoint, decoding, trainedOn, training }),
    versions: () => ({ backend: backend.name }),
    [Symbol.asyncDispose]: () => policy[Symbol.asyncDispose](),
  };
}
