import {
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RunError, UsageError } from '../../../../envs/core/errors.ts';
import {
  buildCorpusIndex,
  type BuildCorpusIndexOptions,
} from '../../../../envs/engines/retrieval/corpus-index/build-corpus-index.ts';
import { openCorpusIndex } from '../../../../envs/engines/retrieval/corpus-index/open-corpus-index.ts';
import { openCorpus } from '../../../../envs/engines/retrieval/corpus/open-corpus.ts';
import type { IndexRetriever } from '../../../../envs/engines/retrieval/index-retriever.ts';
import { useFolder } from '../../../support/own-folder.ts';

const at = useFolder();
const { signal } = new AbortController();

const words = ['red', 'blue', 'lamp', 'desk', 'shoe', 'tower', 'glass', 'wood'];
const rows = Array.from({ length: 700 }, (_, number) => ({
  id: `d${number % 650}`, // the last 50 repeat the first
  title: `Page ${number}`,
  text: Array.from({ length: 3 + (number % 5) }, (__, place) => words[(number * 7 + place * place) % 8]).join(
    ' ',
  ),
}));
const lines = rows.map((row) => JSON.stringify(row)).join('\n');

async function build(
  name: string,
  content: string | Buffer | undefined,
  options: Partial<BuildCorpusIndexOptions> = {},
) {
  const corpus = at(name);
  if (content !== undefined) await writeFile(corpus, content);
  const index = `${corpus}.index`;
  const built = await buildCorpusIndex(corpus, index, { signal, runPostings: 1_000, ...options });
  return { corpus, index, built };
}

async function opened(index: string, corpus?: string): Promise<IndexRetriever> {
  const { retriever } = await openCorpusIndex(index, { corpus, signal });
  onTestFinished(() => retriever.close());
  return retriever;
}

const queries = ['red', 'glass tower', 'lamp lamp desk wood page', 'page 17', 'none of these', ''];

describe('an index of a corpus on disk', () => {
  it.each<readonly [string, string | Buffer, 'corpus' | 'index']>([
    ['plain.jsonl', `{"id": 1, "te\r\n\r\n${lines.replaceAll('\n', '\r\n')}`, 'corpus'],
    ['marked.jsonl', `\uFEFF${lines}`, 'corpus'],
    ['latin.jsonl', Buffer.from(lines.replaceAll('wood', 'wöd'), 'latin1'), 'corpus'],
    ['wide.jsonl', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(lines, 'utf16le')]), 'index'],
    ['packed.jsonl.gz', gzipSync(lines), 'index'],
    [
      'table.csv',
      ['id,title,text', ...rows.map(({ id, title, text }) => `${id},${title},"${text}\n."`)].join('\n'),
      'index',
    ],
  ])('gives what the index in memory gives: %s', async (name, content, texts) => {
    const limits = { textCharacters: 25 };
    const { corpus, index, built } = await build(name, content, { limits });
    const disk = await opened(index);
    const memory = await openCorpus(corpus, { limits, cacheFolder: at('cache'), signal });
    onTestFinished(() => memory.retriever.close());
    expect(built).toMatchObject({ texts, documents: memory.documents, report: memory.report });
    expect(built.report).toMatchObject({ repeatedIds: 50 });
    expect(disk.identity).toEqual(memory.retriever.identity);
    for (const query of queries)
      expect(disk.foundNow(query, 20)).toEqual(memory.retriever.foundNow(query, 20));
    for (const id of ['d0', 'd0#2', 'd649', 'd650', ''])
      expect(disk.documentNow(id)).toEqual(memory.retriever.documentNow(id));
    for (let number = 0; number < disk.size; number += 1)
      expect(disk.documentAt(number)).toEqual(memory.retriever.documentAt(number));
  });

  it('reads Parquet, and needs the file no more', async () => {
    await copyFile('test/fixtures/search/corpus-zstd.parquet', at('table.parquet'));
    const { corpus, index } = await build('table.parquet', undefined);
    await rename(corpus, at('moved.parquet'));
    const disk = await opened(index);
    expect(disk.documentNow('9')?.contents).toBe('"Émile Ørsted"\nA maker of clocks; 時計.');
    expect(disk.searchNow('clocks', 3)).toHaveLength(1);
  });

  it('takes ids that are numbers and halves of pairs, and names rows without an id', async () => {
    const { index } = await build(
      'ids.jsonl',
      '{"id":7,"text":"a"}\n{"id":"\\ud800","text":"b"}\n{"id":"é","text":"c"}',
    );
    const disk = await opened(index);
    expect(['7', '\ud800', '\ufffd', 'é'].map((id) => disk.documentNow(id)?.contents)).toEqual([
      'a',
      'b',
      'b',
      'c',
    ]);
    const numbered = await build('numbered.jsonl', '{"text":"a"}\n[]\n{"text":"b"}');
    expect((await opened(numbered.index)).documentNow('row-3')?.contents).toBe('b');
  });

  it('numbers five thousand rows of one id in a moment', async () => {
    const { built, index } = await build('same.jsonl', '{"id":"x","text":"red"}\n'.repeat(5_000));
    expect(built.report.repeatedIds).toBe(4_999);
    expect((await opened(index)).documentNow('x#5000')).toEqual({ id: 'x#5000', contents: 'red' });
  });

  it('an index has no vectors', async () => {
    await expect(build('v.jsonl', lines, { fields: { vector: 'v' } })).rejects.toThrow('has no vectors');
  });
});

describe('the corpus of an index', () => {
  it('a corpus may be touched, and may move beside the index or elsewhere', async () => {
    const { corpus, index } = await build('moving.jsonl', lines);
    await utimes(corpus, 1, 1);
    expect((await opened(index)).size).toBe(700);
    await mkdir(at('other'));
    await rename(index, at('other/the.index'));
    await rename(corpus, at('other/moving.jsonl'));
    expect((await opened(at('other/the.index'))).documentAt(0).id).toBe('d0');
    await rename(at('other/moving.jsonl'), at('elsewhere.jsonl'));
    await expect(opened(at('other/the.index'))).rejects.toThrow(/its texts are in the corpus .*moving.jsonl/);
    expect((await opened(at('other/the.index'), at('elsewhere.jsonl'))).documentAt(1).id).toBe('d1');
  });

  it.each([
    ['longer', `${lines}\n{"id":"z","text":"new"}`],
    ['of the same size', lines.replace('red', 'rad')],
  ])('a corpus that has changed is refused: %s', async (name, content) => {
    const { corpus, index } = await build(`changed-${name}.jsonl`, lines);
    await writeFile(corpus, content);
    await utimes(corpus, 1, 1);
    const thrown = await opened(index).catch((error: unknown) => error);
    expect(UsageError.is(thrown)).toBe(true);
    expect(String(thrown)).toMatch(
      /changed-.*the corpus has changed since its index was built.*cairn-gym index/s,
    );
  });

  it('a corpus that changes while it is searched is an error of the run', async () => {
    const { corpus, index } = await build('later.jsonl', lines);
    const disk = await opened(index);
    const handle = await open(corpus, 'r+');
    await handle.write(lines.replaceAll('red', 'rad'), 0);
    await handle.close();
    const thrown = (() => {
      try {
        return disk.searchNow('red', 3);
      } catch (error) {
        return error;
      }
    })();
    expect(RunError.is(thrown)).toBe(true);
    expect(String(thrown)).toContain('is not the one that was indexed: the corpus has changed');
  });

  it('stays unindexed when the user interrupts, without files left behind', async () => {
    await mkdir(at('stopped'));
    await writeFile(at('stopped/a.jsonl'), lines);
    const stop = new AbortController();
    const building = buildCorpusIndex(at('stopped/a.jsonl'), at('stopped/a.index'), {
      signal: stop.signal,
      onAdvance: () => stop.abort(new Error('enough')),
    });
    await expect(building).rejects.toThrow('enough');
    expect(await readdir(at('stopped'))).toEqual(['a.jsonl']);
  });
});

describe('a file that is no usable index', () => {
  it('a cut file is refused, wherever it is cut off', async () => {
    const { index } = await build('cut.jsonl', lines);
    const whole = await readFile(index);
    for (const length of [1, 7, 8, 39, 40, 16_384, 20_000, whole.length - 1]) {
      await writeFile(index, whole.subarray(0, length));
      await expect(opened(index), `${length} bytes`).rejects.toThrow(/is damaged|it ends after/);
    }
    await writeFile(index, Buffer.concat([whole, Buffer.alloc(1)]));
    await expect(opened(index)).rejects.toThrow(/it has \d+ bytes, not \d+/);
  });

  it('a wrong bit never gives a wrong result', async () => {
    const { index } = await build('bit.jsonl', lines);
    const whole = await readFile(index);
    const intact = await opened(index);
    const right = queries.map((query) => JSON.stringify(queryResult(intact, query)));
    let harmless = 0;
    for (let place = 3; place < whole.length; place += Math.floor(whole.length / 90)) {
      const broken = Buffer.from(whole);
      broken[place] = (broken[place] ?? 0) ^ 16;
      await writeFile(index, broken);
      try {
        const disk = await opened(index);
        expect(queries.map((query) => JSON.stringify(queryResult(disk, query)))).toEqual(right);
        harmless += 1; // a page that no query needs, or the rest of the first page
      } catch (thrown) {
        expect(RunError.is(thrown) || UsageError.is(thrown), String(thrown)).toBe(true);
      }
    }
    expect(harmless).toBeLessThan(60);
  });

  const queryResult = (disk: IndexRetriever, query: string) => disk.foundNow(query, 20);

  it('another version and other files are refused', async () => {
    const { index } = await build('version.jsonl', lines);
    const bytes = await readFile(index);
    bytes.writeUInt32LE(7, 8);
    await writeFile(index, bytes);
    await expect(opened(index)).rejects.toThrow(
      /has the format 7, and this version .* reads format 2001.*cairn-gym index/s,
    );
    await writeFile(index, 'some text that is long enough to have a first page');
    await expect(opened(index)).rejects.toThrow('it is no index of a corpus');
    await truncate(index, 0);
    await expect(opened(index)).rejects.toThrow('it is no index of a corpus');
    await expect(opened(at('none.index'))).rejects.toThrow('there is no such file');
    await expect(opened(at('.'))).rejects.toThrow('it is not a regular file');
  });

  it('an index can be replaced while others read it', async () => {
    const { corpus, index } = await build('shared.jsonl', lines);
    const readers = await Promise.all([opened(index), opened(index), opened(index)]);
    const before = readers.map((reader) => reader.rankedNow('red lamp', 5));
    await writeFile(at('next.jsonl'), '{"id":"n","text":"red"}');
    await buildCorpusIndex(at('next.jsonl'), index, { signal });
    expect(readers.map((reader) => reader.rankedNow('red lamp', 5))).toEqual(before);
    expect((await opened(index)).size).toBe(1);
    expect(await readFile(corpus, 'utf8')).toBe(lines);
  });

  it('a closed index refuses searches', async () => {
    const { index } = await build('closed.jsonl', lines);
    const disk = await opened(index);
    disk.searchNow('red', 1);
    await disk.close();
    await disk.close();
    expect(() => disk.searchNow('red', 1)).toThrow('was closed');
  });
});
