// Slow: plays and trains language models of five kinds, once for each test.
import { describeTokenPolicies } from './describe-token-policy.ts';

describeTokenPolicies([
  'all weights',
  'all weights, by two workers',
  'each step a row of its own',
  'its context reset within a reply',
  'restricted to admissible actions',
]);
