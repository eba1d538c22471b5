import type { TextIndex } from '../../engines/text-search/text-index.ts';

/** As many products as the original's search finds. */
const mostFound = 50;

/** Numbers of the products whose indexed text fits the query best, the best first. */
export function findProducts(index: TextIndex, query: string): readonly number[] {
  return index.search(query, mostFound).map(({ document }) => document);
}
