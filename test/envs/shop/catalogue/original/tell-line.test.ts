import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../../../envs/core/errors.ts';
import { fileError } from '../../../../../envs/shop/catalogue/original/file-error.ts';
import { productFileLimits } from '../../../../../envs/shop/catalogue/original/limits.ts';
import { parseItem } from '../../../../../envs/shop/catalogue/original/parse-piece.ts';
import { piecesOf } from '../../../../../envs/shop/catalogue/original/pieces.ts';
import { lineOf, tellingLine } from '../../../../../envs/shop/catalogue/original/tell-line.ts';

const { signal } = new AbortController();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-line-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function written(content: string | Buffer): Promise<string> {
  const file = join(folder, 'f.json');
  await writeFile(file, content);
  return file;
}

describe('lineOf', () => {
  it('counts lines from 1, with a newline on the line that it ends', async () => {
    const text = 'a\nbc\n\nd';
    for (const content of [text, gzipSync(text)]) {
      const file = await written(content);
      expect(await Promise.all(Array.from({ length: 9 }, (_, byte) => lineOf(file, byte, signal)))).toEqual([
        1, 1, 2, 2, 2, 3, 4, 4, 4,
      ]);
    }
  });

  it('counts across the chunks of a file', async () => {
    const file = await written(`${'x'.repeat(999)}\n`.repeat(3_000));
    expect(await lineOf(file, 1_048_576, signal)).toBe(1_049);
    expect(await lineOf(file, 2_999_999, signal)).toBe(3_000);
  });
});

describe('an error in a data file', () => {
  const read = (file: string): Promise<void> =>
    tellingLine(signal, async () => {
      for await (const { number, start, bytes } of piecesOf(file, {
        shape: 'list',
        limits: productFileLimits,
        signal,
      }))
        parseItem(bytes, { file, item: number, byte: start });
    });

  it('names the line of its item, even in a compressed file', async () => {
    const text = '[\n  {"a": 1},\n\n  {"a": tru},\n  {"a": 2}\n]\n';
    for (const content of [text, gzipSync(text)]) {
      await expect(read(await written(content))).rejects.toThrow(
        /f\.json, item 2: it is not JSON: .*\. It begins at byte 17, on line 4\. Fetch the file again/,
      );
    }
  });

  it('names the line of text after the end of the list', async () => {
    for (const content of [
      '[\n  {"a": 1},\n  {"a": 2}\n]\n\n [3]',
      '[\n  {"a": 1},\n  {"a": 2}\n]\n\n x\n',
    ]) {
      await expect(read(await written(content))).rejects.toThrow(
        'f.json: something stands after the end of [ … ], which has 2 items. It begins at byte 29, on line 6. Fetch',
      );
    }
  });

  it('names the line where a truncated file ends', async () => {
    await expect(read(await written('[\n  {"a": 1},\n  {"a": '))).rejects.toThrow(
      'the file is cut short: it ends at item 2, before its last bracket, after 22 bytes. It ends on line 3. Fetch',
    );
    const long = gzipSync(`[${'{"a": 1},\n'.repeat(200_000)}{}]`, { level: 0 });
    await expect(read(await written(long.subarray(0, 1_000_000)))).rejects.toThrow(
      /the compressed file is cut short\. It ends on line \d{5,6}\. Fetch/,
    );
  });

  it('keeps its kind and cause, and other errors stay unchanged', async () => {
    const file = await written('one\ntwo\n');
    const cause = new Error('deeper');
    const told = await tellingLine(signal, () =>
      Promise.reject(fileError({ file, item: 2, byte: 4 }, 'it is wrong.', 'Fix it.', { cause })),
    ).catch((thrown: unknown) => thrown);
    expect(UsageError.is(told)).toBe(true);
    expect(told).toMatchObject({
      cause,
      parts: {
        where: `${file}, item 2`,
        what: 'it is wrong. It begins at byte 4, on line 2.',
        fix: 'Fix it.',
      },
    });
    for (const other of [new Error('other'), fileError({ file }, 'it is empty.')])
      await expect(tellingLine(signal, () => Promise.reject(other))).rejects.toBe(other);
  });
});
