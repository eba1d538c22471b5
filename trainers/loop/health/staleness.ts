import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';

/** Which weights a run had after each iteration. */
export class VersionLog {
  /** The first policy version that has learned from `iteration`, in ascending order. */
  readonly #learned: { readonly iteration: number; readonly version: number }[];

  /** @param iteration at which the run starts with `version`: all decisions are at least that new */
  constructor(iteration: number, version: number) {
    this.#learned = [{ iteration, version }];
  }

  note(iteration: number, version: number): void {
    this.#learned.push({ iteration, version });
  }

  /** How many iterations weights of this version have learned from; during an update, those before it. */
  iterationsOf(version: number): number {
    return (this.#learned.findLast((entry) => entry.version <= version) ?? this.#learned[0])?.iteration ?? 0;
  }
}

/** The groups that may be trained on, and the ages of all groups. */
export interface FreshGroups {
  readonly groups: readonly TrajectoryGroup[];
  readonly figures: Readonly<Record<string, number>>;
}

/**
 * Drops groups whose first decisions came from weights more than `most` iterations older than the current
 * ones. The start of a group counts, and the whole group is dropped. Otherwise long episodes, which see more
 * updates, would be dropped more often, and short ones would be overrepresented.
 * @param learned how many iterations the weights about to be updated have learned from
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

/** Versions of all decisions. */
const versionsOf = ({ members }: TrajectoryGroup): readonly number[] =>
  members.flatMap(({ steps }) => steps.flatMap(({ policyVersion }) => policyVersion ?? []));

/** Versions of the first decision of every member. */
const beginnings = ({ members }: TrajectoryGroup): readonly number[] =>
  members.flatMap(({ steps }) => steps[0]?.policyVersion ?? []);
