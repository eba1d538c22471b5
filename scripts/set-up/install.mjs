import { lstatSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runChild } from './child.mjs';
import { root } from './root.mjs';
import { hasStamp, hashFiles, writeStamp } from './stamp.mjs';

const lockfile = path.join(root, 'package-lock.json');
const folder = path.join(root, 'node_modules');
const stampFile = path.join(folder, '.cairn-set-up');

// Compiled parts belong to one platform and one Node interface.
const stampNow = () =>
  hashFiles([lockfile], `${process.platform} ${process.arch} ${process.versions.modules}`);

/** The environment variable that tells scripts of npm that a set-up runs it. */
export const underSetUp = 'CAIRN_SET_UP';

/** True when node_modules is what the lockfile says, on this platform. */
export const dependenciesAreCurrent = () => hasStamp(stampFile, stampNow());

/**
 * @typedef {object} Locked a package as a lockfile of npm lists it
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {readonly string[]} [os]
 * @property {readonly string[]} [cpu]
 * @property {readonly string[]} [libc]
 */

/** @param {string} file */
const packagesIn = (file) =>
  /** @type {{ readonly packages: Readonly<Record<string, Locked>> }} */ (
    JSON.parse(readFileSync(file, 'utf8'))
  ).packages;

/**
 * Whether this platform needs the package for certain. npm leaves out optional ones of other platforms, and what only those depend on.
 * @param {Locked} locked
 */
const isNeeded = ({ optional = false, os, cpu, libc }) =>
  optional
    ? os?.includes(process.platform) === true && cpu?.includes(process.arch) === true && libc === undefined
    : (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);

/**
 * Notes that node_modules is current where npm, started by a user, has just installed all that the lockfile lists. Otherwise the next set-up
 * would install again, and remove what was provisioned since.
 */
export function acceptInstalled() {
  if (dependenciesAreCurrent()) return;
  try {
    const installed = packagesIn(path.join(folder, '.package-lock.json'));
    const isWhole = Object.entries(packagesIn(lockfile)).every(
      ([place, locked]) =>
        place === '' ||
        !isNeeded(locked) ||
        (installed[place]?.version === locked.version && installed[place]?.integrity === locked.integrity),
    );
    if (isWhole) writeStamp(stampFile, stampNow());
  } catch {
    // no lockfile that can be read: the next set-up installs
  }
}

/**
 * `npm ci` with everything: tools also under NODE_ENV=production, and optional packages, one of which is the compiler itself.
 * @param {(line: string) => void} say
 */
export async function install(say) {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    // npm would empty the folder that it leads to, which is another clone's
    throw new Error(
      `${folder} is a link, and what it leads to does not fit this clone. Remove the link, then run the command again.`,
    );
  }
  say('installing dependencies (npm ci)');
  rmSync(stampFile, { force: true });
  const words = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  const env = { ...process.env, [underSetUp]: '1' };
  const npm = process.env['npm_execpath'];
  if (npm !== undefined && /npm-cli\.[cm]?js$/.test(npm))
    await runChild(process.execPath, [npm, ...words], env);
  else await runChild('npm', words, env);
  writeStamp(stampFile, stampNow());
}
