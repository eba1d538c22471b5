import { resolve } from 'node:path';
import { digestWeights } from '../../models/token/checkpoint.ts';
import { policyConfigSchema, type TokenPolicyConfig } from '../../trainers/policy/policy-config.ts';
import type { EvaluationOptions } from './options.ts';

/** A checkpoint as others make them, or one that was merged or made here: of no run. */
export interface StoredModel {
  /** Its absolute path. */
  readonly folder: string;
  readonly weightsDigest: string;
  /** Plays with the stored prompt format. */
  readonly policy: TokenPolicyConfig;
}

/** The model in a folder, told of tasks as the options say. */
export async function readStoredModel(
  folder: string,
  {
    prompt,
    history,
    maxTokens,
    restricted,
  }: Pick<EvaluationOptions, 'prompt' | 'history' | 'maxTokens' | 'restricted'>,
): Promise<StoredModel> {
  const policy = policyConfigSchema.parse({
    kind: 'token',
    model: resolve(folder),
    prompt,
    history,
    maxTokens,
    restricted,
  });
  if (policy.kind !== 'token') throw new TypeError('a model plays as a policy of tokens');
  return { folder: resolve(folder), weightsDigest: await digestWeights(folder), policy };
}
