import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunError, UsageError } from '../../../../envs/core/errors.ts';
import { contentKeyOf } from '../../../../envs/engines/text-search/content-key.ts';
import { createTextIndex } from '../../../../envs/engines/text-search/create-text-index.ts';
import { englishAnalyzer } from '../../../../envs/engines/text-search/english-analyzer.ts';
import { TextIndexBuilder } from '../../../../envs/engines/text-search/index-builder.ts';
import { loadTextIndex, type LoadOptions } from '../../../../envs/engines/text-search/load-text-index.ts';
import { openTextIndex } from '../../../../envs/engines/text-search/open-text-index.ts';
import { saveTextIndex } from '../../../../envs/engines/text-search/save-text-index.ts';
import type { TextIndex } from '../../../../envs/engines/text-search/text-index.ts';
import { goldens } from './goldens.ts';

let folder = '';
let file = '';
const contentKey = 'of the documents';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cairn-text-index-'));
  file = path.join(folder, 'texts.index');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function saved(documents: readonly string[] = goldens.documents): Promise<TextIndex> {
  const index = await createTextIndex(documents);
  await saveTextIndex(index, file, { contentKey });
  return index;
}

async function load(options: Partial<LoadOptions> = {}): Promise<TextIndex> {
  const stored = await loadTextIndex(file, { contentKey, ...options });
  if (stored.kind !== 'loaded') throw new Error(`the index is ${stored.kind}`);
  return stored.index;
}

describe('a stored index', () => {
  it('loads as it was saved', async () => {
    const index = await saved();
    const again = await load();
    expect(again.data).toEqual(index.data);
    for (const { query } of goldens.queries) expect(again.search(query)).toEqual(index.search(query));
  });

  it('keeps the order of documents with equal scores', async () => {
    const builder = new TextIndexBuilder();
    for (const text of ['red shoes', 'desk', 'red shoes', 'red shoes']) builder.add(text);
    await saveTextIndex(builder.finish(Uint32Array.from([2, 3, 1, 0])), file, { contentKey });
    expect((await load()).search('shoes').map(({ document }) => document)).toEqual([2, 3, 0]);
  });

  it('counts as stale when it was written before indexes had an order', async () => {
    await saved();
    const bytes = await readFile(file);
    bytes.writeUInt32LE(1, 8);
    await writeFile(file, bytes);
    expect(await loadTextIndex(file, { contentKey })).toEqual({
      kind: 'stale',
      why: 'its format is version 1',
    });
  });

  it('loads when it is empty', async () => {
    const index = await saved([]);
    expect((await load()).data).toEqual(index.data);
    expect((await load()).search('lamp')).toEqual([]);
  });

  it('gives the same file for the same documents', async () => {
    await saved();
    const first = await readFile(file);
    await saved();
    expect(first.equals(await readFile(file))).toBe(true);
  });

  it('loads into memory that threads share', async () => {
    await saved();
    expect((await load()).data.documents.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  it('counts as missing when there is no file', async () => {
    expect(await loadTextIndex(file, { contentKey })).toEqual({ kind: 'missing' });
    expect(await loadTextIndex(path.join(folder, 'none', 'texts.index'), { contentKey })).toEqual({
      kind: 'missing',
    });
  });

  it.each([
    ['of other documents', { contentKey: 'of others' }, 'it was made of other documents'],
    [
      'of another analyzer',
      { analyzer: { ...englishAnalyzer, id: 'other' } },
      'its terms were made by the analyzer english-porter-1',
    ],
    ['of other parameters', { parameters: { k1: 1.2, b: 0.75 } }, 'it was made for k1 0.9 and b 0.4'],
  ])('counts as stale when it is %s', async (_, options, why) => {
    await saved();
    expect(await loadTextIndex(file, { contentKey, ...options })).toEqual({ kind: 'stale', why });
  });

  it('stops loading when the signal aborts', async () => {
    await saved();
    await expect(
      loadTextIndex(file, { contentKey, signal: AbortSignal.abort(new Error('enough')) }),
    ).rejects.toThrow('enough');
  });
});

describe('an unusable index file', () => {
  const refusal = (): Promise<unknown> =>
    loadTextIndex(file, { contentKey }).then(
      (stored) => stored,
      (thrown: unknown) => thrown,
    );

  it('names itself and the fix when it was cut anywhere', async () => {
    await saved();
    const whole = await readFile(file);
    const places = [
      1,
      7,
      8,
      23,
      24,
      100,
      1000,
      ...Array.from({ length: 60 }, (_, part) => Math.floor((whole.length * (part + 1)) / 61)),
      whole.length - 1,
    ];
    for (const length of places) {
      await writeFile(file, whole.subarray(0, length));
      const thrown = await refusal();
      expect(RunError.is(thrown), `cut after ${length} bytes`).toBe(true);
      expect(String(thrown)).toContain(file);
      expect(String(thrown)).toContain('Delete it');
    }
  });

  it('throws when it is too long', async () => {
    await saved();
    await writeFile(file, Buffer.concat([await readFile(file), Buffer.alloc(1)]));
    expect(String(await refusal())).toMatch(/bytes and should have/);
  });

  it('throws when a single bit that is read is wrong', async () => {
    const { data } = await saved();
    const whole = await readFile(file);
    const header = whole.readUInt32LE(12);
    const size = data.lengths.byteLength + data.terms.bytes.byteLength + data.documents.byteLength;
    expect(whole.length).toBeGreaterThan(size);
    let harmless = 0;
    const step = Math.floor(whole.length / 200);
    for (let place = 24; place < whole.length; place += place < 24 + header ? 37 : step) {
      const broken = Buffer.from(whole);
      broken[place] = (broken[place] ?? 0) ^ 4;
      await writeFile(file, broken);
      const thrown = await refusal();
      if (RunError.is(thrown)) continue;
      harmless += 1; // between two sections, where nothing is read
      expect(thrown).toMatchObject({ kind: 'loaded' });
    }
    expect(harmless).toBeLessThan(10);
  });

  it.each([
    ['empty', ''],
    ['a text', 'not an index at all, but long enough to have a preamble'],
    ['shorter than its magic, and wrong', 'CAIRX'],
  ])('throws when it is foreign: %s', async (_, content) => {
    await writeFile(file, content);
    const thrown = await refusal();
    expect(UsageError.is(thrown)).toBe(true);
    expect(String(thrown)).toContain(file);
  });

  it('throws when it is newer, and counts as stale when older', async () => {
    await saved();
    const bytes = await readFile(file);
    bytes.writeUInt32LE(3, 8);
    await writeFile(file, bytes);
    const thrown = await refusal();
    expect(UsageError.is(thrown)).toBe(true);
    expect(String(thrown)).toMatch(/newer version.*format 3; this one reads 2/);
    bytes.writeUInt32LE(0, 8);
    await writeFile(file, bytes);
    expect(await refusal()).toEqual({ kind: 'stale', why: 'its format is version 0' });
  });

  it('throws when it is a folder', async () => {
    await mkdir(file);
    const thrown = await refusal();
    expect(RunError.is(thrown)).toBe(true);
    expect(String(thrown)).toContain(file);
  });
});

describe('openTextIndex', () => {
  it('creates the index once, and again when the documents change', async () => {
    let read = 0;
    const documents = (): readonly string[] => {
      read += 1;
      return goldens.documents;
    };
    const deep = path.join(folder, 'a', 'b', 'texts.index');
    const first = await openTextIndex({ file: deep, contentKey, documents });
    const second = await openTextIndex({ file: deep, contentKey, documents });
    expect(second.data).toEqual(first.data);
    expect(read).toBe(1);
    await openTextIndex({ file: deep, contentKey: 'of others', documents });
    expect(read).toBe(2);
    expect(await loadTextIndex(deep, { contentKey })).toMatchObject({ kind: 'stale' });
  });

  it('leaves one whole file when several callers open it at once', async () => {
    const opened = await Promise.all(
      [1, 2, 3, 4].map(() => openTextIndex({ file, contentKey, documents: () => goldens.documents })),
    );
    expect(await readdir(folder)).toEqual(['texts.index']);
    expect((await load()).data).toEqual(opened[0]?.data);
  });

  it('refuses a damaged file instead of replacing it', async () => {
    await writeFile(file, 'something else');
    await expect(openTextIndex({ file, contentKey, documents: () => [] })).rejects.toThrow(file);
    expect(await readFile(file, 'utf8')).toBe('something else');
  });
});

describe('contentKeyOf', () => {
  it('changes with the texts, their order and their boundaries', async () => {
    const keys = await Promise.all(
      [['ab', 'c'], ['a', 'bc'], ['c', 'ab'], ['ab', 'c', ''], ['ab']].map((documents) =>
        contentKeyOf(documents),
      ),
    );
    expect(new Set(keys).size).toBe(5);
    expect(await contentKeyOf(['ab', 'c'])).toBe(keys[0]);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('a copied index file', () => {
  it('loads like the original', async () => {
    await saved();
    const copy = path.join(folder, 'copy');
    await copyFile(file, copy);
    expect(await loadTextIndex(copy, { contentKey })).toMatchObject({ kind: 'loaded' });
  });
});
