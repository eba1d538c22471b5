import { keyTable, page, sentence } from './markdown.mjs';

/** @typedef {import('../../envs/core/env.ts').AnyEnvDefinition} AnyEnvDefinition */
/** @typedef {typeof import('../../envs/core/config-keys.ts').describeConfigKeys} DescribeConfigKeys */

/** @param {AnyEnvDefinition} definition @param {DescribeConfigKeys} describeKeys */
function sectionOf(definition, describeKeys) {
  const { id, summary, config, deterministic, recipes, unchecked } = definition;
  const limit = definition.turnLimit?.(config.parse({}));
  const trained = Object.keys(recipes ?? {}).map((kind) => `a ${kind} policy`);
  return [
    `## ${id}`,
    '',
    sentence(summary),
    '',
    `- Turn limit: ${limit === undefined ? 'none' : `${limit} steps by default`}.`,
    `- Randomness in steps: ${deterministic ? 'none' : 'possible'}.`,
    `- Recipes: ${trained.length === 0 ? 'none' : `for ${trained.join(' and ')}`}.`,
    ...Object.entries(unchecked ?? {}).map(([law, why]) => `- Law \`${law}\` is not checked: ${why}.`),
    '',
    ...keyTable(describeKeys(config)),
    '',
  ];
}

/** @param {readonly AnyEnvDefinition[]} definitions @param {DescribeConfigKeys} describeKeys */
export const renderEnvironments = (definitions, describeKeys) =>
  page('Built-in environments', [
    'Set a key with `--set KEY=VALUE`. `npx cairn-gym envs ID` lists the keys, panels and experts of one environment.',
    '',
    'An id without its version names the newest one: `household` is `household-v1`.',
    '',
    'The environments of [puzzles](../environments/puzzles.md), `puzzle-NAME-v1` and `puzzle-NAME-moves-v1`, are on a page of their own.',
    '',
    ...definitions
      .filter(({ id }) => !id.startsWith('puzzle-'))
      .flatMap((definition) => sectionOf(definition, describeKeys)),
  ]);
