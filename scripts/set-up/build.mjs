import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runChild } from './child.mjs';
import { root } from './root.mjs';
import { hasStamp, hashFiles, writeStamp } from './stamp.mjs';

const dist = path.join(root, 'dist');
const stampFile = path.join(dist, '.build-stamp');
const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const configFiles = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'].map((name) =>
  path.join(root, name),
);

/** The folders that the build takes in, as tsconfig.build.json names them. */
const sourceFolders = () =>
  /** @type {{ include: string[] }} */ (
    JSON.parse(readFileSync(path.join(root, 'tsconfig.build.json'), 'utf8'))
  ).include;

/** @returns {string[]} every file under the source folders, relative to the clone, in one order on every machine */
const sources = () =>
  sourceFolders()
    .flatMap((folder) => filesUnder(path.join(root, folder)))
    .map(fromRoot)
    .toSorted();

/** @param {string} file */
const fromRoot = (file) => path.relative(root, file);

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

const stampNow = () => hashFiles([...configFiles, ...sources().map((file) => path.join(root, file))], '');

/** True unless dependencies were installed without those for development. */
export const compilerIsThere = () => existsSync(compiler);

/** True when dist was built, without an error, from the sources as they are. */
export const buildIsCurrent = () => hasStamp(stampFile, stampNow());

/**
 * Compiles into dist, copies data files beside their modules, and takes out what no longer has a source. Nothing is deleted
 * that a running program may still load.
 * @param {(line: string) => void} say
 */
export async function build(say) {
  say('building');
  const stamp = stampNow(); // before the compiler reads: an edit in the meantime makes the stamp stale, not wrong
  rmSync(stampFile, { force: true });
  copyData();
  try {
    await runChild(process.execPath, [compiler, '-p', 'tsconfig.build.json']);
  } finally {
    removeOrphans();
  }
  chmodSync(path.join(dist, 'cli', 'main.js'), 0o755);
  writeStamp(stampFile, stamp);
}

/** @param {string} file */
const isData = (file) => !/\.(?:ts|md)$/.test(file);

function copyData() {
  for (const file of sources().filter(isData)) {
    mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
    copyFileSync(path.join(root, file), path.join(dist, file));
  }
}

function removeOrphans() {
  const known = new Set(sources());
  for (const file of filesUnder(dist)) {
    const inDist = path.relative(dist, file);
    if (!inDist.includes(path.sep)) continue; // the stamp and the compiler's notes
    const stem = inDist.replace(/\.(?:js|d\.ts|js\.map)$/, '');
    if (!known.has(`${stem}.ts`) && !known.has(inDist)) rmSync(file);
  }
}
