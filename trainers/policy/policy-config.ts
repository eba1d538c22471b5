import { z } from 'zod';
import { choiceConfigSchema } from '../../models/choice/choice-config.ts';
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
