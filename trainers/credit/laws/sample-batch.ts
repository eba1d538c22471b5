import {
  trajectorySchema,
  type Trajectory,
  type TrajectoryGroup,
  type TrajectoryStep,
} from '../../../agents/rollout/trajectory.ts';
import type { Rng } from '../../../envs/core/rng.ts';

/** Rewards are eighths, so that sums of them are exact in every order. */
const eighth = (rng: Rng): number => (rng.int(17) - 8) / 8;

/**
 * A batch by chance that has all that a batch of training can have: decisions that come again, steps without a key, penalties, steps that
 * were never scored, episodes that faulted midway, and a group of which one episode came to its end.
 */
export function sampleBatch(rng: Rng): readonly TrajectoryGroup[] {
  const groups = Array.from({ length: 2 + rng.int(3) }, (_group, index) =>
    sampleGroup(index, rng, { size: 3 + rng.int(3), faults: 0.15 }),
  );
  return [...groups, loneMember(groups.length, rng)];
}

/** A group of which all but one faulted. */
export function loneMember(index: number, rng: Rng): TrajectoryGroup {
  const { task, members } = sampleGroup(index, rng, { size: 3, faults: 1 });
  return { task, members: [...members.slice(0, 2), sampleEpisode({ index, member: 2 }, rng, false)] };
}

function sampleGroup(
  index: number,
  rng: Rng,
  { size, faults }: { readonly size: number; readonly faults: number },
): TrajectoryGroup {
  const isFaulted = (member: number): boolean => rng.uniform() < faults && (faults === 1 || member > 1);
  return {
    task: { panel: 'train', index },
    members: Array.from({ length: size }, (_member, member) =>
      sampleEpisode({ index, member }, rng, isFaulted(member)),
    ),
  };
}

function sampleEpisode(
  { index, member }: { readonly index: number; readonly member: number },
  rng: Rng,
  faulted: boolean,
): Trajectory {
  return {
    schema: trajectorySchema,
    path: `sample/train-${index}/member-${member}`,
    env: { id: 'my-lab/sample-v1', config: {} },
    task: { panel: 'train', index },
    family: 'sample',
    agent: 'policy',
    instruction: 'find the way',
    steps: Array.from({ length: 1 + rng.int(7) }, (_step, step) => sampleStep(rng, step)),
    finalObservation: faulted ? undefined : 'the end',
    finalStateKey: undefined,
    finalAnchorKey: undefined,
    stop: faulted
      ? { kind: 'faulted', fault: { kind: 'env-crashed', where: 'step', message: 'on purpose' } }
      : { kind: 'terminated', outcome: rng.uniform() < 0.5 ? 'solved' : 'failed' },
  };
}

function sampleStep(rng: Rng, step: number): TrajectoryStep {
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
    decision: undefined,
    policyVersion: 0,
    verdict: isPenalised ? 'inadmissible' : 'admissible',
    reward: rng.uniform() < 0.05 ? undefined : { total: goal, terms: { goal } },
    penalty: isPenalised ? 0.125 : undefined,
  };
}
