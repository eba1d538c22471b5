import { z } from 'zod';
import type { Json } from '../../envs/core/json.ts';
import { episodeFields, parseCreditConfig } from './parts/episode-config.ts';
import type { BatchCredit, CreditEstimator } from './estimator.ts';
import { createGigpo, gigpoFields, groupingIssue, groupsWhatItCan } from './estimators/gigpo.ts';
import { createGrpo } from './estimators/grpo.ts';
import type { TermsRule } from './parts/statistics.ts';

const gigpoSchema = z
  .strictObject({ kind: z.literal('gigpo'), ...gigpoFields })
  .refine(groupsWhatItCan, groupingIssue);
const grpoSchema = z.strictObject({ kind: z.literal('grpo'), ...episodeFields });

const json: z.ZodType<Json> = z.json();

/** An estimator of a user's own: what the file defines is known once it is loaded. */
const moduleSchema = z.strictObject({
  kind: z.literal('module'),
  file: z
    .string()
    .min(1)
    .describe('the TypeScript or JavaScript file of an estimator of your own, which exports `estimator`'),
  options: z
    .record(z.string(), json)
    .default({})
    .describe('options of that estimator, as its own schema has them'),
});

const builtInSchema = z.discriminatedUnion('kind', [gigpoSchema, grpoSchema]);

/** Names a credit estimator and configures it. A new one of ours joins here and in {@link createCreditEstimator}, nowhere else. */
export const creditConfigSchema = z.discriminatedUnion('kind', [gigpoSchema, grpoSchema, moduleSchema]);

export type CreditConfig = z.input<typeof creditConfigSchema>;

/** The same with its defaults. */
export type ParsedCreditConfig = z.output<typeof creditConfigSchema>;

/** Of the estimators that need no file. */
export type BuiltInCreditConfig = z.input<typeof builtInSchema>;

/** An estimator of a user's own, by its file. */
export type ModuleCreditConfig = z.output<typeof moduleSchema>;

/** Makes the estimator that the configuration names; throws a `UsageError` on a configuration that does not fit it. */
export function createCreditEstimator(config: BuiltInCreditConfig): CreditEstimator<BatchCredit> {
  const parsed = parseCreditConfig(builtInSchema, config);
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
