import type { Trajectory } from '../../../agents/rollout/trajectory.ts';

/** Number of tokens that the policy sampled in a step; undefined if the step has no token decision. */
export function countSampledTokens({ steps }: Pick<Trajectory, 'steps'>, step: number): number | undefined {
  const decision = steps[step]?.decision;
  return decision?.kind === 'tokens'
    ? decision.spans.reduce((sum, { sampled }) => sum + sampled.length, 0)
    : undefined;
}
