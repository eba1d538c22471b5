import type { UpdateFigures } from '../../models/policy-model.ts';

/** What a mini-batch came to; without `referenceKl` where it was not measured. */
type BatchFigures = Omit<UpdateFigures, 'referenceKl' | 'agreement'> & {
  readonly referenceKl: number | undefined;
};

/** The figures of an update: means over its mini-batches, weighted by how much is in each; the largest ratio is the largest of all. */
export class FigureMeans {
  readonly #sums: Record<string, number> = {};
  #weight = 0;
  #largestRatio = 0;

  /** @param weight such as the mini-batch's steps */
  add(figures: BatchFigures, gradNorm: number, weight: number): void {
    this.#weight += weight;
    this.#largestRatio = Math.max(this.#largestRatio, figures.largestRatio);
    const values: Record<string, number> = {
      loss: figures.loss,
      'policy-loss': figures.policyLoss,
      entropy: figures.entropy,
      ...(figures.referenceKl === undefined ? {} : { 'reference-kl': figures.referenceKl }),
      kl: figures.approximateKl,
      'clip-fraction': figures.clipFraction,
      'mean-ratio': figures.meanRatio,
      'gradient-norm': gradNorm,
    };
    for (const [name, value] of Object.entries(values))
      this.#sums[name] = (this.#sums[name] ?? 0) + value * weight;
  }

  /** By the names of the metrics. */
  result(): Readonly<Record<string, number>> {
    const means = Object.entries(this.#sums).map(
      ([name, sum]) => [`update/${name}`, sum / this.#weight] as const,
    );
    return { ...Object.fromEntries(means), 'update/largest-ratio': this.#largestRatio };
  }
}
