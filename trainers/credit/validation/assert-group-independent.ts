import { UsageError } from '../../../envs/core/errors.ts';
import type { BatchCredit, TrajectoryCredit } from '../estimator.ts';

/** Relative difference that may come from summing in another order. */
const tolerance = 1e-9;

export const isNear = (first: number, second: number): boolean =>
  Math.abs(first - second) <= tolerance * Math.max(1, Math.abs(first), Math.abs(second));

type Advantages = Pick<TrajectoryCredit, 'advantage' | 'tokenAdvantage'>;

/** The numbers that the update uses, a list a step. */
export const advantagesOf = ({ advantage, tokenAdvantage }: Advantages): readonly (readonly number[])[] =>
  tokenAdvantage === undefined
    ? Array.from(advantage, (value) => [value])
    : tokenAdvantage.map((values) => [...values]);

/**
 * Checks what `compares: 'group'` promises, so that stored groups can be credited again one by one. A member without another to compare
 * with has no advantage, and a credited group has the same credit when it is given alone. One group is tried, the shortest, since that takes
 * the estimator's time again.
 * @param alone gives credit to that one group of the batch
 * @throws UsageError where the promise is broken
 */
export function assertGroupIndependent(
  estimator: string,
  { credit, alone }: { readonly credit: BatchCredit; readonly alone: (group: number) => BatchCredit },
): void {
  const refuse = (place: string, what: string): never => {
    throw new UsageError({
      where: `credit estimator "${estimator}", ${place}`,
      what,
      fix: "Compare within a group only, or declare compares: 'batch'.",
    });
  };
  credit.verdicts.forEach((verdict, group) => {
    if (verdict !== 'single-survivor') return;
    const member = (credit.groups[group] ?? []).findIndex((of) => !isZero(of));
    if (member >= 0)
      refuse(
        `group ${group}, member ${member}`,
        'it has an advantage, and the group has no other member to compare it with.',
      );
  });
  const group = shortestCredited(credit);
  if (group === undefined || credit.groups.length < 2) return;
  const [again = []] = alone(group).groups;
  again.forEach((of, member) => {
    const within = credit.groups[group]?.[member];
    if (within === undefined || hasSameNumbers(within, of)) return;
    const others = advantagesOf(of);
    advantagesOf(within).forEach((values, step) =>
      values.forEach((value, place) => {
        const other = others[step]?.[place] ?? Number.NaN;
        if (!isNear(value, other))
          refuse(
            `group ${group}, member ${member}, step ${step}`,
            `its advantage is ${value} within the batch and ${other} where the group is given alone.`,
          );
      }),
    );
  });
}

function shortestCredited({ verdicts, groups }: BatchCredit): number | undefined {
  let shortest: number | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  groups.forEach((members, group) => {
    if (verdicts[group] !== 'credited') return;
    const steps = members.reduce((sum, { advantage }) => sum + advantage.length, 0);
    if (steps >= fewest) return;
    fewest = steps;
    shortest = group;
  });
  return shortest;
}

const isZero = ({ advantage, tokenAdvantage }: Advantages): boolean =>
  (tokenAdvantage ?? [advantage]).every((values) => values.every((value) => value === 0));

/** The usual case, without making lists. */
function hasSameNumbers(first: Advantages, second: Advantages): boolean {
  if (first.tokenAdvantage !== undefined) return false;
  return first.advantage.every((value, step) => value === second.advantage[step]);
}
