import type { BatchCredit } from '../estimator.ts';

/**
 * Share of anchored steps whose anchor has other steps too, by the first grouping of the credit. Undefined if
 * no step has an anchor.
 */
export function shareOfSharedAnchors({ anchorSizes }: Pick<BatchCredit, 'anchorSizes'>): number | undefined {
  const [sizes = new Int32Array(0)] = Object.values(anchorSizes);
  const steps = sizes.reduce((sum, size) => sum + size, 0);
  const alone = sizes.reduce((sum, size) => (size === 1 ? sum + 1 : sum), 0);
  return steps === 0 ? undefined : 1 - alone / steps;
}
