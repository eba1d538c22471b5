import type { TextIndex } from '../../engines/text-search/text-index.ts';

/** The most results of the original's search. */
const mostFound = 50;

/** Numbers of the products whose indexed text matches the query best, best first. */
export function findProducts(index: TextIndex, query: string): readonly number[] {
  return index.search(query, mostFound).map(({ document }) => document);
}
