import type { AdamConstants } from './operations.ts';

/** What of an AdamW step is the same for every entry. */
export interface AdamCoefficients {
  readonly gradientScale: number;
  readonly beta1: number;
  readonly rest1: number;
  readonly beta2: number;
  readonly rest2: number;
  /** Share of the value that weight decay leaves. */
  readonly keep: number;
  /** The learning rate over the first moment's bias. */
  readonly stepSize: number;
  /** One over the root of the second moment's bias. */
  readonly secondScale: number;
  readonly epsilon: number;
}

export function adamCoefficients(constants: AdamConstants): AdamCoefficients {
  const { learningRate, weightDecay, beta1, beta2, epsilon, gradientScale, step } = constants;
  return {
    gradientScale,
    beta1,
    rest1: 1 - beta1,
    beta2,
    rest2: 1 - beta2,
    keep: 1 - learningRate * weightDecay,
    stepSize: learningRate / (1 - beta1 ** step),
    secondScale: 1 / Math.sqrt(1 - beta2 ** step),
    epsilon,
  };
}
