import type { TrajectoryCredit } from '../estimator.ts';
import type { BatchScan } from './batch-rows.ts';

type Groups = readonly (readonly TrajectoryCredit[])[];

/**
 * Statistics of credit, under `credit/`:
 * - `groups`, and of these the dropped ones: `groups-all-faulted`, `groups-single-survivor`
 * - credited groups without a learning signal: `groups-zero-advantage`, and `groups-zero-episode` (no two
 * different scores)
 * - `steps`, `trajectories-faulted`, `trajectories-unscored`, and `steps-unscored` (their return is unknown)
 * - `advantage-mean`, `advantage-mean-abs`, and `step-share`, the share of |advantage| from the step term;
 * these three average over steps, also for token-level credit
 */
export function creditStatistics(
  { verdicts, steps, faulted, unscored }: BatchScan,
  groups: Groups,
  stepWeight: number,
): Readonly<Record<string, number>> {
  const credited = groups.filter((_, group) => verdicts[group] === 'credited');
  return {
    'credit/groups': verdicts.length,
    'credit/groups-all-faulted': verdicts.filter((verdict) => verdict === 'all-faulted').length,
    'credit/groups-single-survivor': verdicts.filter((verdict) => verdict === 'single-survivor').length,
    'credit/groups-zero-advantage': credited.filter(hasNoAdvantage).length,
    'credit/groups-zero-episode': credited.filter((members) =>
      members.every(({ episode }) => isZero(episode)),
    ).length,
    'credit/steps': steps,
    'credit/trajectories-faulted': faulted,
    'credit/trajectories-unscored': unscored,
    ...sumColumns(groups, stepWeight),
  };
}

/**
 * Whether a group has no learning signal: every advantage is 0, of steps or, for token-level credit, of
 * tokens.
 */
export const hasNoAdvantage = (
  members: readonly Pick<TrajectoryCredit, 'advantage' | 'tokenAdvantage'>[],
): boolean =>
  members.every(({ advantage, tokenAdvantage }) =>
    tokenAdvantage === undefined ? isZero(advantage) : tokenAdvantage.every(isZero),
  );

function isZero(column: Float64Array): boolean {
  for (let row = 0; row < column.length; row += 1) if (column[row] !== 0) return false;
  return true;
}

function sumColumns(groups: Groups, stepWeight: number): Readonly<Record<string, number>> {
  let rows = 0;
  let unscored = 0;
  let sum = 0;
  let size = 0;
  let byEpisode = 0;
  let byStep = 0;
  for (const members of groups) {
    for (const { advantage, episode, step, stepReturn } of members) {
      rows += advantage.length;
      for (let row = 0; row < advantage.length; row += 1) {
        if (Number.isNaN(stepReturn[row])) unscored += 1;
        sum += advantage[row] as number;
        size += Math.abs(advantage[row] as number);
        byEpisode += Math.abs(episode[row] as number);
        byStep += Math.abs(stepWeight * (step[row] as number));
      }
    }
  }
  return {
    'credit/steps-unscored': unscored,
    'credit/advantage-mean': share(sum, rows),
    'credit/advantage-mean-abs': share(size, rows),
    'credit/step-share': share(byStep, byEpisode + byStep),
  };
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
