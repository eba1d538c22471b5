import { RunError } from '../../envs/core/errors.ts';

/** Largest difference between behaviour and proximal log-probability that synchronous training accepts. */
const synchronousTolerance = 1e-3;

/** How far the behaviour log-probabilities are from the proximal ones at most. */
export function largestGap(behaviour: Float32Array, proximal: Float32Array): number {
  let gap = 0;
  for (let at = 0; at < behaviour.length; at += 1)
    gap = Math.max(gap, Math.abs((behaviour[at] as number) - (proximal[at] as number)));
  return gap;
}

/** Refuses, with a `RunError`, a gap that cannot be where rollouts and update used the same weights. */
export function assertSynchronous(gap: number): void {
  if (gap <= synchronousTolerance) return;
  throw new RunError({
    where: 'update',
    what: `the log-probabilities of the rollouts differ from the trainer's by up to ${gap.toPrecision(3)}, although both used the same weights.`,
    fix: 'Encode and score in both places alike: compare the encoder, the temperature and the backend of the two. Where they are alike, the environment says one thing in two ways: npx cairn-gym check tells whether its words (text.observation, text.action) do.',
  });
}
