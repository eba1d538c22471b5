// Writes the pages of docs/reference from the definitions of commands, configs, environments and estimators. Needs a build.
import { writeFile } from 'node:fs/promises';
import { renderReference } from './reference/render-reference.mjs';

/** @param {string} file @returns {Promise<unknown>} */
const built = (file) => import(new URL(`../dist/${file}`, import.meta.url).href);

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
