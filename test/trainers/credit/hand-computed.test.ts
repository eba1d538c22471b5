import { describe, test } from 'vitest';
import { createCreditEstimator } from '../../../trainers/credit/create-credit-estimator.ts';
import { createGigpo, createGrpo } from './built-in.ts';
import { numberExactly } from '../../../trainers/credit/parts/key-numbering.ts';
import { isSimilar, prepareText, similarityRatio } from '../../../trainers/credit/parts/sequence-matcher.ts';
import { anchorStatistics } from '../../../trainers/credit/parts/anchor-statistics.ts';
import { checks } from './checks.ts';
import type { CreditModule } from './credit-module.ts';

const credit: CreditModule = {
  createGigpo,
  createGrpo,
  createCreditEstimator,
  anchorStatistics,
  numberExactly,
  prepareText,
  similarityRatio,
  isSimilar,
};

describe('hand-computed credit', () => {
  for (const check of checks) test(check.name, () => check.run(credit));
});
