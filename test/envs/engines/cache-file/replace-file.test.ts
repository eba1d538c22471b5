import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  utimes,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunError } from '../../../../envs/core/errors.ts';
import { replaceFile, sweepFolder, writeFully } from '../../../../envs/engines/cache-file/replace-file.ts';
import { asKeptOut } from '../../../support/kept-out.ts';

let folder = '';
let file = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cairn-cache-file-'));
  file = path.join(folder, 'cache');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const writing =
  (text: string) =>
  (handle: FileHandle): Promise<void> =>
    writeFully(handle, Buffer.from(text), 0);

describe('replaceFile and sweepFolder', () => {
  it('creates the folders and the file, and replaces the file', async () => {
    const deep = path.join(folder, 'a', 'b', 'cache');
    await replaceFile(deep, writing('one'));
    await replaceFile(deep, writing('two'));
    expect(await readFile(deep, 'utf8')).toBe('two');
    expect(await readdir(path.dirname(deep))).toEqual(['cache']);
  });

  it('keeps the old file when the writer fails, and leaves no part behind', async () => {
    await replaceFile(file, writing('old'));
    const failing = replaceFile(file, async (handle) => {
      await writeFully(handle, Buffer.from('half'), 0);
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    expect(await readFile(file, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['cache']);
  });

  it('keeps one whole file when several writers run at once', async () => {
    const texts = Array.from({ length: 8 }, (_, writer) => String(writer).repeat(100_000));
    await Promise.all(texts.map((text) => replaceFile(file, writing(text))));
    expect(texts).toContain(await readFile(file, 'utf8'));
    expect(await readdir(folder)).toEqual(['cache']);
  });

  it('removes old parts of killed writers, and nothing else', async () => {
    const names = ['.cache.dead.part', '.cache.alive.part', '.other.dead.part', 'cache.old.part'];
    for (const name of names) await writeFile(path.join(folder, name), 'half');
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const name of ['.cache.dead.part', '.other.dead.part', 'cache.old.part'])
      await utimes(path.join(folder, name), longAgo, longAgo);
    await replaceFile(file, writing('new'));
    expect((await readdir(folder)).toSorted()).toEqual([
      '.cache.alive.part',
      '.other.dead.part',
      'cache',
      'cache.old.part',
    ]);
  });

  it('sweepFolder removes parts of any file after an hour, and nothing else', async () => {
    const part = (name: string): string => `.${name}.12345678-1234-1234-1234-123456789abc.part`;
    const names = [
      part('cache'),
      part('other'),
      part('young'),
      '.mine.part',
      '.rsync.part',
      'movie.12345678-1234-1234-1234-123456789abc.part',
    ];
    for (const name of names) await writeFile(path.join(folder, name), 'half');
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const name of names.filter((other) => other !== part('young')))
      await utimes(path.join(folder, name), longAgo, longAgo);
    await sweepFolder(folder);
    expect((await readdir(folder)).toSorted()).toEqual(names.slice(2).toSorted());
    await sweepFolder(path.join(folder, 'nowhere'));
  });

  it('writes and sweeps despite parts that cannot be removed', async () => {
    const part = (index: number): string =>
      `.cache.00000000-0000-0000-0000-${String(index).padStart(12, '0')}.part`;
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    const leave = async (): Promise<void> => {
      for (let index = 0; index < 16; index += 1) {
        const place = path.join(folder, part(index));
        if (index % 4 === 0) await mkdir(place, { recursive: true });
        else await writeFile(place, 'half');
        await utimes(place, longAgo, longAgo);
      }
    };
    const folders = [0, 4, 8, 12].map(part);
    await leave();
    await replaceFile(file, writing('new'));
    expect((await readdir(folder)).toSorted()).toEqual([...folders, 'cache']);
    await leave();
    await sweepFolder(folder);
    expect((await readdir(folder)).toSorted()).toEqual([...folders, 'cache']);
  });

  it('writes into a folder without read permission', async () => {
    await chmod(folder, 0o333);
    await asKeptOut(() => replaceFile(file, writing('one')));
    await asKeptOut(() => replaceFile(file, writing('two')));
    await chmod(folder, 0o755);
    expect([await readdir(folder), await readFile(file, 'utf8')]).toEqual([['cache'], 'two']);
  });

  it('reports the fix when a folder stands in the place of the file', async () => {
    await mkdir(file);
    await expect(replaceFile(file, writing('new'))).rejects.toThrow(
      `${file}: it is a folder. Remove it. The cache file is then written again.`,
    );
  });

  it.each([
    ['it is a folder', () => mkdir(file)],
    [
      'a file stands where its folder should be',
      () => writeFile(folder + '-file', '').then(() => void (file = path.join(folder + '-file', 'cache'))),
    ],
  ])('names the file when %s', async (_, prepare) => {
    await prepare();
    const thrown: unknown = await replaceFile(file, writing('new')).catch((error: unknown) => error);
    await rm(folder + '-file', { force: true });
    expect(RunError.is(thrown)).toBe(true);
    expect(String(thrown)).toContain(file);
  });
});
