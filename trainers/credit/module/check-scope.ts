import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { BatchCredit, GivenCredit } from '../estimator.ts';

/** By how much a credit may differ that was summed up in another order. */
const tolerance = 1e-9;

export const isNear = (first: number, second: number): boolean =>
  Math.abs(first - second) <= tolerance * Math.max(1, Math.abs(first), Math.abs(second));

/**
 * Holds credit to what the estimator says of it: that it compares within a group. So stored episodes tell it again group by group, and a
 * member that has nobody to be compared with gets none. One group of the batch, given alone, is enough to see it.
 */
export function assertSameAlone(
  estimator: string,
  {
    groups,
    credit,
    assign,
  }: {
    readonly groups: readonly TrajectoryGroup[];
    readonly credit: BatchCredit;
    readonly assign: (groups: readonly TrajectoryGroup[]) => GivenCredit;
  },
): void {
  const refuse = (place: string, what: string): never => {
    throw new UsageError({
      where: `credit estimator "${estimator}", ${place}`,
      what,
      mend: "Compare within a group alone, or let the estimator say compares: 'batch'.",
    });
  };
  credit.verdicts.forEach((verdict, group) => {
    if (verdict !== 'single-survivor') return;
    const member = (credit.groups[group] ?? []).findIndex(({ advantage }) =>
      advantage.some((value) => value !== 0),
    );
    if (member >= 0)
      refuse(
        `group ${group}, member ${member}`,
        'it has an advantage, and no other member came to its end that it could be compared with.',
      );
  });
  const first = credit.verdicts.indexOf('credited');
  const group = groups[first];
  if (group === undefined || groups.length < 2) return;
  const [alone = []] = assign([group]).groups;
  alone.forEach(({ advantage }, member) => {
    const within = credit.groups[first]?.[member]?.advantage ?? new Float64Array(0);
    for (let step = 0; step < within.length; step += 1) {
      const [one, other] = [within[step] as number, advantage[step] as number];
      if (!isNear(one, other))
        refuse(
          `group ${first}, member ${member}, step ${step}`,
          `its advantage is ${one} within the batch and ${other} where the group is given alone.`,
        );
    }
  });
}
