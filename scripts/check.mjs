// Every gate, one after the other, with a table at the end: `npm run check`, or `npm run check -- lint` for one.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root } from './set-up/root.mjs';

/** @type {(name: string, ...words: string[]) => string[]} a tool of node_modules and its words */
const tool = (name, ...words) => [path.join(root, 'node_modules', name), ...words];

/** @type {(config: string) => string[]} the type check of a config, which looks only at what changed since the last one */
const types = (config) => {
  const words = ['--incremental', '--tsBuildInfoFile', `node_modules/.cache/${config}.tsbuildinfo`];
  return tool('typescript/bin/tsc', '-p', `${config}.json`, ...words);
};

/** @type {Readonly<Record<string, string[]>>} */
const gates = {
  format: tool('oxfmt/bin/oxfmt', '--check'),
  types: types('tsconfig'),
  pages: types('tsconfig.pages'), // scripts that run in pages, which have a document and no Node
  lint: tool('oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
  unused: tool('knip/bin/knip.js', '--no-progress'),
  notice: [path.join(root, 'scripts', 'notice.mjs'), '--check'],
  words: [path.join(root, 'scripts', 'words.mjs')], // documents, test titles and comments
  project: tool('vitest/vitest.mjs', 'run', '--mode', 'quick', 'test/project'), // import graph, house rules, pins
  package: tool('vitest/vitest.mjs', 'run', 'test/project/package', 'test/project/set-up'), // publint, @arethetypeswrong/cli, a user's project; clones
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in gates));
if (unknown !== undefined) {
  process.stderr.write(`check: there is no gate ${unknown}. There are ${Object.keys(gates).join(', ')}.\n`);
  process.exit(2);
}

const rows = Object.entries(gates)
  .filter(([name]) => wanted.length === 0 || wanted.includes(name))
  .map(([name, words]) => {
    process.stderr.write(`check: ${name}\n`);
    const start = performance.now();
    const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' });
    return { name, passed: status === 0, seconds: ((performance.now() - start) / 1000).toFixed(1) };
  });

for (const { name, passed, seconds } of rows)
  process.stderr.write(`check: ${passed ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
if (rows.some(({ passed }) => !passed)) process.exitCode = 1;
