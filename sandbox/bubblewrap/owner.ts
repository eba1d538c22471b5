import { readFileSync } from 'node:fs';
import os from 'node:os';
import { freshUser, unusedUsers } from '../fresh-user.ts';
import { nobody } from './bare-words.ts';

/**
 * The user that programs run as outside their namespaces. Another user than root where this process is root,
 * else this user.
 */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Whether this user exists in the user namespace of this process. */
function isMapped(uid: number): boolean {
  if (process.platform !== 'linux') return false;
  const ranges = readFileSync('/proc/self/uid_map', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return ranges.some(([first = 0, , length = 0]) => uid >= first && uid < first + length);
}

/** Whether this process can become another user. Root of a user namespace with one user cannot. */
export const isRoot = (): boolean => process.geteuid?.() === 0 && isMapped(nobody);

const hasFreshUsers = (): boolean => isMapped(unusedUsers.first) && isMapped(unusedUsers.last);

/**
 * The user of one sandbox's programs: under root a user of its own, or nobody where this user namespace has
 * too few users.
 */
export function newOwner(): Owner {
  if (!isRoot()) return { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 };
  const id = hasFreshUsers() ? freshUser() : nobody;
  return { uid: id, gid: id };
}

/** Whether the kernel counts processes per user namespace, as it does since Linux 5.14. */
export function countsProcesses(): boolean {
  const [major = 0, minor = 0] = os
    .release()
    .split('.')
    .map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 14);
}
