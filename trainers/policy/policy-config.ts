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

/** Names a kind of policy and configures it; where none is named it is `choice`. A new kind joins here, and the compiler says where else. */
export const policyConfigSchema = z.discriminatedUnion('kind', [choicePolicySchema, tokenPolicySchema]);
export type PolicyConfig = z.output<typeof policyConfigSchema>;
export type ChoicePolicyConfig = Extract<PolicyConfig, { readonly kind: 'choice' }>;
export type TokenPolicyConfig = Extract<PolicyConfig, { readonly kind: 'token' }>;

/** What a policy of that kind does not see, in a sentence for who wonders why it learns nothing. */
export function describeSight({ kind }: Pick<PolicyConfig, 'kind'>): string {
  switch (kind) {
    case 'choice':
      return 'The choice policy sees of an observation only words that the instruction of the task has too.';
    case 'token':
      return 'A language model learns by reward only from what it sometimes does: `cairn sft` teaches it to begin with.';
    default:
      return kind satisfies never;
  }
}
