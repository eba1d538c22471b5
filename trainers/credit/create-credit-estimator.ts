import { z } from 'zod';
import { episodeFields, parseCreditConfig } from './episode-config.ts';
import type { CreditEstimator } from './estimator.ts';
import { createGigpo, gigpoFields, groupingIssue, groupsWhatItCan } from './gigpo.ts';
import { createGrpo } from './grpo.ts';
import type { TermsRule } from './statistics.ts';

/** Names a credit estimator and configures it. A new estimator joins here and in {@link createCreditEstimator}, nowhere else. */
export const creditConfigSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('gigpo'), ...gigpoFields }).refine(groupsWhatItCan, groupingIssue),
  z.strictObject({ kind: z.literal('grpo'), ...episodeFields }),
]);

export type CreditConfig = z.input<typeof creditConfigSchema>;

/** Makes the estimator that the configuration names; throws a `UsageError` on a configuration that does not fit it. */
export function createCreditEstimator(config: CreditConfig): CreditEstimator {
  const parsed = parseCreditConfig(creditConfigSchema, config);
  switch (parsed.kind) {
    case 'gigpo': {
      const { kind: _kind, ...rest } = parsed;
      return createGigpo(rest);
    }
    case 'grpo': {
      const { kind: _kind, ...rest } = parsed;
      return createGrpo(rest);
    }
    default:
      return parsed satisfies never;
  }
}

const termsSchema = z.object(gigpoFields);

/** By what the terms of an advantage are made under a configuration; for an estimator without a step term, as GiGPO makes one unless told otherwise. */
export const termsRuleOf = (config: CreditConfig): TermsRule => parseCreditConfig(termsSchema, config);
