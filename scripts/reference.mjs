// Writes the pages of docs/reference from the definitions of commands, configs, environments and estimators, and the page of puzzles from
// their recorded audits (npm run audit). Needs a build.
import { readFile, writeFile } from 'node:fs/promises';
import { renderPuzzles } from './reference/puzzles.mjs';
import { renderReference } from './reference/render-reference.mjs';

/** @type {(file: string) => Promise<object>} */
const built = async (file) =>
  /** @type {object} */ (await import(new URL(`../dist/${file}`, import.meta.url).href));

const modules = await Promise.all(
  [
    'envs/catalog.js',
    'envs/core/config-keys.js',
    'trainers/credit/estimators/list.js',
    'cli/training/list-keys.js',
    'cli/commands.js',
  ].map(built),
);
const sources = /** @type {import('./reference/render-reference.mjs').Sources} */ (
  Object.assign({}, ...modules)
);
for (const [file, text] of Object.entries(renderReference(sources)))
  await writeFile(new URL(`../docs/reference/${file}`, import.meta.url), text);

const { puzzles } = /** @type {typeof import('../envs/puzzle/puzzles.ts')} */ (
  await built('envs/puzzle/puzzles.js')
);
const { puzzleAuditChecks } = /** @type {typeof import('../envs/puzzle/audit/findings.ts')} */ (
  await built('envs/puzzle/audit/findings.js')
);
const audits = /** @type {Record<string, import('./reference/puzzles.mjs').RecordedAudit>} */ (
  JSON.parse(await readFile(new URL('../bench/puzzles/audits.json', import.meta.url), 'utf8'))
);
await writeFile(
  new URL('../docs/environments/puzzles.md', import.meta.url),
  renderPuzzles(puzzles, audits, puzzleAuditChecks),
);
