import { z } from 'zod';
import { choiceConfigSchema } from '../../models/choice/choice-config.ts';
import type { BackendPreference } from '../../models/backend/open-backend.ts';
import { tokenPolicyShape } from './token-policy-config.ts';

const choicePolicySchema = z.strictObject({
  kind: z
    .literal('choice')
    .default('choice')
    .describe(
      'kind of policy: choice chooses among the admissible actions, token is a language model that writes them',
    ),
  model: z
    .string()
    .min(1)
    .optional()
    .describe(
      'initial weights of the same shape: a run of a choice policy, or the policy folder of one of its checkpoints; default: random',
    ),
  ...choiceConfigSchema.shape,
});

const tokenPolicySchema = z.strictObject({
  kind: z
    .literal('token')
    .describe(
      'kind of policy: choice chooses among the admissible actions, token is a language model that writes them',
    ),
  ...tokenPolicyShape,
});

/**
 * Names a kind of policy and its options; the default is `choice`. Add a new kind here; the compiler then
 * reports all other places.
 */
export const policyConfigSchema = z.discriminatedUnion('kind', [choicePolicySchema, tokenPolicySchema]);
export type PolicyConfig = z.output<typeof policyConfigSchema>;
export type ChoicePolicyConfig = Extract<PolicyConfig, { readonly kind: 'choice' }>;
export type TokenPolicyConfig = Extract<PolicyConfig, { readonly kind: 'token' }>;

/**
 * What `auto` takes for that policy: TensorFlow's library computes a language model several times as fast as `wasm`, and a choice policy no
 * faster. Weights in bf16 and workers exist only on `wasm`.
 * @param trainedWith the backend of the run whose weights play: a run of `wasm` is evaluated on it, with the numbers of its own evaluation
 */
export function backendPreferenceOf(policy: PolicyConfig, trainedWith?: string): BackendPreference {
  if (policy.kind !== 'token' || policy.precision === 'bf16' || trainedWith === 'wasm') return 'equal-bytes';
  return trainedWith === undefined && (policy.workers ?? 0) > 0 ? 'equal-bytes' : 'speed';
}

/** A sentence about what a policy of that kind cannot see, to explain why it may learn nothing. */
export function describeSight({ kind }: Pick<PolicyConfig, 'kind'>): string {
  switch (kind) {
    case 'choice':
      return 'The choice policy sees the words of an observation that also occur in the instruction of the task, and the features that the environment declares.';
    case 'token':
      return 'Reinforcement learning only improves what a language model sometimes does: prepare it with `npx cairn-gym sft`.';
    default:
      return kind satisfies never;
  }
}
