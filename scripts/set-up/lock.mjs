import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './root.mjs';

const lockFolder = path.join(root, '.setup-lock');
const pollMs = 200;
const limitMs = 15 * 60_000;

/**
 * Runs `work` while no other process of this clone does. The lock is a folder that appears whole, by rename, with one file in
 * it whose name says who holds it; a dead holder's file is renamed to ours, which only one of several waiters can do.
 * @template T
 * @param {(line: string) => void} say
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(say, work) {
  await acquire(say);
  try {
    return await work();
  } finally {
    release();
  }
}

function release() {
  unlinkSync(path.join(lockFolder, ownName));
  try {
    rmdirSync(lockFolder);
  } catch (thrown) {
    if (!isCode(thrown, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw thrown; // a waiter was quick: it is theirs already
  }
}

const ownName = `${process.pid}-${startOf(process.pid) ?? 'unknown'}`;

/** @param {(line: string) => void} say */
async function acquire(say) {
  const deadline = performance.now() + limitMs;
  let told = false;
  while (!takeFree() && !takeOver(say)) {
    if (performance.now() > deadline) {
      throw new Error(
        `another set-up has held ${lockFolder} for 15 minutes. If none is running, delete that folder and try again.`,
      );
    }
    if (!told) say('waiting for another set-up of this clone');
    told = true;
    await sleep(pollMs);
  }
}

/** True when the lock was free and is now ours. */
function takeFree() {
  const prepared = mkdtempSync(path.join(root, '.setup-lock-'));
  writeFileSync(path.join(prepared, ownName), '');
  try {
    renameSync(prepared, lockFolder); // fails on a folder that holds something; replaces an empty one
    return true;
  } catch (thrown) {
    rmSync(prepared, { recursive: true });
    if (isCode(thrown, 'ENOTEMPTY', 'EEXIST', 'EPERM')) return false;
    throw thrown;
  }
}

/**
 * True when the holder was dead and the lock is now ours.
 * @param {(line: string) => void} say
 */
function takeOver(say) {
  const holder = holderName();
  if (holder === undefined || isAlive(holder)) return false;
  try {
    renameSync(path.join(lockFolder, holder), path.join(lockFolder, ownName));
  } catch (thrown) {
    if (isCode(thrown, 'ENOENT')) return false; // another waiter was first
    throw thrown;
  }
  say(`took over the lock of process ${holder.split('-')[0]}, which is gone`);
  return true;
}

function holderName() {
  try {
    return readdirSync(lockFolder)[0];
  } catch (thrown) {
    if (isCode(thrown, 'ENOENT')) return undefined;
    throw thrown;
  }
}

/** @param {string} holder */
function isAlive(holder) {
  const [pid = '', start] = holder.split('-');
  try {
    process.kill(Number(pid), 0);
  } catch (thrown) {
    if (!isCode(thrown, 'EPERM')) return false;
  }
  const now = startOf(Number(pid));
  return now === undefined || start === 'unknown' || now === start; // a process number can be given out again
}

/**
 * When a process started, in clock ticks since boot, where the system tells (Linux).
 * @param {number} pid
 */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/**
 * @param {unknown} thrown
 * @param {readonly string[]} codes
 */
function isCode(thrown, ...codes) {
  return thrown instanceof Error && 'code' in thrown && codes.includes(String(thrown.code));
}
