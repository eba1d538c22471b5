import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/json.ts';
import type { Puzzle } from '../define-puzzle.ts';

/** Questions of each level that a fingerprint contains. */
const sample = 5;

/** SHA-256 over the instruction and the first questions of each level. It shows that an audit belongs to the puzzle as it is. */
export function fingerprintPuzzle(puzzle: Puzzle): string {
  const hash = createHash('sha256').update(puzzle.instruction());
  for (let level = 1; level <= puzzle.levels; level += 1)
    for (let seed = 0; seed < sample; seed += 1) hash.update(canonicalJson({ ...puzzle.item(seed, level) }));
  return `sha256:${hash.digest('hex')}`;
}
