import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunError, UsageError } from '../../envs/core/errors.ts';
import { acquireLock } from '../../files/lock.ts';
import { livenessOf, ownIdentity } from '../../files/process-identity.ts';
import { temporaryFolder } from '../trainers/run/make-run.ts';
import { bundleChild, startChild } from '../trainers/run/start-child.ts';

const build = temporaryFolder();
let program = '';
beforeAll(async () => {
  program = await bundleChild(build.path);
});
afterAll(() => build[Symbol.dispose]());

describe('acquireLock', () => {
  it('refuses a second holder in the same process, and leaves nothing behind', async () => {
    using folder = temporaryFolder();
    const lock = await acquireLock(folder.path);
    await expect(acquireLock(folder.path)).rejects.toThrow(
      new RegExp(`${folder.path}: process ${process.pid} is writing there`),
    );
    expect(readdirSync(folder.path)).toEqual(['lock']);
    await lock.release();
    await lock.release();
    expect(readdirSync(folder.path)).toEqual([]);
    await (await acquireLock(folder.path)).release();
  });

  it('refuses while another process lives, and takes its lock over after kill -9', async () => {
    using folder = temporaryFolder();
    await using child = await startChild(program, 'contend', folder.path);
    expect(child.firstLine).toBe('held');
    const refused: unknown = await acquireLock(folder.path).catch((error: unknown) => error);
    expect(UsageError.is(refused)).toBe(true);
    expect(String(refused)).toContain(`process ${child.pid} is writing there`);
    await child.kill();
    await using _lock = await acquireLock(folder.path);
    expect(JSON.parse(readFileSync(join(folder.path, 'lock'), 'utf8'))).toEqual(ownIdentity());
    await using other = await startChild(program, 'contend', folder.path);
    expect(other.firstLine).toMatch(new RegExp(`^refused: .*process ${process.pid} is writing there`));
  });

  it('lets exactly one of many take over a stale lock', async () => {
    using folder = temporaryFolder();
    const dead = { ...ownIdentity(), startTime: 'another boot:1' };
    for (let round = 0; round < 3; round += 1) {
      writeFileSync(join(folder.path, 'lock'), JSON.stringify(dead));
      const children = await Promise.all(
        Array.from({ length: 6 }, () => startChild(program, 'contend', folder.path)),
      );
      const held = children.filter((child) => child.firstLine === 'held');
      expect(
        children
          .map((child) => child.firstLine)
          .filter((line) => line !== 'held' && !line.startsWith('refused: UsageError')),
      ).toEqual([]);
      expect(held).toHaveLength(1);
      expect(JSON.parse(readFileSync(join(folder.path, 'lock'), 'utf8'))).toMatchObject({
        pid: held[0]?.pid,
      });
      await Promise.all(children.map((child) => child.letGo()));
      expect(readdirSync(folder.path)).toEqual([]);
    }
  });

  it('lets exactly one of many simultaneous callers through', async () => {
    using folder = temporaryFolder();
    for (let round = 0; round < 5; round += 1) {
      if (round > 0)
        writeFileSync(
          join(folder.path, 'lock'),
          JSON.stringify({ ...ownIdentity(), startTime: 'another boot:1' }),
        );
      const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => acquireLock(folder.path)));
      const held = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect(held).toHaveLength(1);
      await held[0]?.release();
      expect(readdirSync(folder.path)).toEqual([]);
    }
  });

  it('treats a process with the same number but another start time as dead, and removes its files', async () => {
    using folder = temporaryFolder();
    const dead = JSON.stringify({ ...ownIdentity(), startTime: 'another boot:1' });
    for (const name of ['lock', '.lock-claim-1-1', '.lock-draft-1-1'])
      writeFileSync(join(folder.path, name), dead);
    await using _lock = await acquireLock(folder.path);
    expect(readdirSync(folder.path)).toEqual(['lock']);
  });

  it('refuses a lock of another machine, and names the file to delete', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'lock'), JSON.stringify({ pid: 77, host: 'elsewhere', startTime: 'x' }));
    await expect(acquireLock(folder.path)).rejects.toThrow(
      `process 77 on elsewhere is writing there. Wait for it, or, when it is no longer running, delete ${join(folder.path, 'lock')}.`,
    );
  });

  it('refuses a lock that cannot be read', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'lock'), '');
    await expect(acquireLock(folder.path)).rejects.toThrow(/its lock is unreadable.*delete/);
    expect(readdirSync(folder.path)).toEqual(['lock']);
  });

  it('reports a full disk, and leaves nothing there', async () => {
    using folder = temporaryFolder();
    // Files before this one may have taken locks in this process, and each lock counts one up.
    for (let number = 1; number <= 5_000; number += 1)
      symlinkSync('/dev/full', join(folder.path, `.lock-draft-${process.pid}-${number}`)); // a real disk that is always full
    const before = readdirSync(folder.path).length;
    const error: unknown = await acquireLock(folder.path).catch((thrown: unknown) => thrown);
    expect(RunError.is(error)).toBe(true);
    expect(String(error)).toContain(
      `${folder.path}: the disk, or your quota on it, is full. Free some space`,
    );
    expect(readdirSync(folder.path)).toHaveLength(before - 1); // the draft that it could not write is gone
  });

  it('does not remove a lock that another took after the file was deleted by hand', async () => {
    using folder = temporaryFolder();
    const lock = await acquireLock(folder.path);
    const other = JSON.stringify({ pid: 1, host: hostname() });
    writeFileSync(join(folder.path, 'lock'), other);
    await lock.release();
    expect(readFileSync(join(folder.path, 'lock'), 'utf8')).toBe(other);
  });
});

describe('livenessOf', () => {
  it('recognises itself, an ended process and one elsewhere', async () => {
    expect(livenessOf(ownIdentity())).toBe('alive');
    expect(livenessOf({ pid: process.pid, host: hostname() })).toBe('alive');
    using folder = temporaryFolder();
    const child = await startChild(program, 'contend', folder.path);
    const identity = JSON.parse(readFileSync(join(folder.path, 'lock'), 'utf8')) as ReturnType<
      typeof ownIdentity
    >;
    expect(livenessOf(identity)).toBe('alive');
    await child.kill();
    expect(livenessOf(identity)).toBe('dead');
    expect(livenessOf({ ...identity, host: 'elsewhere' })).toBe('unknown');
  });
});
