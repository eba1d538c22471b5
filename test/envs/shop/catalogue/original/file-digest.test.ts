import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readBytes } from '../../../../../envs/shop/catalogue/original/read-bytes.ts';
import { fileDigest } from '../../../../../envs/shop/catalogue/original/file-digest.ts';
import { makePipe } from '../../../../support/make-pipe.ts';

const { signal } = new AbortController();
const past = 1_600_000_000; // whole seconds, which can be restored exactly
const invented = 'f'.repeat(64); // a digest that can only come from the memo
let folder = '';
let file = '';
let memoFolder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-digest-'));
  file = join(folder, 'data.json');
  memoFolder = join(folder, 'memos');
  await writeFile(file, 'some content');
  await utimes(file, past, past);
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const digest = async (): Promise<string> => (await fileDigest(file, { memoFolder, signal })).sha256;
const contentDigest = async (): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

/** Puts the invented digest into the memo, dated `secondsAfter` seconds after the change of the file. */
async function spoilMemo(secondsAfter: number): Promise<void> {
  const [name = ''] = await readdir(memoFolder);
  const memo = join(memoFolder, name);
  await writeFile(memo, (await readFile(memo, 'utf8')).replace(/[0-9a-f]{64}/, invented));
  const time = new Date((await stat(file)).ctimeMs + 1_000 * secondsAfter);
  await utimes(memo, time, time);
}

describe('fileDigest', () => {
  it('returns SHA-256 of the content and remembers it', async () => {
    expect(await digest()).toBe(await contentDigest());
    await spoilMemo(10);
    expect(await digest()).toBe(invented);
  });

  it('refuses a device, which would never end', async () => {
    await rm(file);
    await symlink('/dev/zero', file);
    await expect(digest()).rejects.toThrow(
      /it is not a regular file, but a pipe or a device\. Give the folder/,
    );
    await expect(readBytes(file, { signal, maxBytes: 100 }).next()).rejects.toThrow(
      /it is not a regular file/,
    );
  });

  it('reads a file again that may have changed in the moment of the memo', async () => {
    await digest();
    await spoilMemo(1);
    expect(await digest()).toBe(await contentDigest());
  });

  it('reads a file again whose content changed under the same size and time', async () => {
    await digest();
    await spoilMemo(10);
    await writeFile(file, 'same length.');
    await utimes(file, past, past);
    expect(await digest()).toBe(await contentDigest());
  });

  it('reads a file again that was replaced', async () => {
    await digest();
    await spoilMemo(10);
    const other = join(folder, 'other.json');
    await writeFile(other, 'same length.');
    await utimes(other, past, past);
    await rename(other, file);
    expect(await digest()).toBe(await contentDigest());
  });

  it('ignores a damaged memo', async () => {
    await digest();
    const [name = ''] = await readdir(memoFolder);
    await writeFile(join(memoFolder, name), '{"sha256":');
    expect(await digest()).toBe(await contentDigest());
  });

  it('ignores a pipe in the place of the memo', async () => {
    await digest();
    const [name = ''] = await readdir(memoFolder);
    await makePipe(join(memoFolder, name));
    expect(await digest()).toBe(await contentDigest());
  });

  it('names a missing file', async () => {
    await rm(file);
    await expect(digest()).rejects.toThrow(`${file}: it cannot be read`);
  });
});
