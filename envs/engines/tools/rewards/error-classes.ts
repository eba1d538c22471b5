import type { CallError } from '../run-call.ts';

/**
 * What a call of each error class costs, times the weight. The classes are those of TL-Training (2024): a
 * tool that does not exist, and missing, unknown and wrong arguments. A refusal of the tool is a class of its own. The figures are
 * ours: a tool that was made up is the worst, and a refusal may have been worth trying.
 */
export const errorCosts: Readonly<Record<CallError, number>> = {
  'unknown-tool': 1,
  'missing-argument': 0.5,
  'unknown-argument': 0.5,
  'wrong-argument': 0.5,
  refused: 0.25,
};

/** The penalty of a turn: the costs of its errors, as a number of at most 0. */
export const errorPenalty = (errors: readonly CallError[]): number =>
  -errors.reduce((sum, error) => sum + errorCosts[error], 0);
