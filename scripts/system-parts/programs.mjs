import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Where downloaded parts are kept. */
export const cache = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache'), 'cairn');
export const downloadMs = 1_800_000;

/** @typedef {(line: string) => void} Say */

/**
 * @param {string} program
 * @param {readonly string[]} words
 * @param {{ timeout?: number, cwd?: string }} [options]
 */
export function run(program, words, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, [...words], {
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 1 << 26,
    ...options,
  });
  const printed = (stdout ?? '').trim();
  return { ok: status === 0, printed, out: `${printed}\n${stderr ?? ''}${error?.message ?? ''}`.trim() };
}

/**
 * The wheel of a Python package, which pip downloads into the folder. Undefined where that fails, after saying why.
 * @param {Say} say
 * @param {{ requirement: string, folder: string, words?: readonly string[] }} of
 */
export function downloadWheel(say, { requirement, folder, words = [] }) {
  const flags = ['--no-deps', '--disable-pip-version-check', '--quiet', '--only-binary=:all:'];
  const all = ['-m', 'pip', 'download', ...flags, '--dest', folder, ...words, requirement];
  const pip = run('python3', all, { timeout: downloadMs });
  const file = readdirSync(folder).find((name) => name.endsWith('.whl'));
  if (pip.ok && file !== undefined) return path.join(folder, file);
  say(`pip could not download ${requirement}: ${pip.out.slice(-500)}`);
  return undefined;
}
