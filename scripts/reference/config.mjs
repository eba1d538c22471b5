import { keyTable, page } from './markdown.mjs';

/** @typedef {import('../../cli/options/config-keys.ts').ShownKey} ShownKey */

/** The first part of a key's path. @param {ShownKey} key */
const topOf = ({ name }) => name.split('.')[0] ?? '';

/** One section for the plain keys of the top level, and one for each object of the config. @param {readonly ShownKey[]} keys */
function sectionsOf(keys) {
  const tops = [...new Set(keys.map(topOf))].map((top) => keys.filter((key) => topOf(key) === top));
  const run = { title: 'The run', keys: tops.filter(({ length }) => length === 1).flat() };
  const objects = tops.filter(({ length }) => length > 1);
  return [
    run,
    ...objects.map((below) => ({
      title: `\`${below[0] === undefined ? '' : topOf(below[0])}\``,
      keys: below,
    })),
  ];
}

/** @param {readonly ShownKey[]} keys */
export const renderConfig = (keys) =>
  page('Training config', [
    'The keys of a training config for `npx cairn-gym train`. Set a key with its flag, with `--with PATH=VALUE`, or in a JSON file',
    'that `--config` names. A flag overrides the file, and the file overrides the recipe of the environment. A key without a default',
    'is optional unless the table says `required`. `*` in a path stands for each entry of a list or map.',
    '',
    '```sh',
    'npx cairn-gym train household --with update.learningRate=0.001 --with credit.omega=0.5',
    'npx cairn-gym train household --keys   # these keys with the values of the recipe',
    '```',
    '',
    ...sectionsOf(keys).flatMap(({ title, keys: below }) => [`## ${title}`, '', ...keyTable(below), '']),
  ]);
