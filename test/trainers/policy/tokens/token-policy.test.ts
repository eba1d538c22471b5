import { describeTokenPolicies } from './describe-token-policy.ts';

describeTokenPolicies(['an adapter']);
