// Audits puzzles with 10,000 seeds of each level, and records the results in bench/puzzles/audits.json, from which `npm run docs` writes
// docs/environments/puzzles.md. `npm run audit -- sudoku maze` audits only these. Needs a build.
import { readFile, writeFile } from 'node:fs/promises';

/** @type {(file: string) => Promise<object>} */
const built = async (file) =>
  /** @type {object} */ (await import(new URL(`../dist/envs/puzzle/${file}`, import.meta.url).href));
const { findPuzzle, puzzles } = /** @type {typeof import('../envs/puzzle/puzzles.ts')} */ (
  await built('puzzles.js')
);
const { fingerprintPuzzle } = /** @type {typeof import('../envs/puzzle/audit/fingerprint.ts')} */ (
  await built('audit/fingerprint.js')
);

const file = new URL('../bench/puzzles/audits.json', import.meta.url);
const plan = { seeds: 200, distinct: 10_000, guesses: 10_000, tasks: 1_000, plays: 50 };

const recorded = /** @type {Record<string, import('./reference/puzzles.mjs').RecordedAudit>} */ (
  JSON.parse(await readFile(file, 'utf8').catch(() => '{}'))
);
const names = process.argv.slice(2);
for (const puzzle of names.length === 0 ? puzzles : names.map((name) => findPuzzle(name))) {
  const start = performance.now();
  const { findings, rejected, accepted, levels } = puzzle.audit(plan);
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  process.stderr.write(`audit: ${puzzle.name}, ${seconds} s, ${findings.length} findings\n`);
  for (const { check, where, what } of findings) process.stderr.write(`  ${check}, ${where}: ${what}\n`);
  if (findings.length > 0) {
    process.exitCode = 1;
    continue;
  }
  recorded[puzzle.name] = {
    fingerprint: fingerprintPuzzle(puzzle),
    plan,
    rejected: Object.fromEntries(rejected),
    accepted: Object.fromEntries(accepted),
    levels,
  };
}
const known = Object.fromEntries(
  puzzles.flatMap(({ name }) => (recorded[name] === undefined ? [] : [[name, recorded[name]]])),
);
await writeFile(file, `${JSON.stringify(known, undefined, 2)}\n`);
