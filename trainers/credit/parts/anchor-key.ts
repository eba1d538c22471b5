import type { Trajectory, TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { messageOf, UsageError } from '../../../envs/core/errors.ts';
import { canonicalJson } from '../../../envs/core/json.ts';
import { isFaulted } from './batch-rows.ts';

/**
 * By what steps are held to be the same decision. `observation`: the text on the screen, as GiGPO was published.
 * `information`: the env's `anchorKey`, what the agent knows. `state`: the env's `stateKey`, the world itself, which may
 * hold what no agent could know.
 */
export type AnchorKind = (typeof anchorKinds)[number];

export const anchorKinds = ['observation', 'information', 'state'] as const;

/**
 * Reads the key of a step by its index; undefined where the step has none. It gets the whole trajectory, so that a key can cover the steps
 * before as well (the history windows of HGPO).
 */
export type KeyReader = (trajectory: Trajectory, index: number) => string | undefined;

const readers: Readonly<Record<AnchorKind, KeyReader>> = {
  observation: observationKey,
  information: ({ steps }, index) => steps[index]?.anchorKey,
  state: ({ steps }, index) => steps[index]?.stateKey,
};

export const keyReader = (kind: AnchorKind): KeyReader => readers[kind];

/** A text observation itself, any other as canonical JSON. */
function observationKey(trajectory: Trajectory, index: number): string {
  const observation = trajectory.steps[index]?.observation;
  if (typeof observation === 'string') return observation;
  try {
    return canonicalJson(observation);
  } catch (thrown) {
    throw new UsageError(
      {
        where: `credit with --anchor observation on ${trajectory.env.id}`,
        what: `an observation is not JSON (${messageOf(thrown)}), so equal ones cannot be told.`,
        fix: 'Choose --anchor information, or let the env give observations that are text or JSON.',
      },
      { cause: thrown },
    );
  }
}

/** Reads observations that are text, and refuses others: likeness is a relation between texts. */
export function textObservation(trajectory: Trajectory, index: number): string {
  const observation = trajectory.steps[index]?.observation;
  if (typeof observation === 'string') return observation;
  throw new UsageError({
    where: `credit with similarity grouping on ${trajectory.env.id}`,
    what: `an observation is a ${typeof observation}, and only texts can be similar.`,
    fix: 'Group by exact keys, or play an env whose observations are text.',
  });
}

/** The error for a batch in which no step has the key asked for; it says which keys there are. */
export function missingKey(kind: AnchorKind, groups: readonly TrajectoryGroup[]): UsageError {
  const played = groups.flatMap(({ members }) => members).filter((member) => !isFaulted(member));
  const envs = [...new Set(played.map(({ env }) => env.id))].toSorted();
  const others = anchorKinds.filter(
    (other) => other !== kind && played.some((member) => hasKey(other, member)),
  );
  return new UsageError({
    where: `credit with --anchor ${kind} on ${envs.join(', ')}`,
    what: 'no step of the batch has that key, so no steps can be compared.',
    fix: `Choose ${others.map((other) => `--anchor ${other}`).join(' or ')}, or --credit grpo, which needs no keys.`,
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
