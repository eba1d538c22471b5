import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fingerprintPuzzle } from '../../../envs/puzzle/audit/fingerprint.ts';
import { puzzles } from '../../../envs/puzzle/puzzles.ts';
import type { RecordedAudit } from '../../../scripts/reference/puzzles.mjs';
import { root } from '../../support/run-program.ts';

const recorded = JSON.parse(
  readFileSync(path.join(root, 'bench', 'puzzles', 'audits.json'), 'utf8'),
) as Readonly<Record<string, RecordedAudit>>;

test('the recorded audits are those of the puzzles as they are (npm run audit)', () => {
  expect(Object.keys(recorded)).toEqual(puzzles.map(({ name }) => name));
  const stale = puzzles.filter((puzzle) => recorded[puzzle.name]?.fingerprint !== fingerprintPuzzle(puzzle));
  expect(stale.map(({ name }) => name)).toEqual([]);
});

test('the recorded audits compared 10,000 seeds of each level', () => {
  const small = Object.entries(recorded).filter(([, { plan }]) => plan.distinct < 10_000);
  expect(small).toEqual([]);
});
