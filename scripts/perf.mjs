// Runs the measurements of bench/, each in a process of its own, one after the other: `npm run perf`, or `npm run perf -- credit`.
// A measurement is a file of bench/ that no other file of bench/ imports. Studies take hours: they run only when a pattern says
// `studies`, as in `npm run perf -- studies/household-methods`.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './set-up/root.mjs';

const built = path.join(root, 'dist', 'bench');
const endurance = `soak${path.sep}`; // npm run soak
const study = `studies${path.sep}`;

/** @returns {string[]} */
function measurements() {
  if (!existsSync(built)) return [];
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.js') && !file.startsWith(endurance),
  );
  const imported = new Set(files.flatMap(importsOf));
  return files
    .filter((file) => !imported.has(file))
    .map((file) => file.slice(0, -'.js'.length))
    .toSorted();
}

/** @param {string} file */
function importsOf(file) {
  const source = readFileSync(path.join(built, file), 'utf8');
  return [...source.matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) =>
    path.join(path.dirname(file), target),
  );
}

/**
 * What a pattern stands for: measurements whose name holds it, and studies only where it says so.
 * @param {string} pattern
 * @param {readonly string[]} names
 */
const fitting = (pattern, names) =>
  names.filter((name) => name.includes(pattern) && (!name.startsWith(study) || pattern.includes('studies')));

const wanted = process.argv.slice(2);
const all = measurements();
const short = all.filter((name) => !name.startsWith(study));
const missed = wanted.filter((pattern) => fitting(pattern, all).length === 0);
const chosen =
  wanted.length === 0
    ? short
    : all.filter((name) => wanted.some((pattern) => fitting(pattern, [name]).length > 0));

if (missed.length > 0 || chosen.length === 0) {
  const studies = all.filter((name) => name.startsWith(study));
  const named =
    studies.length === 0 ? '' : ` Studies take hours and are named in full: ${studies.join(', ')}.`;
  process.stderr.write(
    `perf: nothing fits ${missed.join(', ') || '(there is nothing to measure)'}. There are ${short.join(', ')}.${named}\n`,
  );
  process.exit(2);
}
for (const name of chosen) {
  process.stderr.write(`perf: ${name}\n`);
  const { status } = spawnSync(process.execPath, ['--expose-gc', path.join(built, `${name}.js`)], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
