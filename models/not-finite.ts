import { RunError } from '../envs/core/errors.ts';

/** The error for a NaN or an infinity, thrown before it can reach the weights. */
export function notFinite(batch: string, tensor: string, value: number): RunError {
  return new RunError({
    where: `${batch}, ${tensor}`,
    what: `a value is ${value}, not a finite number; the weights have not been moved by it.`,
    fix: 'Lower the learning rate or maxGradNorm, or look for what made the batch extreme; the last checkpoint is sound.',
  });
}
