import { expect, it } from 'vitest';
import { textFlags } from '../../../cli/evaluation/text-options.ts';
import { policyConfigSchema } from '../../../trainers/policy/policy-config.ts';

it('the help of --max-tokens states the default for a model in a folder', () => {
  const policy = policyConfigSchema.parse({ kind: 'token', model: 'models/any' });
  const says = textFlags.find(({ flags }) => flags.startsWith('--max-tokens '))?.says;
  expect(policy.kind === 'token' && says?.includes(`${policy.maxTokens} in a folder`)).toBe(true);
});
