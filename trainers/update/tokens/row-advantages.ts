import type { TokenRow } from '../../../agents/render/rows.ts';
import type { TrajectoryCredit } from '../../credit/estimator.ts';

/**
 * The advantage of every token of a trajectory's rows, one array a row; NaN where the policy did not sample the token. Each token has the
 * advantage of its step or, in token-level credit, its own.
 */
export function rowAdvantages(
  rows: readonly Pick<TokenRow, 'steps'>[],
  { advantage, tokenAdvantage }: Pick<TrajectoryCredit, 'advantage' | 'tokenAdvantage'>,
): readonly Float64Array[] {
  const seen = new Map<number, number>(); // tokens of each step so far: a reply whose context was reset is in several rows
  return rows.map(({ steps }) =>
    Float64Array.from(steps, (step) => {
      if (step < 0) return Number.NaN;
      if (tokenAdvantage === undefined) return advantage[step] ?? Number.NaN;
      const place = seen.get(step) ?? 0;
      seen.set(step, place + 1);
      return tokenAdvantage[step]?.[place] ?? Number.NaN;
    }),
  );
}
