import type { Trajectory, TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { nameOf } from '../../../envs/core/result-shape.ts';
import { isFaulted } from '../parts/batch-rows.ts';
import type { GivenCredit, GivenTrajectoryCredit } from '../estimator.ts';

const columns = ['advantage', 'episode', 'step', 'anchor', 'stepReturn'] as const;
type Column = (typeof columns)[number];

/** What a number of a column must be. There are no more anchors than steps, and memory is taken by their largest number. */
const rules: Readonly<
  Record<Column, { readonly holds: (value: number, steps: number) => boolean; readonly says: string }>
> = {
  advantage: { holds: Number.isFinite, says: 'a finite number' },
  episode: { holds: Number.isFinite, says: 'a finite number' },
  step: { holds: Number.isFinite, says: 'a finite number' },
  anchor: {
    holds: (value, steps) => Number.isInteger(value) && value >= -1 && value < steps,
    says: 'the number of an anchor, counted from 0 over the batch, or -1',
  },
  stepReturn: { holds: () => true, says: 'a number, NaN where it is not known' },
};

const mend =
  'Mend the estimator: one number a step for each member of each group, in the order in which they came, and none for an episode whose stop.kind is "faulted".';

/**
 * Holds what an estimator gave to its shape: a group for a group, a member for a member, a finite advantage for a step, none of an episode
 * that faulted. One pass, for every batch: an array that is too short would otherwise count as zeros.
 * @throws UsageError with the names of estimator, group, member and step
 */
export function assertGiven(
  estimator: string,
  groups: readonly TrajectoryGroup[],
  given: unknown,
): asserts given is GivenCredit {
  const refuse = (place: string, what: string): never => {
    throw new UsageError({ where: `credit estimator "${estimator}"${place}`, what, mend });
  };
  if (given instanceof Promise) {
    given.catch(() => undefined); // what it was to say is not heard, and must not end the process
    return refuse('', 'assign gave back a promise: credit is given at once, and cannot wait.');
  }
  const credits = isRecord(given) ? given['groups'] : undefined;
  if (!Array.isArray(credits))
    return refuse(
      '',
      `assign gave back ${nameOf(given)}${isRecord(given) ? ' without a list of groups' : ''}.`,
    );
  if (credits.length !== groups.length)
    refuse('', `it gave credit to ${credits.length} groups, and there are ${groups.length}.`);
  const steps = groups.reduce(
    (sum, { members }) => members.reduce((all, member) => all + member.steps.length, sum),
    0,
  );
  groups.forEach(({ task, members }, group) => {
    const ofGroup = (credits as readonly unknown[])[group];
    const place = `, group ${group} (${task.panel}/${task.index})`;
    if (!Array.isArray(ofGroup))
      return refuse(place, `its credit is ${nameOf(ofGroup)}, where a list of members is wanted.`);
    if (ofGroup.length !== members.length)
      refuse(place, `it gave credit to ${ofGroup.length} members, and there are ${members.length}.`);
    members.forEach((member, index) => {
      const flaw = flawOf(member, (ofGroup as readonly unknown[])[index], steps);
      if (flaw !== undefined)
        refuse(`${place}, member ${index}${flaw.step === undefined ? '' : `, step ${flaw.step}`}`, flaw.what);
    });
  });
  const { statistics } = given as { readonly statistics?: unknown };
  if (statistics !== undefined) assertStatistics(statistics, refuse);
}

interface Flaw {
  readonly step?: number;
  readonly what: string;
}

/** @param steps of the whole batch */
function flawOf(member: Trajectory, credit: unknown, steps: number): Flaw | undefined {
  if (!isRecord(credit)) return { what: `its credit is ${nameOf(credit)}, where { advantage } is wanted.` };
  const wanted = isFaulted(member) ? 0 : member.steps.length;
  for (const column of columns) {
    const values = credit[column];
    if (values === undefined && column !== 'advantage') continue;
    if (!isNumbers(values))
      return { what: `its ${column} is ${nameOf(values)}, where an array of numbers is wanted.` };
    if (values.length !== wanted) {
      const why = isFaulted(member)
        ? 'the episode faulted, so that none is wanted'
        : `the episode has ${wanted} steps`;
      return { what: `its ${column} has ${values.length} numbers, and ${why}.` };
    }
    const { holds, says } = rules[column];
    for (let step = 0; step < wanted; step += 1) {
      const value = values[step];
      if (typeof value !== 'number' || !holds(value, steps))
        return {
          step,
          what: `its ${column} is ${typeof value === 'number' ? value : nameOf(value)}, where ${says} is wanted.`,
        };
    }
  }
  return undefined;
}

function assertStatistics(statistics: unknown, refuse: (place: string, what: string) => never): void {
  if (!isRecord(statistics))
    return refuse(', statistics', `they are ${nameOf(statistics)}, where figures by their names are wanted.`);
  for (const [name, value] of Object.entries(statistics)) {
    if (typeof value !== 'number' || !Number.isFinite(value))
      refuse(
        `, statistics["${name}"]`,
        `it is ${typeof value === 'number' ? value : nameOf(value)}, where a finite number is wanted.`,
      );
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isNumbers = (value: unknown): value is GivenTrajectoryCredit['advantage'] =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
