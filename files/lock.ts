import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, UsageError } from '../envs/core/errors.ts';
import { sleep } from '../envs/core/waiting.ts';
import { nameWriteError } from './free-space.ts';
import { linkNew } from './link-new.ts';
import { livenessOf, ownIdentity, processIdentitySchema, type ProcessIdentity } from './process-identity.ts';

/*
 * One writer for each folder. The file `lock` names the holder. It is linked from a complete file, so it
 * appears atomically.
 *
 * The lock of a dead process is taken over in two steps: a process first shows a claim and then looks for
 * other claims. Of two concurrent processes at least one sees the other and steps back. Only a process that
 * saw no other claim replaces the lock, by a rename.
 */

const lockName = 'lock';
const claimPrefix = '.lock-claim-';
const draftPrefix = '.lock-draft-';
const attempts = 40;
const pauseMs = 25;

/** Whether a file of a locked folder belongs to its lock. */
export function isLockFile(name: string): boolean {
  return name === lockName || name.startsWith(claimPrefix) || name.startsWith(draftPrefix);
}

/** The right to write in a folder, until it is released. */
export interface FolderLock extends AsyncDisposable {
  /** Unlocks the folder. A second call does nothing. */
  release(): Promise<void>;
}

let acquisitions = 0;

/**
 * Locks a folder for this process. The lock of a dead process is taken over. It waits at most two seconds,
 * and only while others take over the same dead lock.
 * @throws UsageError that names the process and the folder while another live process holds it
 * @throws RunError if the disk refuses the lock; nothing remains there
 */
export async function acquireLock(folder: string): Promise<FolderLock> {
  const identity = ownIdentity();
  acquisitions += 1;
  const number = acquisitions;
  const name = `${identity.pid}-${number}`;
  const draft = join(folder, `${draftPrefix}${name}`);
  try {
    await writeFile(draft, JSON.stringify(identity), { flush: true });
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (await linkNew(draft, join(folder, lockName))) return await hold(folder, identity);
      assertNotHeld(folder, await readIdentity(join(folder, lockName)));
      if (await takeOver(folder, draft, join(folder, `${claimPrefix}${name}`)))
        return await hold(folder, identity);
      // at a different time than other processes
      await sleep(pauseMs + ((identity.pid + 7 * number + 3 * attempt) % pauseMs));
    }
  } catch (error) {
    throw nameWriteError(error, folder);
  } finally {
    await rm(draft, { force: true });
  }
  throw new UsageError({
    where: folder,
    what: 'other processes are opening it at the moment, or its lock is unreadable.',
    fix: `Try again; if nothing else uses the folder, delete ${join(folder, lockName)} and ${claimPrefix}* in it.`,
  });
}

function assertNotHeld(folder: string, holder: LockReading): void {
  if (typeof holder === 'string' || livenessOf(holder) === 'dead') return;
  const elsewhere = livenessOf(holder) === 'unknown';
  throw new UsageError({
    where: folder,
    what: `process ${holder.pid}${elsewhere ? ` on ${holder.host}` : ''} is writing there.`,
    fix: elsewhere
      ? `Wait for it, or, when it is no longer running, delete ${join(folder, lockName)}.`
      : 'Wait for it, stop it, or choose another folder.',
  });
}

/** True if the dead holder's lock now belongs to this process. */
async function takeOver(folder: string, draft: string, claim: string): Promise<boolean> {
  await linkNew(draft, claim);
  try {
    if (await someoneElseClaims(folder, claim)) return false;
    const holder = await readIdentity(join(folder, lockName));
    // Removed or taken since it was read: start again.
    if (typeof holder === 'string' || livenessOf(holder) !== 'dead') return false;
    await rename(draft, join(folder, lockName));
    return true;
  } finally {
    await rm(claim, { force: true });
  }
}

async function someoneElseClaims(folder: string, own: string): Promise<boolean> {
  for (const path of await listPrefixed(folder, claimPrefix)) {
    if (path === own) continue;
    const claimant = await readIdentity(path);
    if (claimant === 'gone') continue;
    if (claimant === 'unreadable' || livenessOf(claimant) !== 'dead') return true;
    await rm(path, { force: true });
  }
  return false;
}

async function hold(folder: string, identity: ProcessIdentity): Promise<FolderLock> {
  for (const path of await listPrefixed(folder, draftPrefix)) {
    const writer = await readIdentity(path);
    if (typeof writer !== 'string' && livenessOf(writer) === 'dead') await rm(path, { force: true });
  }
  let held = true;
  const release = async (): Promise<void> => {
    if (!held) return;
    held = false;
    const holder = await readIdentity(join(folder, lockName));
    // Someone may have deleted the file, and another process may have locked the folder since.
    const ours =
      typeof holder !== 'string' && holder.pid === identity.pid && holder.startTime === identity.startTime;
    if (ours) await rm(join(folder, lockName), { force: true });
  };
  return { release, [Symbol.asyncDispose]: release };
}

async function listPrefixed(folder: string, prefix: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith(prefix)).map((name) => join(folder, name));
}

type LockReading = ProcessIdentity | 'gone' | 'unreadable';

/** Unreadable: not complete yet, or never. */
async function readIdentity(path: string): Promise<LockReading> {
  try {
    const parsed = processIdentitySchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.data : 'unreadable';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'gone';
    if (error instanceof SyntaxError) return 'unreadable';
    throw error;
  }
}
