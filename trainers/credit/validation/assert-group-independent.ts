import { UsageError } from '../../../envs/core/errors.ts';
import type { BatchCredit, TrajectoryCredit } from '../estimator.ts';

/** Relative difference allowed for another order of summation. */
const tolerance = 1e-9;

export const isNear = (first: number, second: number): boolean =>
  Math.abs(first - second) <= tolerance * Math.max(1, Math.abs(first), Math.abs(second));

type Advantages = Pick<TrajectoryCredit, 'advantage' | 'tokenAdvantage'>;

/** The numbers that the update uses, one list for each step. */
export const advantagesOf = ({ advantage, tokenAdvantage }: Advantages): readonly (readonly number[])[] =>
  tokenAdvantage === undefined
    ? Array.from(advantage, (value) => [value])
    : tokenAdvantage.map((values) => [...values]);

/**
 * Verifies the promise of `compares: 'group'`, so that credit of stored groups can be recomputed one by one.
 * A lone member has no advantage, and a group has the same credit alone. Only the shortest credited group is
 * tried, because it costs the estimator's time again.
 * @param alone assigns credit to that one group of the batch
 * @throws UsageError if the promise is broken
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
        'it has an advantage, although the group has no other member to compare it with.',
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
            `its advantage is ${value} within the batch and ${other} if the group is given alone.`,
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

/** Fast path for the usual case, without creating lists. */
function hasSameNumbers(first: Advantages, second: Advantages): boolean {
  if (first.tokenAdvantage !== undefined) return false;
  return first.advantage.every((value, step) => value === second.advantage[step]);
}
