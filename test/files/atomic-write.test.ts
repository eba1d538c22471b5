import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RunError } from '../../envs/core/errors.ts';
import { partOf, sweepParts, writeFileAtomically } from '../../files/atomic-write.ts';
import { assertFreeSpace, formatBytes, nameWriteError } from '../../files/free-space.ts';
import { temporaryFolder } from '../trainers/run/make-run.ts';

describe('writeFileAtomically', () => {
  it('writes and replaces whole files, and leaves nothing else', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'notes.json');
    await writeFileAtomically(path, 'first');
    await writeFileAtomically(path, new Uint8Array([104, 105]));
    expect(readFileSync(path, 'utf8')).toBe('hi');
    await writeFileAtomically(
      path,
      ['one', '', ' two', ' three'].map((piece) => Buffer.from(piece)),
    );
    expect(readFileSync(path, 'utf8')).toBe('one two three');
    expect(readdirSync(folder.path)).toEqual(['notes.json']);
  });

  it('keeps the old content and names the file when the disk is full', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'notes.json');
    writeFileSync(path, 'old');
    symlinkSync('/dev/full', partOf(path)); // a real disk that is always full
    const error: unknown = await writeFileAtomically(path, 'new').catch((thrown: unknown) => thrown);
    expect(RunError.is(error)).toBe(true);
    expect(String(error)).toContain(`${path}: the disk, or your quota on it, is full. Free some space`);
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder.path)).toEqual(['notes.json']);
  });

  it('cleans up and explains when it cannot write at all', async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, 'taken', 'inside'), { recursive: true });
    await expect(writeFileAtomically(join(folder.path, 'taken'), 'x')).rejects.toThrow(
      /could not be written: E/,
    );
    expect(readdirSync(folder.path)).toEqual(['taken']);
    await expect(writeFileAtomically(join(folder.path, 'missing', 'notes'), 'x')).rejects.toThrow(
      /ENOENT.*Check that the folder exists/,
    );
  });
});

describe('free space', () => {
  it('must suffice before a write starts, and the error states the amounts', async () => {
    using folder = temporaryFolder();
    await assertFreeSpace(folder.path, 1024);
    await expect(assertFreeSpace(folder.path, 2 ** 62)).rejects.toThrow(
      /4\.0 EiB must be written there, and the disk has [\d.]+ [KMGT]iB free/,
    );
  });

  it('prints in units of 1024', () => {
    expect([0, 1, 1023, 1024, 1536, 5 * 2 ** 30].map(formatBytes)).toEqual([
      '0 B',
      '1 B',
      '1023 B',
      '1.0 KiB',
      '1.5 KiB',
      '5.0 GiB',
    ]);
  });
});

describe('nameWriteError', () => {
  it("passes on errors that are not the system's", () => {
    const error = new TypeError('a bug');
    expect(nameWriteError(error, '/runs/a')).toBe(error);
    expect(nameWriteError('text', '/runs/a')).toBe('text');
    const full = Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
    expect(String(nameWriteError(full, '/runs/a'))).toContain(
      'Free some space on it or run in another folder. What was written',
    );
    expect(String(nameWriteError(full, '/runs/a', 'repeat the command'))).toContain(
      'Free some space on it, then repeat the command. What was written',
    );
  });
});

describe('sweepParts', () => {
  it('removes only what a writer left unfinished', async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, '.iteration-1.part', 'deep'), { recursive: true });
    for (const name of ['.config.json.part', 'mine.part', '.hidden'])
      writeFileSync(join(folder.path, name), '');
    await sweepParts(folder.path);
    expect(readdirSync(folder.path)).toEqual(['.hidden', 'mine.part']);
  });
});
