import {
  trajectorySchema,
  type Trajectory,
  type TrajectoryGroup,
  type TrajectoryStep,
} from '../../../agents/rollout/trajectory.ts';
import type { TokenDecision } from '../../../agents/core/agent.ts';
import type { Rng } from '../../../envs/core/rng.ts';
import type { CreditLevel } from '../estimator.ts';

/** Rewards are multiples of 1/8, so that their sums are exact in any order. */
const eighth = (rng: Rng): number => (rng.int(17) - 8) / 8;

/**
 * A random batch with everything that training batches can contain: repeated decisions, steps without a key,
 * penalties, steps without a reward, and episodes that faulted midway. In one group only one episode did not
 * fault. For token-level credit every step has a token decision.
 */
export function sampleBatch(rng: Rng, level: CreditLevel = 'step'): readonly TrajectoryGroup[] {
  const groups = Array.from({ length: 2 + rng.int(3) }, (_group, index) =>
    sampleGroup(index, rng, { size: 3 + rng.int(3), faults: 0.15, level }),
  );
  return [...groups, loneMember(groups.length, rng, level)];
}

/** A group in which all members but one faulted. */
export function loneMember(index: number, rng: Rng, level: CreditLevel = 'step'): TrajectoryGroup {
  const { task, members } = sampleGroup(index, rng, { size: 3, faults: 1, level });
  const lone = sampleEpisode({ index, member: 2 }, rng, { faulted: false, level });
  return { task, members: [...members.slice(0, 2), lone] };
}

function sampleGroup(
  index: number,
  rng: Rng,
  { size, faults, level }: { readonly size: number; readonly faults: number; readonly level: CreditLevel },
): TrajectoryGroup {
  const isFaulted = (member: number): boolean => rng.uniform() < faults && (faults === 1 || member > 1);
  return {
    task: { panel: 'train', index },
    members: Array.from({ length: size }, (_member, member) =>
      sampleEpisode({ index, member }, rng, { faulted: isFaulted(member), level }),
    ),
  };
}

function sampleEpisode(
  { index, member }: { readonly index: number; readonly member: number },
  rng: Rng,
  { faulted, level }: { readonly faulted: boolean; readonly level: CreditLevel },
): Trajectory {
  return {
    schema: trajectorySchema,
    path: `sample/train-${index}/member-${member}`,
    env: { id: 'my-lab/sample-v1', config: {} },
    task: { panel: 'train', index },
    family: 'sample',
    agent: 'policy',
    instruction: 'find the way',
    steps: Array.from({ length: 1 + rng.int(7) }, (_step, step) => sampleStep(rng, step, level)),
    finalObservation: faulted ? undefined : 'the end',
    finalStateKey: undefined,
    finalAnchorKey: undefined,
    stop: faulted
      ? { kind: 'faulted', fault: { kind: 'env-crashed', where: 'step', message: 'on purpose' } }
      : { kind: 'terminated', outcome: rng.uniform() < 0.5 ? 'solved' : 'failed' },
  };
}

function sampleStep(rng: Rng, step: number, level: CreditLevel): TrajectoryStep {
  const place = rng.int(4);
  const goal = rng.uniform() < 0.4 ? eighth(rng) : 0;
  const isPenalised = rng.uniform() < 0.15;
  const isKeyed = step === 0 || rng.uniform() < 0.9;
  return {
    observation: `you stand at place ${place}`,
    seat: 0,
    stateKey: isKeyed ? `place ${place}, ${step}` : undefined,
    anchorKey: isKeyed ? `place ${place}` : undefined,
    stepsLeft: undefined,
    reply: { kind: 'action', action: 'go' },
    decision: level === 'token' ? sampleTokens(rng) : undefined,
    policyVersion: 0,
    verdict: isPenalised ? 'inadmissible' : 'admissible',
    reward: rng.uniform() < 0.05 ? undefined : { total: goal, terms: { goal } },
    penalty: isPenalised ? 0.125 : undefined,
  };
}

/** A reply of one to four tokens, or of two spans with a context reset between them. */
function sampleTokens(rng: Rng): TokenDecision {
  const spans = Array.from({ length: 1 + rng.int(2) }, () => {
    const sampled = Array.from({ length: 1 + rng.int(2) }, () => rng.int(100));
    return { kept: 0, appended: [1, 2], sampled, logprobs: sampled.map(() => -0.5) };
  });
  return { kind: 'tokens', leftOut: 0, spans };
}
