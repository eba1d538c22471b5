import fc from 'fast-check';
import type { Trajectory, TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { episode, group, type StepSketch } from './hand-made.ts';

/** What a random batch may hold. */
export interface BatchKinds {
  readonly faults?: boolean;
  readonly gaps?: boolean;
  readonly penalties?: boolean;
  /** How many anchors there are; few give revisits. */
  readonly anchors?: number;
  /** Whether a trajectory never meets an anchor twice. */
  readonly noRevisits?: boolean;
}

/** Rewards are eighths, so that sums of them are exact and equal values are equal. */
const reward = fc.integer({ min: -8, max: 8 }).map((eighths) => eighths / 8);

function anyStep(kinds: BatchKinds): fc.Arbitrary<StepSketch> {
  return fc.record({
    key: fc.option(
      fc.integer({ min: 0, max: (kinds.anchors ?? 5) - 1 }).map((anchor) => `anchor ${anchor}`),
      { nil: undefined, freq: 8 },
    ),
    reward: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: reward }),
    penalty:
      kinds.penalties === false
        ? fc.constant(undefined)
        : fc.option(fc.constant(0.125), { nil: undefined, freq: 4 }),
    unscored:
      kinds.gaps === false ? fc.constant(false) : fc.integer({ min: 0, max: 19 }).map((roll) => roll === 0),
  });
}

function anyEpisode(kinds: BatchKinds): fc.Arbitrary<Trajectory> {
  const steps = fc.array(anyStep(kinds), { minLength: 1, maxLength: 8 });
  const faulted =
    kinds.faults === false ? fc.constant(false) : fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0);
  return fc
    .tuple(steps, faulted)
    .map(([sketches, fault]) =>
      episode(kinds.noRevisits === true ? withoutRevisits(sketches) : sketches, { faulted: fault }),
    );
}

function withoutRevisits(sketches: readonly StepSketch[]): StepSketch[] {
  const seen = new Set<string | undefined>();
  return sketches.filter(({ key }) => {
    const again = key !== undefined && seen.has(key);
    seen.add(key);
    return !again;
  });
}

/** Batches in which at least one step has a key, so that every estimator takes them. */
export function anyBatch(kinds: BatchKinds = {}): fc.Arbitrary<TrajectoryGroup[]> {
  const keyed = episode([{ key: 'anchor 0' }]);
  const members = fc.array(anyEpisode(kinds), { minLength: 2, maxLength: 6 });
  const groups = fc.array(members, { minLength: 1, maxLength: 4 });
  return groups.map((batch) => [...batch.map((trajectories) => group(...trajectories)), group(keyed, keyed)]);
}

/** Every way to compare episodes. */
export const anyEpisodeRule = fc.record({
  episodeWeighting: fc.constantFrom('rows', 'trajectories'),
  normalise: fc.constantFrom('mean', 'mean-std'),
  std: fc.constantFrom('unbiased', 'population'),
  self: fc.constantFrom('included', 'left-out'),
  invalidPenalty: fc.constantFrom('own-step', 'propagated'),
});

/** Every way to compare steps as well. */
export const anyGigpoRule = fc
  .tuple(
    anyEpisodeRule,
    fc.record({
      omega: fc.constantFrom(0, 0.5, 1, 2),
      gamma: fc.constantFrom(0, 0.5, 0.95, 1),
      visits: fc.constantFrom('every', 'first'),
    }),
  )
  .map(([episodeRule, stepRule]) => ({ ...episodeRule, ...stepRule }));
