import type { SettledTrainConfig } from '../../trainers/config/settle-config.ts';

/** Ratios of whole rows, the geometric mean of those of their tokens, hardly leave this distance from 1. */
const widest = 0.01;

/** That clips as they are for tokens hold nothing back where the ratio of whole rows is clipped; undefined where they do. */
export function warnOfClips({
  policy,
  update: { clipLow, clipHigh },
}: Pick<SettledTrainConfig, 'policy' | 'update'>): string | undefined {
  if (policy.kind !== 'token' || policy.loss.ratio !== 'sequence' || Math.max(clipLow, clipHigh) <= widest)
    return undefined;
  return (
    `policy.loss.ratio=sequence clips the ratio of whole rows, which stays near 1: update.clipLow ${clipLow} and update.clipHigh ${clipHigh} are for tokens and hold next to nothing back. ` +
    'GSPO takes --with update.clipLow=3e-4 --with update.clipHigh=4e-4 --with policy.loss.aggregation.unit=sequence'
  );
}
