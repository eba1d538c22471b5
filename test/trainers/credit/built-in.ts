import { createCreditEstimator } from '../../../trainers/credit/create-credit-estimator.ts';
import type { BuiltInCreditConfig } from '../../../trainers/credit/credit-config.ts';
import type { CompleteEstimator } from '../../../trainers/credit/validation/validated-estimator.ts';

type OptionsOf<Kind> = Omit<Extract<BuiltInCreditConfig, { readonly kind: Kind }>, 'kind'>;

/** GiGPO with these options, validated and completed as in a training. */
export const createGigpo = (options: OptionsOf<'gigpo'> = {}): CompleteEstimator =>
  createCreditEstimator({ kind: 'gigpo', ...options });

/** GRPO with these options, validated and completed as in a training. */
export const createGrpo = (options: OptionsOf<'grpo'> = {}): CompleteEstimator =>
  createCreditEstimator({ kind: 'grpo', ...options });
