// Writes docs/reference/environments.md from the definitions of the built-in environments. Needs a build.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const target = new URL('../docs/reference/environments.md', import.meta.url);

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

/**
 * @param {readonly import('../envs/core/env.ts').AnyEnvDefinition[]} definitions
 * @param {typeof import('../envs/core/config-keys.ts').describeConfigKeys} describeKeys
 */
export function renderReference(definitions, describeKeys) {
  const sections = definitions.map((definition) => {
    const { id, summary, config, deterministic, recipes, unchecked } = definition;
    const limit = definition.turnLimit?.(config.parse({}));
    const trained = Object.keys(recipes ?? {}).map((kind) => `a ${kind} policy`);
    const keys = describeKeys(config);
    return [
      `## ${id}`,
      '',
      `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
      '',
      `- Turn limit: ${limit === undefined ? 'none' : `${limit} steps by default`}.`,
      `- Steps ${deterministic ? 'draw no luck' : 'may draw luck'}.`,
      `- Recipes: ${trained.length === 0 ? 'none' : `for ${trained.join(' and ')}`}.`,
      ...Object.entries(unchecked ?? {}).map(([law, why]) => `- Law \`${law}\` cannot be checked: ${why}.`),
      '',
      '| config key | type | default | meaning |',
      '| --- | --- | --- | --- |',
      ...keys.map(
        (key) =>
          `| \`${key.name}\` | ${cell(key.type)} | ${key.default === undefined ? '' : `\`${cell(JSON.stringify(key.default))}\``} | ${cell(key.says)} |`,
      ),
      '',
    ].join('\n');
  });
  return [
    '# The built-in environments',
    '',
    'Written by `npm run docs` from the definitions. Do not edit it.',
    '',
    ...sections,
  ].join('\n');
}

/** @typedef {{ readonly builtInEnvs: readonly import('../envs/core/env.ts').AnyEnvDefinition[] }} Catalogue */
/** @typedef {{ readonly describeConfigKeys: typeof import('../envs/core/config-keys.ts').describeConfigKeys }} Keys */

/** @param {string} file @returns {Promise<unknown>} */
const built = (file) => import(new URL(`../dist/envs/${file}`, import.meta.url).href);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { builtInEnvs } = /** @type {Catalogue} */ (await built('catalog.js'));
  const { describeConfigKeys } = /** @type {Keys} */ (await built('core/config-keys.js'));
  await writeFile(target, renderReference(builtInEnvs, describeConfigKeys));
}
