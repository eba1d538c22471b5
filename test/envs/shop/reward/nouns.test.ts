import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRecordedNouns } from '../../../../envs/shop/reward/recorded-nouns.ts';
import { tagNouns } from '../../../../envs/shop/reward/tagged-nouns.ts';

describe('tagged nouns', () => {
  it('are the nouns and proper nouns, in lower case', () => {
    const nouns = tagNouns();
    expect(nouns.recorded).toBe(false);
    expect(nouns.nounsOf('a blue Wool Sweater for men with pockets')).toEqual(['wool', 'sweater', 'men', 'pockets']);
    expect(nouns.nounsOf('')).toEqual([]);
  });
});

describe('recorded nouns', () => {
  const { signal } = new AbortController();
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cairn-nouns-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const record = async (content: string | Buffer) => {
    const file = path.join(folder, 'nouns.json');
    await writeFile(file, content);
    return readRecordedNouns(file, signal);
  };
  const head = '{"tagger": "spaCy en_core_web_lg 3.4.1"}';

  it('are those of the file, plain or gzipped', async () => {
    const text = `[${head}, {"title": "Wool Sweater", "nouns": ["Wool", "Sweater"]}]`;
    for (const content of [text, gzipSync(text)]) {
      const nouns = await record(content);
      expect(nouns).toMatchObject({ name: 'spaCy en_core_web_lg 3.4.1', recorded: true });
      expect(nouns.nounsOf('Wool Sweater')).toEqual(['wool', 'sweater']);
      expect(() => nouns.nounsOf('Wool Hat')).toThrow(/nouns\.json: no nouns are recorded for the title "Wool Hat"/);
    }
  });

  it.each([
    ['an empty list', '[]', /the list is empty/],
    ['no head', '[{"title": "a", "nouns": []}]', /item 1: it is not \{"tagger"/],
    ['a title without nouns', `[${head}, {"title": "a"}]`, /item 2: it is not \{"title"/],
    ['two verdicts on a title', `[${head}, {"title": "a", "nouns": ["a"]}, {"title": "a", "nouns": []}]`, /item 3 \("a"\): the title stands here a second time/],
    ['a cut file', `[${head}, {"title": "a", "no`, /nouns\.json/],
    ['an endless item', `[${head}, {"title": "${'a'.repeat(1 << 17)}", "nouns": []}]`, /item 2/],
  ])('refuses %s', async (_, content, message) => {
    await expect(record(content)).rejects.toThrow(message);
  });
});
