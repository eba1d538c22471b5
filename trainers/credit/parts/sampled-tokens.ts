import type { Trajectory } from '../../../agents/rollout/trajectory.ts';

/** Tokens that the policy sampled in a step; undefined where the step was not decided token by token. */
export function countSampledTokens({ steps }: Pick<Trajectory, 'steps'>, step: number): number | undefined {
  const decision = steps[step]?.decision;
  return decision?.kind === 'tokens'
    ? decision.spans.reduce((sum, { sampled }) => sum + sampled.length, 0)
    : undefined;
}
