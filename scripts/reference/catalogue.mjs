import { cell, keyTable, page, sentence, table } from './markdown.mjs';

/** @typedef {import('../../envs/core/env.ts').AnyEnvDefinition} AnyEnvDefinition */
/** @typedef {import('../../lab/catalogue/record.ts').RecordedCatalogue} RecordedCatalogue */
/** @typedef {import('../../lab/catalogue/record.ts').CatalogueScore} CatalogueScore */

/**
 * What the pages of the catalogue are made from.
 *
 * @typedef {object} CatalogueSources
 * @property {readonly AnyEnvDefinition[]} builtInEnvs
 * @property {typeof import('../../envs/core/config-keys.ts').describeConfigKeys} describeConfigKeys
 * @property {typeof import('../../lab/catalogue/entry.ts').entryOf} entryOf
 * @property {RecordedCatalogue} recorded
 */

/** A larger family has the keys of each env in one table, without a section for each. */
const mostSections = 30;

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(share === 0 || share === 1 ? 0 : 1)}`;

/** @param {CatalogueScore | undefined} score */
const scoreCell = (score) =>
  score === undefined
    ? '–'
    : `${percent(score.success)} [${percent(score.low)}, ${percent(score.high)}], ${score.score.toFixed(2)}`;

/** @param {AnyEnvDefinition} definition @param {CatalogueSources} sources @param {boolean} hasSections */
function rowOf(definition, { entryOf, recorded }, hasSections) {
  const { id } = definition;
  const { family, tags } = entryOf(definition);
  const link = `[\`${id}\`](${family}.md${hasSections ? `#${id}` : ''})`;
  const result = recorded.envs[id]?.result;
  const tagged = cell(tags.join(', '));
  if (result === undefined || result.kind === 'unmeasured')
    return [link, tagged, '–', '–', '–', `not measured: ${result?.why ?? 'run npm run catalogue'}`, '–', '–'];
  const keys = [...(result.keys.state ? ['state'] : []), ...(result.keys.anchor ? ['anchor'] : [])];
  return [
    link,
    tagged,
    keys.join(', ') || 'none',
    result.snapshots ? 'yes' : 'no',
    result.experts.join(', ') || 'none',
    scoreCell(result.random),
    scoreCell(result.expert),
    result.stepsPerSecond === undefined ? '–' : result.stepsPerSecond.toLocaleString('en'),
  ];
}

/** @param {CatalogueSources} sources @returns {ReadonlyMap<string, readonly AnyEnvDefinition[]>} */
function familiesOf({ builtInEnvs, entryOf }) {
  /** @type {Map<string, AnyEnvDefinition[]>} */
  const families = new Map();
  for (const definition of builtInEnvs) {
    const { family } = entryOf(definition);
    families.set(family, [...(families.get(family) ?? []), definition]);
  }
  return families;
}

const head = ['environment', 'tags', 'keys', 'snapshots', 'experts', 'random', 'expert', 'steps/s'];

/** @param {readonly AnyEnvDefinition[]} definitions @param {CatalogueSources} sources */
function factsOf(definitions, { entryOf }) {
  const entries = definitions.map((definition) => entryOf(definition));
  const licences = [...new Set(entries.map(({ licence }) => licence ?? 'not stated'))];
  const needs = [...new Set(entries.flatMap((entry) => entry.needs))];
  return `Licence of the data: ${licences.join('; ')}. Needs: ${needs.join(', ') || 'nothing'}.`;
}

/** @param {AnyEnvDefinition} definition @param {CatalogueSources} sources */
function sectionOf(definition, { describeConfigKeys, entryOf }) {
  const { id, summary, config, deterministic, recipes, unchecked } = definition;
  const { tags, licence, needs } = entryOf(definition);
  const limit = definition.turnLimit?.(config.parse({}));
  const trained = Object.keys(recipes ?? {}).map((kind) => `a ${kind} policy`);
  return [
    `## ${id}`,
    '',
    sentence(summary),
    '',
    `- Tags: ${tags.join(', ') || 'none'}. Licence of the data: ${licence ?? 'not stated'}. Needs: ${needs.join(', ') || 'nothing'}.`,
    `- Turn limit: ${limit === undefined ? 'none' : `${limit} steps by default`}.`,
    `- Randomness in steps: ${deterministic ? 'none' : 'possible'}.`,
    `- Recipes: ${trained.length === 0 ? 'none' : `for ${trained.join(' and ')}`}.`,
    ...Object.entries(unchecked ?? {}).map(([law, why]) => `- Law \`${law}\` is not checked: ${why}.`),
    '',
    ...keyTable(describeConfigKeys(config)),
    '',
  ];
}

/** Each env of a large family on a row, with its keys. @param {readonly AnyEnvDefinition[]} definitions @param {CatalogueSources} sources */
const rowsOfFamily = (definitions, { describeConfigKeys }) =>
  definitions.flatMap(({ id, summary, config }) => [
    `\`${id}\``,
    cell(summary),
    describeConfigKeys(config)
      .map(({ name, type, default: preset }) =>
        cell(`\`${name}\`: ${type}, default ${JSON.stringify(preset)}`),
      )
      .join('; '),
  ]);

/** @param {string} family @param {readonly AnyEnvDefinition[]} definitions @param {CatalogueSources} sources */
function familyPage(family, definitions, sources) {
  const cells = rowsOfFamily(definitions, sources);
  const rows = definitions.map((_, at) => cells.slice(3 * at, 3 * at + 3));
  return page(`Environments of the family ${family}`, [
    '```sh',
    `npx cairn-gym envs --family ${family}`,
    '```',
    '',
    factsOf(definitions, sources),
    '',
    'Set a key with `--set KEY=VALUE`. [The catalogue](index.md) has the scores of random play and of the experts.',
    '',
    ...(definitions.length > mostSections
      ? table(['environment', 'what it is', 'keys'], rows)
      : definitions.flatMap((definition) => sectionOf(definition, sources))),
  ]);
}

/** The pages of `docs/envs` by the names of their files. @param {CatalogueSources} sources @returns {Readonly<Record<string, string>>} */
export function renderCatalogue(sources) {
  const { recorded } = sources;
  const families = familiesOf(sources);
  const { node, processor, cores, loadBefore } = recorded.machine;
  const dates = [...new Set(Object.values(recorded.envs).map(({ date }) => date))].toSorted();
  const index = page('Catalogue of environments', [
    '```sh',
    'npx cairn-gym envs',
    'npx cairn-gym envs --family puzzle --tag grid --needs none --json',
    'npx cairn-gym envs household',
    '```',
    '',
    `There are ${sources.builtInEnvs.length} environments in ${families.size} families. An id without its version names the newest one: \`household\` is`,
    '`household-v1`. [Mixtures](../guides/mixtures.md) combine several in one training.',
    '',
    '| column | meaning |',
    '| --- | --- |',
    '| keys | [state and anchor keys](../concepts/state-and-anchor-keys.md) that every turn has |',
    '| snapshots | whether an episode can be saved and restored |',
    '| experts | the players that the environment comes with. A searcher sees what agents see, a planner sees everything |',
    '| random | random choices among the listed actions: success in %, its 95 % interval, and the mean score, on the first tasks of `dev` |',
    '| expert | the same of the searcher, or of the planner where there is no searcher |',
    '| steps/s | steps of random play in a second of processor time, on one core |',
    '',
    `Measured on ${dates.join(' and ')} with \`${recorded.command}\`: at most 50 episodes and about a second for each player. Node ${node}, ${processor}, ${cores} cores`,
    `that other work used too (load ${loadBefore}). Compare speeds only within this table.`,
    '',
    ...[...families].flatMap(([family, definitions]) => [
      `## ${family}`,
      '',
      factsOf(definitions, sources),
      '',
      ...table(
        head,
        definitions.map((definition) => rowOf(definition, sources, definitions.length <= mostSections)),
      ),
      '',
    ]),
  ]);
  return {
    'index.md': index,
    ...Object.fromEntries(
      [...families].map(([family, definitions]) => [
        `${family}.md`,
        familyPage(family, definitions, sources),
      ]),
    ),
  };
}
