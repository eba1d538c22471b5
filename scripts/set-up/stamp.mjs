import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.mjs';

/**
 * SHA-256 over the contents of files and their names within this clone, so that a copy of it is as current.
 * @param {readonly string[]} files
 * @param {string} salt what else the result depends on
 */
export function hashFiles(files, salt) {
  const hash = createHash('sha256').update(salt);
  for (const file of files) hash.update(`\0${path.relative(root, file)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

/**
 * True when `file` holds `stamp`.
 * @param {string} file
 * @param {string} stamp
 */
export function hasStamp(file, stamp) {
  try {
    return readFileSync(file, 'utf8') === stamp;
  } catch {
    return false;
  }
}

/**
 * @param {string} file
 * @param {string} stamp
 */
export function writeStamp(file, stamp) {
  writeFileSync(file, stamp);
}
