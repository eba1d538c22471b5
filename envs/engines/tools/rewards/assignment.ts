/**
 * The greatest sum of one entry per row and column of a matrix, by the Hungarian method in O(n³).
 *
 * @param worth (rows, columns), of entries of at least 0; rows and columns that are left over count 0
 */
export function bestAssignment(worth: readonly (readonly number[])[]): number {
  const size = Math.max(worth.length, ...worth.map((row) => row.length), 0);
  const cost = (row: number, column: number): number => -(worth[row - 1]?.[column - 1] ?? 0);
  const rowPotential = new Float64Array(size + 1);
  const columnPotential = new Float64Array(size + 1);
  const rowOf = new Int32Array(size + 1); // by column, from 1; 0: none
  for (let row = 1; row <= size; row += 1) {
    const best = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY);
    const previous = new Int32Array(size + 1);
    const used = new Uint8Array(size + 1);
    rowOf[0] = row;
    let column = 0;
    do {
      used[column] = 1;
      const current = rowOf[column] as number;
      let delta = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let other = 1; other <= size; other += 1) {
        if (used[other] === 1) continue;
        const reduced =
          cost(current, other) - (rowPotential[current] as number) - (columnPotential[other] as number);
        if (reduced < (best[other] as number)) {
          best[other] = reduced;
          previous[other] = column;
        }
        if ((best[other] as number) < delta) {
          delta = best[other] as number;
          next = other;
        }
      }
      for (let other = 0; other <= size; other += 1) {
        if (used[other] === 1) {
          rowPotential[rowOf[other] as number] = (rowPotential[rowOf[other] as number] as number) + delta;
          columnPotential[other] = (columnPotential[other] as number) - delta;
        } else best[other] = (best[other] as number) - delta;
      }
      column = next;
    } while (rowOf[column] !== 0);
    while (column !== 0) {
      const before = previous[column] as number;
      rowOf[column] = rowOf[before] as number;
      column = before;
    }
  }
  let sum = 0;
  for (let column = 1; column <= size; column += 1) sum -= cost(rowOf[column] as number, column);
  return sum;
}
