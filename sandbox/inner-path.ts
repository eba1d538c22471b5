import path from 'node:path';
import { UsageError } from '../envs/core/errors.ts';

/**
 * Linux limits, in bytes: one name (NAME_MAX), and a path below the work folder (PATH_MAX less some room for
 * the folder).
 */
const mostBytes = { name: 255, path: 4_000 } as const;

/**
 * Normalizes a path within a sandbox's work folder, such as `src/main.py`.
 *
 * @throws UsageError for a path that leaves the folder or is too long
 */
export function innerPath(given: string): string {
  const plain = path.posix.normalize(given);
  if (
    Buffer.byteLength(plain) > mostBytes.path ||
    plain.split('/').some((name) => Buffer.byteLength(name) > mostBytes.name)
  ) {
    throw new UsageError({
      where: `sandbox path ${JSON.stringify(`${given.slice(0, 60)}...`)}`,
      what: `it is longer than ${mostBytes.path} bytes, or one of its names is longer than ${mostBytes.name} bytes.`,
      fix: 'Use a shorter path.',
    });
  }
  const leaves = path.posix.isAbsolute(plain) || plain === '..' || plain.startsWith('../');
  if (given !== '' && !leaves && plain !== '.' && !plain.endsWith('/') && !/[\0\\]/.test(given)) return plain;
  throw new UsageError({
    where: `sandbox path ${JSON.stringify(given)}`,
    what: 'it must name a file within the work folder.',
    fix: 'Use a relative path with forward slashes and without "..", such as src/main.py.',
  });
}
