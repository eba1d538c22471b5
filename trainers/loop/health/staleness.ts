import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';

/** Which weights a run had after each of its iterations. */
export class VersionLog {
  /** The first version of the policy that has learned from `iteration`, in ascending order. */
  readonly #learned: { readonly iteration: number; readonly version: number }[];

  /** @param iteration from which the run sets out with `version`: all decisions are taken as of then or later */
  constructor(iteration: number, version: number) {
    this.#learned = [{ iteration, version }];
  }

  note(iteration: number, version: number): void {
    this.#learned.push({ iteration, version });
  }

  /** The iterations that weights of this version have learned from; in the middle of an update, those before it. */
  iterationsOf(version: number): number {
    return (this.#learned.findLast((entry) => entry.version <= version) ?? this.#learned[0])?.iteration ?? 0;
  }
}

/** The groups that may be trained on, and what is to be known of the age of all of them. */
export interface FreshGroups {
  readonly groups: readonly TrajectoryGroup[];
  readonly figures: Readonly<Record<string, number>>;
}

/**
 * Leaves out the groups that were begun by weights more than `most` iterations behind those that now learn. The beginning counts
 * and not the end, and for the whole group: otherwise the long episodes, which see more updates come, would go, and what
 * is left would be of the short ones.
 * @param learned the iterations that the weights have learned from which are about to be updated
 */
export function leaveOutStale(
  groups: readonly TrajectoryGroup[],
  options: { readonly most: number; readonly learned: number; readonly versions: VersionLog },
): FreshGroups {
  const { most, learned, versions } = options;
  const ageOf = (version: number): number => learned - versions.iterationsOf(version);
  const fresh = groups.filter((group) => Math.max(0, ...beginnings(group).map(ageOf)) <= most);
  const ages = fresh.flatMap(versionsOf).map(ageOf);
  return {
    groups: fresh,
    figures: {
      'async/staleness-mean': ages.reduce((sum, age) => sum + age, 0) / Math.max(1, ages.length),
      'async/staleness-largest': ages.reduce((largest, age) => Math.max(largest, age), 0),
      'async/groups-mixed': fresh.filter((group) => new Set(versionsOf(group)).size > 1).length,
      'async/groups-dropped': groups.length - fresh.length,
    },
  };
}

/** Of every decision. */
const versionsOf = ({ members }: TrajectoryGroup): readonly number[] =>
  members.flatMap(({ steps }) => steps.flatMap(({ policyVersion }) => policyVersion ?? []));

/** Of the first decision of every member. */
const beginnings = ({ members }: TrajectoryGroup): readonly number[] =>
  members.flatMap(({ steps }) => steps[0]?.policyVersion ?? []);
