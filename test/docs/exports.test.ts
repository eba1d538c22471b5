import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readMarkdown } from '../support/markdown.ts';
import { root } from '../support/run-program.ts';
import { documents } from '../support/snippets.ts';
import { publishedFolders, readSources } from '../support/source-tree.ts';

/** Names of the sources that documents may show although no entry exports them, each with its reason. */
const internal: Readonly<Record<string, string>> = {
  canContain: 'a relation of ALFWorld’s own domain',
  createOpenAICompatible: 'a function of the AI SDK',
  describeTask: 'a member of an environment’s host',
  initialState: 'a member of an estimator',
  isLost: 'a member of the moves of a puzzle',
  WorldGraph: 'a type that the table of source files names',
  policyVersion: 'a member of a step',
  tokenAdvantage: 'a member of what an estimator returns',
  worldVersion: 'the number in a source file that the page names',
};

const { files } = z
  .object({ files: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')));

/**
 * The documents that the package ships for users: the guides, the log of changes and the README of each public folder. Pages of `bench`
 * are left out: they record measurements, and name the sources that they measured.
 */
const shipped = [
  ...documents,
  'CHANGELOG.md',
  ...['envs', 'sandbox']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        path.posix.join(folder, file.split(path.sep).join('/')),
      ),
    )
    .filter((file) => file.endsWith('README.md') && !files.includes(`!${file}`))
    .toSorted(),
];

/** The names that a text exports: those that it declares, and those that it passes on. */
function namesExportedBy(text: string): readonly string[] {
  const declared = [
    ...text.matchAll(
      /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|class|type|interface) ([\w$]+)/gm,
    ),
  ].map(([, name = '']) => name);
  const passedOn = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) =>
      name
        .replace(/^\s*type\s/, '')
        .replace(/^.*\sas\s/, '')
        .trim(),
    ),
  );
  return [...declared, ...passedOn].filter((name) => name !== '');
}

const sources = readSources(publishedFolders);
const entries = ['gym', 'envs', 'agents', 'trainers', 'lab', 'sandbox'].map((folder) => `${folder}/index.ts`);
const importable = new Set(
  sources.filter((file) => entries.includes(file.path)).flatMap(({ text }) => namesExportedBy(text)),
);
const written = new Set(sources.flatMap(({ text }) => namesExportedBy(text)));

/** The first words of our functions, such as `create` and `open`. */
const verbs = new Set([...importable].flatMap((name) => /^[a-z]+(?=[A-Z])/.exec(name) ?? []));

/** Names of two words or more, such as `openEnv`: single words are values and members too often. */
const namesIn = (code: string): readonly string[] =>
  [...code.matchAll(/(?<![.\w$/#@:-])[A-Za-z_$][\w$]*[a-z][A-Z][\w$]*/g)].map(([name]) => name);

const environmentPages = readdirSync(path.join(root, 'docs', 'envs')).map((name) => path.join('envs', name));

/** Keys of configs, which the generated pages list in the first cells of their tables. */
const keys = new Set(
  ['reference/config.md', 'reference/estimators.md', ...environmentPages].flatMap((page) =>
    [...readFileSync(path.join(root, 'docs', page), 'utf8').matchAll(/^\| `([^`]+)`/gm)].flatMap(
      ([, key = '']) => key.split('.'),
    ),
  ),
);

const looksLikeOurs = (name: string): boolean =>
  written.has(name) || /^[a-z]\w*Schema$/.test(name) || verbs.has(/^[a-z]+(?=[A-Z])/.exec(name)?.[0] ?? '');

function foreignNames(markdown: string): readonly string[] {
  const spans = [...readMarkdown(markdown).prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  const names = spans.flatMap(namesIn).filter((name) => looksLikeOurs(name));
  return [...new Set(names)].filter(
    (name) => !importable.has(name) && !keys.has(name) && !Object.hasOwn(internal, name),
  );
}

describe('names in code font', () => {
  it.each(shipped)('of %s can be imported from the package', (document) => {
    expect(foreignNames(readFileSync(path.join(root, document), 'utf8'))).toEqual([]);
  });

  it.each([
    ['a function of the sources', 'Use `createShopSite`.', ['createShopSite']],
    ['a function that does not exist', 'Call `openEverything({ fast: true })` first.', ['openEverything']],
    ['a schema that does not exist', 'The schema is `questActionSchema`.', ['questActionSchema']],
    ['an exported function', 'Call `openEnv(shopEnv)`; the schema is `trainConfigSchema`.', []],
    ['config keys, members and files', 'Set `update.learningRate`, `groupSize` and `host.openAll`.', []],
  ])('differ from other code: %s', (_name, text, expected) => {
    expect(foreignNames(text)).toEqual(expected);
  });

  it('need an exemption only where a document uses it', () => {
    const everything = shipped.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
    expect(Object.keys(internal).filter((name) => !everything.includes(`\`${name}`))).toEqual([]);
  });
});
