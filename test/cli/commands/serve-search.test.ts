import { EventEmitter } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { commands } from '../../../cli/commands.ts';
import { runCairn } from '../../../cli/program/run-cairn.ts';
import { createTerminal } from '../../../cli/terminal/terminal.ts';
import { cairn, Collector } from '../../support/command-line.ts';
import { useFolder } from '../../support/own-folder.ts';
import { startServer } from '../../support/stub-server.ts';

const at = useFolder();
const printedSchema = z.looseObject({ url: z.string(), documents: z.number() });

/** Serves until `use` is done, then interrupts. */
async function serving(
  words: readonly string[],
  use: (url: string, documents: number) => Promise<void>,
): Promise<string> {
  const out = new Collector();
  const err = new Collector();
  const signals = new EventEmitter();
  const listening = new Promise<void>((resolve) => {
    const write = out._write.bind(out);
    out._write = (chunk: Buffer, encoding: string, done: () => void): void => {
      write(chunk, encoding, done);
      resolve();
    };
  });
  const ended = runCairn(['serve', 'search', '--port', '0', '--json', ...words], commands, {
    terminal: createTerminal({ out, err, environment: {} }),
    stdin: Readable.from([]),
    environment: {},
    now: () => performance.now(),
    wallClock: () => 0,
    signals,
    kill: () => undefined,
    version: '9.9.9',
  });
  const early = await Promise.race([listening, ended]);
  expect(early, err.text).toBeUndefined();
  try {
    const { url, documents } = printedSchema.parse(JSON.parse(out.text));
    await use(url, documents);
  } finally {
    signals.emit('SIGINT', 'SIGINT');
  }
  expect(await ended).toBe(130);
  return err.text;
}

const retrieve = async (url: string, body: object): Promise<unknown> => {
  const answer = await fetch(`${url}/retrieve`, { method: 'POST', body: JSON.stringify(body) });
  return answer.json();
};

describe('npx cairn-gym serve search', () => {
  it('serves a corpus by its columns, and says what was skipped', async () => {
    const file = at('corpus.csv');
    await writeFile(
      file,
      'url,name,body\nhttp://a/1,Mira,a glass painter\nhttp://a/2,Tarn\nhttp://a/3,Hollow,a town\n',
    );
    const words = [
      '--corpus',
      file,
      '--id-field',
      'url',
      '--title-field',
      'name',
      '--text-field',
      'body',
      '--cache-folder',
      at('cache'),
    ];
    const told = await serving(words, async (url, documents) => {
      expect(documents).toBe(2);
      expect(await retrieve(url, { queries: ['painter'] })).toEqual({
        result: [[{ id: 'http://a/1', url: 'http://a/1', contents: '"Mira"\na glass painter' }]],
      });
    });
    expect(told).toContain('rows that are no documents (line 3');
  });

  it('serves an index on disk, which cairn-gym index built', async () => {
    const file = at('indexed.csv');
    await writeFile(
      file,
      'url,name,body\nhttp://a/1,Mira,a glass painter\nhttp://a/2,Tarn\nhttp://a/3,B,a town\n',
    );
    const index = at('indexed.index');
    const columns = ['--title-field', 'name', '--text-field', 'body'];
    const built = await cairn(['index', file, '--out', index, ...columns]);
    expect(built.code).toBe(0);
    expect(built.out).toMatch(/indexed.index: 2 documents, \d+ MiB/);
    expect(built.err).toContain('rows that are no documents (line 3');
    expect(built.out).toContain('The index holds the texts');
    const again = await cairn(['index', file, '--out', index, ...columns]);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('it exists already')]);
    const told = await serving(['--index', index], async (url, documents) => {
      expect(documents).toBe(2);
      expect(await retrieve(url, { queries: ['painter'] })).toEqual({
        result: [[{ id: 'http://a/1', url: 'http://a/1', contents: '"Mira"\na glass painter' }]],
      });
    });
    expect(told).toContain('rows that are no documents (line 3');
    await writeFile(file, 'id,title,text\n1,A,other\n');
    const changed = await cairn(['serve', 'search', '--index', index, '--corpus', file]);
    expect([changed.code, changed.err]).toEqual([2, expect.stringContaining('the corpus has changed')]);
  });

  it('prints the index as JSON, beside the corpus where no file is named', async () => {
    const file = at('beside.jsonl');
    await writeFile(file, '{"id":"a","text":"red"}\n');
    const { out } = await cairn(['index', file, '--json']);
    expect(JSON.parse(out)).toMatchObject({
      index: `${file}.index`,
      documents: 1,
      texts: 'corpus',
      report: { badRows: 0 },
    });
  });

  it('serves the generated world where no corpus is named', async () => {
    await serving(['--set', 'world.documents=2000'], async (url, documents) => {
      expect(documents).toBe(2_000);
      expect(await retrieve(url, { queries: ['mayor', 'author'], topk: 2 })).toMatchObject({
        result: [
          [{}, {}],
          [{}, {}],
        ],
      });
    });
  });

  it('ranks a corpus by its vectors too', async () => {
    const server = await startServer(
      z.looseObject({ input: z.array(z.string()) }),
      ({ body }) => ({ kind: 'json', body: { data: body.input.map(() => ({ embedding: [0, 1] })) } }),
      [],
    );
    onTestFinished(() => server[Symbol.asyncDispose]());
    const file = at('vectors.jsonl');
    await writeFile(
      file,
      '{"id":"a","title":"A","text":"red","v":[1,0]}\n{"id":"b","title":"B","text":"blue","v":[1,9]}\n',
    );
    const dense = ['--set', `backend.dense.url=${server.url}`, '--set', 'backend.dense.model=m'];
    const words = ['--corpus', file, '--vector-field', 'v', ...dense, '--cache-folder', at('vectors')];
    await serving(words, async (url) => {
      const body = { queries: ['red'], topk: 2, return_scores: true };
      expect(await retrieve(url, body)).toMatchObject({
        result: [
          [
            { document: { id: 'a' }, score: 1 / 61 + 1 / 62 },
            { document: { id: 'b' }, score: 1 / 61 },
          ],
        ],
      });
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    [['--corpus', 'x.jsonl', '--vector-field', 'v'], 'fields.vector needs dense'],
    [['--corpus', 'x.jsonl', '--set', 'backend.kind=http'], 'both name the documents'],
    [['--panel', 'test'], '--panel: does not belong to search'],
    [['--id-field', 'x'], 'columns are named, but no corpus'],
    [['--index', 'x', '--id-field', 'y'], 'columns are named, but the index was built with its own'],
    [['--index', 'x', '--set', 'backend.kind=world'], '--index and --set backend both name the documents'],
    [['--index', 'no-such-file.index'], 'there is no such file'],
    [['--corpus', 'no-such-file.jsonl'], 'there is no such file'],
    [['--set', 'backend.kind=http', '--set', 'backend.url=http://x'], 'another server cannot be served'],
  ])('refuses %j', async (words, what) => {
    const ran = await cairn(['serve', 'search', ...words]);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining(what)]);
  });

  it('refuses flags of the search for the shop', async () => {
    const ran = await cairn(['serve', 'shop', '--corpus', 'x']);
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('--corpus: does not belong to shop')]);
  });
});
