// Writes the pages of docs/reference from the definitions of commands, configs and estimators, those of docs/envs from the environments and
// what was measured of them (npm run catalogue), and the page of puzzles from their recorded audits (npm run audit). Needs a build.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { renderCatalogue } from './reference/catalogue.mjs';
import { renderPuzzles } from './reference/puzzles.mjs';
import { renderReference } from './reference/render-reference.mjs';

/** @type {(file: string) => Promise<object>} */
const built = async (file) =>
  /** @type {object} */ (await import(new URL(`../dist/${file}`, import.meta.url).href));

const modules = await Promise.all(
  ['envs/core/config-keys.js', 'trainers/credit/estimators/list.js', 'cli/training/list-keys.js'].map(built),
);
const { loadAllCommands } = /** @type {typeof import('../cli/commands.ts')} */ (
  await built('cli/commands.js')
);
const sources = /** @type {import('./reference/render-reference.mjs').Sources} */ ({
  ...Object.assign({}, ...modules),
  commands: await loadAllCommands(),
});
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

const { builtInEnvs } = /** @type {typeof import('../envs/catalog.ts')} */ (await built('envs/catalog.js'));
const { entryOf } = /** @type {typeof import('../lab/catalogue/entry.ts')} */ (
  await built('lab/catalogue/entry.js')
);
const { parseCatalogue } = /** @type {typeof import('../lab/catalogue/record.ts')} */ (
  await built('lab/catalogue/record.js')
);
const catalogue = new URL('../bench/catalogue/catalogue.json', import.meta.url);
const recorded = parseCatalogue(
  JSON.parse(await readFile(catalogue, 'utf8')),
  'bench/catalogue/catalogue.json',
);
const { describeConfigKeys } = sources;
const pages = renderCatalogue({ builtInEnvs, describeConfigKeys, entryOf, recorded });
await mkdir(new URL('../docs/envs/', import.meta.url), { recursive: true });
for (const [file, text] of Object.entries(pages))
  await writeFile(new URL(`../docs/envs/${file}`, import.meta.url), text);
