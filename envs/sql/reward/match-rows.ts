import type { Cell } from '../engine/result.ts';

/**
 * When two results are the same. `rows`: equal rows, equally often, in the gold query's order where it has one, whatever the columns are called and
 * in whatever order they stand, as Spider's test-suite evaluation has it. `set`: the rows as a set, columns in the gold query's order and
 * the order of rows passed over, as BIRD has it.
 */
export const matchings = ['rows', 'set'] as const;
export type Matching = (typeof matchings)[number];

type Rows = readonly (readonly Cell[])[];

/** More columns than this are only compared in the order given: to try all orders would take for ever. */
const mostPermuted = 8;

export function isSameResult(rows: Rows, gold: Rows, { matching, isOrdered }: { readonly matching: Matching; readonly isOrdered: boolean }): boolean {
  const [one, other] = [rows.map(keysOf), gold.map(keysOf)];
  if (matching === 'set') return isEqual([...new Set(one.map(joined))].toSorted(), [...new Set(other.map(joined))].toSorted());
  const width = other[0]?.length ?? 0;
  if (one.length !== other.length || (one[0]?.length ?? 0) !== width) return false;
  const order = (lines: readonly (readonly string[])[]): readonly string[] => (isOrdered ? lines.map(joined) : lines.map(joined).toSorted());
  const wanted = order(other);
  if (isEqual(order(one), wanted)) return true;
  if (width < 2 || width > mostPermuted) return false;
  const column = (lines: readonly (readonly string[])[], at: number): string => order(lines.map((line) => [line[at] ?? ''])).join('\n');
  const mine = Array.from({ length: width }, (_, at) => column(one, at));
  const candidates = Array.from({ length: width }, (_, at) => {
    const like = column(other, at);
    return mine.flatMap((text, index) => (text === like ? [index] : []));
  });
  for (const permutation of permutationsOf(candidates)) if (isEqual(order(one.map((line) => permutation.map((at) => line[at] ?? ''))), wanted)) return true;
  return false;
}

/** Equal for equal values: whole and decimal numbers are one kind, and the last digits of sums depend on their order. */
function keysOf(row: readonly Cell[]): readonly string[] {
  return row.map((cell) => (typeof cell === 'number' ? `#${Number(cell.toPrecision(10))}` : cell === null ? '-' : `"${cell.replaceAll('|', '||')}"`));
}

const joined = (keys: readonly string[]): string => keys.join(' | ');
const isEqual = (one: readonly string[], other: readonly string[]): boolean => one.length === other.length && one.every((text, at) => text === other[at]);

/** Each way to take one of the candidates of every place, none twice. */
function* permutationsOf(candidates: readonly (readonly number[])[], taken: readonly number[] = []): Generator<readonly number[]> {
  const next = candidates[taken.length];
  if (next === undefined) {
    yield taken;
    return;
  }
  for (const index of next) if (!taken.includes(index)) yield* permutationsOf(candidates, [...taken, index]);
}
