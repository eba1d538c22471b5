/** In a word of at most so many letters, two errors count only where the first letter is right. */
const shortWord = 4;

/** The candidates that a person who typed `text` may have meant, nearest first, at most three. */
export function nearest(text: string, candidates: readonly string[]): readonly string[] {
  const worst = Math.max(2, Math.floor(text.length / 3));
  const typed = text.toLowerCase();
  return candidates
    .map((candidate) => ({ candidate, distance: editDistance(typed, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => {
      const word = candidate.toLowerCase();
      // two errors are half of a short word, such as `pwsh`, which is not meant as `bash`
      const isFar = distance > 1 && text.length <= shortWord && word[0] !== typed[0];
      return (distance <= worst && !isFar) || word.startsWith(typed);
    })
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** `Did you mean a or b? `, followed by a space for the next sentence. Empty where there is no candidate. */
export const didYouMean = (near: readonly string[]): string =>
  near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `;

/** Counts insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  const cost = new Uint32Array((a.length + 1) * width); // (a + 1, b + 1)
  const at = (row: number, column: number): number => cost[row * width + column] as number;
  for (let row = 0; row <= a.length; row += 1) {
    for (let column = 0; column <= b.length; column += 1) {
      cost[row * width + column] = cheapest(row, column);
    }
  }
  return at(a.length, b.length);

  function cheapest(row: number, column: number): number {
    if (row === 0 || column === 0) return row + column;
    const same = a[row - 1] === b[column - 1] ? 0 : 1;
    const best = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + same);
    const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
    return swapped ? Math.min(best, at(row - 2, column - 2) + 1) : best;
  }
}
