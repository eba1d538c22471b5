import { copyFile, readdir, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CorpusFields } from '../../../../envs/engines/retrieval/corpus/corpus-fields.ts';
import {
  CorpusSource,
  talliesOf,
  usualLimits,
  type CorpusLimits,
} from '../../../../envs/engines/retrieval/corpus/corpus-source.ts';
import { openCorpus } from '../../../../envs/engines/retrieval/corpus/open-corpus.ts';
import { CsvRecords } from '../../../../envs/engines/retrieval/read/csv-records.ts';
import { useFolder } from '../../../support/own-folder.ts';

const at = useFolder();
const signal = new AbortController().signal;

interface Opened {
  readonly fields?: CorpusFields;
  readonly limits?: Partial<CorpusLimits>;
}

async function open(name: string, content: string | Buffer | undefined, options: Opened = {}) {
  const file = at(name);
  if (content !== undefined) await writeFile(file, content);
  const rebuilds: string[] = [];
  const corpus = await openCorpus(file, {
    ...options,
    cacheFolder: at('cache'),
    signal,
    onRebuild: (why) => rebuilds.push(why),
  });
  await corpus.retriever.close();
  const again = await openCorpus(file, { ...options, cacheFolder: at('cache'), signal });
  return { ...again, rebuilds };
}

const lines = (...rows: readonly unknown[]): string => rows.map((row) => JSON.stringify(row)).join('\n');

const wiki = lines(
  { id: '0', contents: '"Mira Dolven"\nMira Dolven was a glass painter of Tarn Hollow.' },
  { id: '1', contents: '"Tarn Hollow"\nTarn Hollow is a town.\nIt has a river.' },
);

describe('a corpus in JSON lines', () => {
  it('reads the form of wiki-18: the first line of the contents is the title', async () => {
    const { retriever, documents } = await open('wiki.jsonl', wiki);
    expect(documents).toBe(2);
    const [hit] = await retriever.search('glass painter', 3, signal);
    expect(hit).toMatchObject({
      id: '0',
      title: 'Mira Dolven',
      text: 'Mira Dolven was a glass painter of Tarn Hollow.',
    });
    expect(await retriever.open('1', signal)).toEqual({
      id: '1',
      title: 'Tarn Hollow',
      parts: ['Tarn Hollow is a town.\nIt has a river.'],
    });
    expect(await retriever.open('2', signal)).toBeUndefined();
    await retriever.close();
    expect(() => retriever.searchNow('town', 1)).toThrow('the corpus was closed');
  });

  it('reads columns by the names that are given', async () => {
    const rows = lines(
      { key: 5, heading: 'A', words: 'red kite' },
      { key: 6, heading: 'B', words: 'blue kite' },
    );
    const { retriever } = await open('named.jsonl', rows, {
      fields: { id: 'key', title: 'heading', text: 'words' },
    });
    expect(retriever.foundNow('blue', 2)).toMatchObject([
      [{ id: '6', contents: '"B"\nblue kite' }, expect.any(Number)],
    ]);
    await retriever.close();
  });

  it.each<readonly [string, object, object]>([
    ['text alone', { id: 1, text: 'A kite flew.' }, { title: 'A kite flew.', text: 'A kite flew.' }],
    [
      'lines of text',
      { id: 1, text: 'A kite.\nIt flew.' },
      { title: 'A kite. It flew.', text: 'A kite.\nIt flew.' },
    ],
    [
      'contents of one line',
      { id: 1, contents: 'A kite flew.' },
      { title: 'A kite flew.', text: 'A kite flew.' },
    ],
    ['a title in quotes', { id: 1, contents: '"Kite"\nIt flew.' }, { title: 'Kite', text: 'It flew.' }],
    ['a title without quotes', { id: 1, contents: 'Kite\nIt flew.' }, { title: 'Kite', text: 'It flew.' }],
    [
      'a first line that is no title',
      { id: 1, contents: `${'kite '.repeat(80)}\nIt flew.` },
      {
        title: 'kite kite kite kite kite kite kite kite',
        text: `${'kite '.repeat(80)}\nIt flew.`,
      },
    ],
    [
      'one line and a title',
      { id: 1, title: 'Kite', contents: 'It flew.' },
      { title: 'Kite', text: 'It flew.' },
    ],
    ['no title', { id: 1, title: null, text: 'It flew.' }, { title: 'It flew.', text: 'It flew.' }],
  ])('keeps the whole text of a row with %s', async (name, row, found) => {
    const { retriever } = await open(`${name}.jsonl`, lines(row));
    expect(await retriever.search('kite flew', 1, signal)).toMatchObject([found]);
    await retriever.close();
  });

  it('finds the columns of each row, and names rows without an id by their number', async () => {
    const { retriever, report } = await open(
      'mixed.jsonl',
      lines(
        { body: 'red' },
        { id: 'b', title: 'B', text: 'blue' },
        { docid: 'c', contents: '"C"\ngreen' },
        { id: null, title: 'D', passage: 'grey' },
      ),
    );
    expect(report.badRows).toBe(0);
    expect(['row-1', 'b', 'c', 'row-4'].map((id) => retriever.documentNow(id)?.contents)).toEqual([
      'red',
      '"B"\nblue',
      '"C"\ngreen',
      '"D"\ngrey',
    ]);
    await retriever.close();
  });

  it('counts and names bad lines, and loads the rest', async () => {
    const content = [
      '{"id": 1, "text": "red", "title": "A"}',
      '{"id": 2, "te',
      '[1]',
      '',
      '{"id": 3, "title": "C"}',
      '{"id": 4, "title": "D", "text": "blue"}',
      '{"id": 5, "title": "E", "text": "green"}',
    ].join('\r\n');
    const { documents, report } = await open('bad.jsonl', content);
    expect(documents).toBe(3);
    expect(report.badRows).toBe(3);
    expect(report.firstBad).toEqual([
      expect.stringMatching(/^line 2: it is no JSON/),
      'line 3: it is no JSON object',
      'line 5: it has no text',
    ]);
    expect(talliesOf(report)[0]?.[0]).toContain('rows that are no documents (line 2');
  });

  it('numbers repeated ids', async () => {
    const row = { id: 'x', title: 'X', text: 'one' };
    const { retriever, report } = await open(
      'repeated.jsonl',
      lines(row, { ...row, text: 'two' }, { ...row, text: 'three' }),
    );
    expect(report).toMatchObject({ repeatedIds: 2, firstRepeated: ['x', 'x'] });
    expect(['x', 'x#2', 'x#3'].map((id) => retriever.documentNow(id)?.contents)).toEqual([
      '"X"\none',
      '"X"\ntwo',
      '"X"\nthree',
    ]);
    await retriever.close();
  });

  it('numbers repeated ids with at most two trials each, however many ids repeat', async () => {
    const file = at('many-ids.jsonl');
    const ids = Array.from({ length: 10_500 }, (_, number) => `{"id":${number},"text":"a"}`).join('\n');
    await writeFile(file, Array.from({ length: 6 }, () => ids).join('\n'));
    const seen = new Set<string>();
    let trials = 0;
    for await (const batch of new CorpusSource(file, {}, usualLimits).documents(signal, (id) => {
      trials += 1;
      return !seen.has(id) && seen.add(id) !== undefined;
    }))
      expect(batch.length).toBeGreaterThan(0);
    expect(seen).toContain('10499#6');
    expect(trials).toBe(10_500 * 11); // once for the first, twice for each of five repeats
  });

  it('cuts long texts, skips rows above the limit, and keeps no more than a row in memory', async () => {
    const content = lines(
      { id: 1, title: 'A', text: 'long '.repeat(50) },
      { id: 2, title: 'B', text: 'x'.repeat(2_000) },
      { id: 3, title: 'C', text: 'short' },
    );
    const { retriever, report } = await open('long.jsonl', content, {
      limits: { rowBytes: 1_000, textCharacters: 100 },
    });
    expect(report).toMatchObject({
      badRows: 1,
      cutTexts: 1,
      firstBad: ['line 2: it has more than 1000 bytes'],
    });
    expect(retriever.documentNow('1')?.contents).toHaveLength(100);
    await retriever.close();
  });

  it('reads gzip, UTF-16 and Windows-1252', async () => {
    const row = { id: 'é', title: 'Émile', text: 'crème brûlée' };
    for (const [name, content] of [
      ['a.jsonl.gz', gzipSync(lines(row))],
      ['b.jsonl', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(lines(row), 'utf16le')])],
      ['c.jsonl', Buffer.from(lines(row), 'latin1')],
      ['d.jsonl', Buffer.from(`\uFEFF${lines(row)}`)],
    ] as const) {
      const { retriever, report } = await open(name, content);
      expect(retriever.documentNow('é')?.contents, name).toBe('"Émile"\ncrème brûlée');
      expect(report.oddEncodings, name).toBe(name === 'c.jsonl' ? 1 : 0);
      await retriever.close();
    }
  });

  it.each([
    ['empty.jsonl', '', 'it has no documents'],
    ['text.jsonl', 'not json\nat all\n', '2 of its first 2 rows are no documents'],
    ['columns.jsonl', '{"name": "x"}', 'it has no text. It has name.'],
    ['file.txt', 'x', 'the end of its name'],
    ['cut.jsonl.gz', gzipSync(wiki.repeat(50)).subarray(0, 60), 'it is no complete gzip file'],
  ])('refuses %s', async (name, content, what) => {
    await expect(open(name, content)).rejects.toThrow(what);
  });

  it('refuses a missing file and a named column that is missing', async () => {
    await expect(open('none.jsonl', undefined)).rejects.toThrow('there is no such file');
    await expect(open('wiki2.jsonl', wiki, { fields: { text: 'body' } })).rejects.toThrow(
      'it has no column "body" for the text. It has id, contents.',
    );
  });
});

describe('a corpus in CSV', () => {
  it('reads quotes, line breaks and bad records', async () => {
    const content = 'id,title,text\n1,A,"red, and\nround"\n2,B\n3,C,"blue ""kite"""\n';
    const { retriever, report, documents } = await open('table.csv', content);
    expect(documents).toBe(2);
    expect(report.badRows).toBe(1);
    expect(retriever.documentNow('1')?.contents).toBe('"A"\nred, and\nround');
    expect(retriever.documentNow('3')?.contents).toBe('"C"\nblue "kite"');
    await retriever.close();
  });

  it.each([
    ['never', '11,K,"open'],
    ['later, in the middle of a field', '11,K,"open\n12,L,"shut" or not'],
  ])('loses one line to a quote that closes %s', async (name, broken) => {
    const rows = Array.from({ length: 300 }, (_, number) => `${number + 20},T,"kite, ${number}"`);
    const content = ['id,title,text', '1,A,"two\nlines"', broken, ...rows].join('\n');
    const { report, documents } = await open(`${name}.csv`, content);
    expect(report.firstBad).toEqual(['line 4: its quote does not close']);
    expect(documents).toBe(broken.includes('12') ? 302 : 301);
  });

  it('gives a quote up after a number of lines, and reads on', () => {
    const bad: number[] = [];
    const records = new CsvRecords(',', { lines: 3, characters: 1_000 }, (line) => bad.push(line));
    const text = ['a,"b', 'c', 'd', 'e,"f', 'g"', 'h'].map((line, at) => records.push(at + 1, line)).join('');
    expect([text + records.end(), bad]).toEqual(['\nc\nd\ne,"f\ng"\nh\n', [1]]);
  });

  it('reads tabs', async () => {
    const { retriever } = await open('table.tsv', 'id\ttitle\ttext\n1\tA\tred kite\n');
    expect(retriever.documentNow('1')?.contents).toBe('"A"\nred kite');
    await retriever.close();
  });
});

describe('a corpus in Parquet', () => {
  it('reads zstd and whole numbers as ids', async () => {
    await copyFile('test/fixtures/search/corpus-zstd.parquet', at('table.parquet'));
    const { retriever, documents, rebuilds } = await open('table.parquet', undefined);
    expect([documents, rebuilds]).toEqual([3, []]);
    expect(retriever.documentNow('9')?.contents).toBe('"Émile Ørsted"\nA maker of clocks; 時計.');
    await retriever.close();
  });

  it('refuses a file that is cut off', async () => {
    const whole = await readFile('test/fixtures/search/corpus-zstd.parquet');
    await expect(open('cut.parquet', whole.subarray(0, 900))).rejects.toThrow('it cannot be read as Parquet');
  });
});

describe('the stored index of a corpus', () => {
  async function folderOf(name: string): Promise<string> {
    const before = new Set(await readdir(at('cache')).catch(() => []));
    const { retriever } = await open(name, wiki);
    await retriever.close();
    const [made] = (await readdir(at('cache'))).filter((entry) => !before.has(entry));
    return at('cache', made ?? '');
  }

  it('a stored index is used while the content is the same, also after a touch', async () => {
    await folderOf('same.jsonl');
    await utimes(at('same.jsonl'), 1, 1);
    const { retriever, rebuilds } = await open('same.jsonl', undefined);
    await retriever.close();
    expect(rebuilds).toEqual([]);
  });

  it('a stored index is built again when the content changes', async () => {
    await folderOf('changed.jsonl');
    const { retriever, rebuilds } = await open('changed.jsonl', wiki.replace('painter', 'printer'));
    expect(rebuilds).toEqual(['the corpus file has changed']);
    expect(retriever.searchNow('printer', 1)).toHaveLength(1);
    await retriever.close();
  });

  it.each(['documents.bin', 'tables.bin', 'text.index', 'manifest.json'])(
    'a stored index is built again when %s is cut off',
    async (part) => {
      const folder = await folderOf(`cut-${part}.jsonl`);
      const { size } = await stat(join(folder, part));
      await truncate(join(folder, part), size - 7);
      const { retriever, rebuilds } = await open(`cut-${part}.jsonl`, undefined);
      expect(rebuilds).toHaveLength(1);
      expect(retriever.searchNow('painter', 1)).toHaveLength(1);
      await retriever.close();
    },
  );

  it('a stored index of another version is built again', async () => {
    const folder = await folderOf('version.jsonl');
    const manifest = await readFile(join(folder, 'manifest.json'), 'utf8');
    await writeFile(join(folder, 'manifest.json'), manifest.replace('"3 index', '"0 index'));
    const { retriever, rebuilds } = await open('version.jsonl', undefined);
    expect(rebuilds).toEqual(['its seal is not that of its content']);
    await retriever.close();
  });
});
