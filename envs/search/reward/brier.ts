/**
 * The Brier score of a stated probability: its squared distance from 1 for a right answer, and from 0 for a wrong one.
 * Taken from the reward of correctness, it makes the true probability the best one to state (RLCR, Damani et al. 2025,
 * arXiv:2507.16806). Without a statement it is 1, the worst.
 */
export const brierOf = (confidence: number | undefined, isRight: boolean): number =>
  confidence === undefined ? 1 : (confidence - (isRight ? 1 : 0)) ** 2;
