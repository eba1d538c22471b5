import type { Hit } from '../../text-search/top-documents.ts';

/** The constant of the paper. */
const rankConstant = 60;

/**
 * Joins rankings by reciprocal rank (Cormack, Clarke and Buettcher 2009, SIGIR). The score of a document is the sum of
 * 1 / (60 + rank) over the rankings that have it. Ranks begin with 1. Equal scores come by the lower number.
 */
export function fuseRankings(rankings: readonly (readonly Hit[])[], limit: number): readonly Hit[] {
  const scores = new Map<number, number>();
  for (const ranking of rankings)
    for (const [index, { document }] of ranking.entries())
      scores.set(document, (scores.get(document) ?? 0) + 1 / (rankConstant + index + 1));
  return [...scores]
    .map(([document, score]) => ({ document, score }))
    .toSorted((a, b) => b.score - a.score || a.document - b.document)
    .slice(0, limit);
}
