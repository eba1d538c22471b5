import type { anchorStatistics } from '../../../trainers/credit/parts/anchor-statistics.ts';
import type { createCreditEstimator } from '../../../trainers/credit/create-credit-estimator.ts';
import type { createGigpo, createGrpo } from './built-in.ts';
import type { numberExactly } from '../../../trainers/credit/parts/key-numbering.ts';
import type {
  isSimilar,
  prepareText,
  similarityRatio,
} from '../../../trainers/credit/parts/sequence-matcher.ts';

/** What the checks of this folder call, so that they can be run against a mutated copy of it too. */
export interface CreditModule {
  readonly createGigpo: typeof createGigpo;
  readonly createGrpo: typeof createGrpo;
  readonly createCreditEstimator: typeof createCreditEstimator;
  readonly anchorStatistics: typeof anchorStatistics;
  readonly numberExactly: typeof numberExactly;
  readonly prepareText: typeof prepareText;
  readonly similarityRatio: typeof similarityRatio;
  readonly isSimilar: typeof isSimilar;
}
