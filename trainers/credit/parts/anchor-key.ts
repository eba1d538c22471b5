import type { Trajectory, TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { messageOf, UsageError } from '../../../envs/core/errors.ts';
import { canonicalJson } from '../../../envs/core/json.ts';
import { isFaulted } from './batch-rows.ts';

/**
 * Which key identifies the same decision. `observation`: the observation text, as GiGPO was published.
 * `information`: the env's `anchorKey`, what the agent knows. `state`: the env's `stateKey`, the state of the
 * world, which may include what no agent could know.
 */
export type AnchorKind = (typeof anchorKinds)[number];

export const anchorKinds = ['observation', 'information', 'state'] as const;

/**
 * Returns the key of a step by its index; undefined if it has none. It receives the whole trajectory, so that
 * a key can cover earlier steps too (the history windows of HGPO).
 */
export type KeyReader = (trajectory: Trajectory, index: number) => string | undefined;

const readers: Readonly<Record<AnchorKind, KeyReader>> = {
  observation: observationKey,
  information: ({ steps }, index) => steps[index]?.anchorKey,
  state: ({ steps }, index) => steps[index]?.stateKey,
};

export const keyReader = (kind: AnchorKind): KeyReader => readers[kind];

/** A text observation unchanged, any other as canonical JSON. */
function observationKey(trajectory: Trajectory, index: number): string {
  const observation = trajectory.steps[index]?.observation;
  if (typeof observation === 'string') return observation;
  try {
    return canonicalJson(observation);
  } catch (thrown) {
    throw new UsageError(
      {
        where: `credit with --anchor observation on ${trajectory.env.id}`,
        what: `an observation is not JSON (${messageOf(thrown)}), so equal observations cannot be found.`,
        fix: 'Use --anchor information, or make the env return observations that are text or JSON.',
      },
      { cause: thrown },
    );
  }
}

/** Returns text observations and refuses others, because similarity is defined between texts. */
export function textObservation(trajectory: Trajectory, index: number): string {
  const observation = trajectory.steps[index]?.observation;
  if (typeof observation === 'string') return observation;
  throw new UsageError({
    where: `credit with similarity grouping on ${trajectory.env.id}`,
    what: `an observation is a ${typeof observation}, and only texts can be similar.`,
    fix: 'Group by exact keys, or use an env whose observations are text.',
  });
}

/** The error for a batch without the chosen key; it lists the available keys. */
export function missingKey(kind: AnchorKind, groups: readonly TrajectoryGroup[]): UsageError {
  const played = groups.flatMap(({ members }) => members).filter((member) => !isFaulted(member));
  const envs = [...new Set(played.map(({ env }) => env.id))].toSorted();
  const others = anchorKinds.filter(
    (other) => other !== kind && played.some((member) => hasKey(other, member)),
  );
  return new UsageError({
    where: `credit with --anchor ${kind} on ${envs.join(', ')}`,
    what: 'no step of the batch has that key, so no steps can be compared.',
    fix: `Use ${others.map((other) => `--anchor ${other}`).join(' or ')}, or --credit grpo, which needs no keys.`,
  });
}

function hasKey(kind: AnchorKind, trajectory: Trajectory): boolean {
  if (kind !== 'observation')
    return trajectory.steps.some((_, index) => readers[kind](trajectory, index) !== undefined);
  try {
    return trajectory.steps.some((_, index) => observationKey(trajectory, index) !== undefined);
  } catch (thrown) {
    if (UsageError.is(thrown)) return false;
    throw thrown;
  }
}
