import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import type { Evidence } from '../estimator.ts';

/** The evidence stored on trajectories, for the names that all of them have. */
export function storedEvidence(groups: readonly TrajectoryGroup[]): Evidence {
  const members = groups.flatMap((group) => group.members);
  const names = Object.keys(members[0]?.evidence ?? {}).filter((name) =>
    members.every(({ evidence }) => evidence?.[name] !== undefined),
  );
  return Object.fromEntries(
    names.map((name) => [
      name,
      groups.map((group) => group.members.map(({ evidence }) => evidence?.[name] ?? new Float64Array(0))),
    ]),
  );
}
