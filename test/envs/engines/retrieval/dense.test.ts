import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { FaultError } from '../../../../envs/core/errors.ts';
import { createRng } from '../../../../envs/core/rng.ts';
import { openCorpus } from '../../../../envs/engines/retrieval/corpus/open-corpus.ts';
import { createEmbedder, denseSchema } from '../../../../envs/engines/retrieval/dense/embedder.ts';
import { fuseRankings } from '../../../../envs/engines/retrieval/dense/fuse.ts';
import { openDense } from '../../../../envs/engines/retrieval/dense/open-dense.ts';
import { unitVector } from '../../../../envs/engines/retrieval/dense/unit-vector.ts';
import { VectorTable } from '../../../../envs/engines/retrieval/dense/vector-table.ts';
import { createMemoryRetriever } from '../../../../envs/engines/retrieval/memory-retriever.ts';
import { useFolder } from '../../../support/own-folder.ts';
import { startServer, type Conduct } from '../../../support/stub-server.ts';

const at = useFolder();
const { signal } = new AbortController();

const requestSchema = z.looseObject({ input: z.array(z.string()) });
type Request = z.output<typeof requestSchema>;

/** Vectors of two numbers: how much a text is about the sea, and about bread. */
const vectorOf = (text: string): number[] => [
  /boat|sea|harbour/.test(text) ? 2 : 0.1,
  /bread|baker|loaf/.test(text) ? 2 : 0.1,
];
const embedding = ({ input }: Request): Conduct => ({
  kind: 'json',
  body: {
    data: input.map((text, index) => ({ index, embedding: vectorOf(text) })).toReversed(),
  },
});

async function serverOf(script: (body: Request, number: number) => Conduct = embedding) {
  const server = await startServer(requestSchema, ({ body, number }) => script(body, number), []);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

const settings = (url: string, more: object = {}) =>
  denseSchema.parse({ url, model: 'm', retries: 0, timeoutMs: 60_000, ...more });

const documents = [
  { id: 'a', contents: '"Ada"\nAda owns a boat.' },
  { id: 'b', contents: '"Bo"\nBo is a baker.' },
  { id: 'c', contents: '"Cy"\nCy likes vessels.' },
];

async function opened(url: string, more: object = {}, file = at('vectors.bin')) {
  const base = createMemoryRetriever({ kind: 'three' }, documents);
  const told: string[] = [];
  const retriever = await openDense(base, settings(url, more), {
    given: undefined,
    fileOf: () => file,
    key: undefined,
    now: () => 0,
    signal,
    onAdvance: () => undefined,
    onRebuild: (why) => told.push(why),
  });
  onTestFinished(() => retriever.close());
  return { retriever, told };
}

describe('vectors', () => {
  it('a vector gets length 1, and is refused without a direction', () => {
    expect(unitVector([3, 0, 4])).toEqual(Float32Array.of(0.6, 0, 0.8));
    expect(unitVector([1e300, 1e300])).toEqual(Float32Array.of(Math.SQRT1_2, Math.SQRT1_2));
    expect(unitVector([0, -0])).toBe('has the length 0, so it has no direction');
    expect(unitVector([1, Number.NaN])).toBe('has NaN at place 1, which is no finite number');
    expect(unitVector([1, null])).toBe('has object at place 1, which is no finite number');
    expect(unitVector([])).toContain('has 0 numbers');
    expect(unitVector('1,2')).toBe('is no list of numbers');
  });

  it('a scan finds vectors in the order of their cosines', async () => {
    const rng = createRng(1);
    const dimensions = 7;
    const rows = Array.from({ length: 500 }, () =>
      unitVector(Array.from({ length: dimensions }, () => rng.uniform() - 0.5)),
    ).filter((row) => typeof row !== 'string');
    const table = new VectorTable(dimensions);
    for (const row of rows) table.add(row);
    const query = rows[123] as Float32Array;
    const cosine = (row: Float32Array): number =>
      row.reduce((sum, value, place) => sum + value * (query[place] as number), 0);
    const wanted = [...rows.keys()].toSorted(
      (a, b) => cosine(rows[b] as Float32Array) - cosine(rows[a] as Float32Array),
    );
    const found = await table.best(query, 10, signal);
    expect(found.map(({ document }) => document)).toEqual(wanted.slice(0, 10));
    expect(found[0]?.score).toBeCloseTo(1, 6);
  });
});

describe('reciprocal rank fusion', () => {
  it('adds 1 / (60 + rank) over the rankings', () => {
    const ranking = (...numbers: number[]) => numbers.map((document) => ({ document, score: 0 }));
    expect(fuseRankings([ranking(5, 2, 9), ranking(2, 7)], 3)).toEqual([
      { document: 2, score: 1 / 62 + 1 / 61 },
      { document: 5, score: 1 / 61 },
      { document: 7, score: 1 / 62 },
    ]);
    expect(fuseRankings([ranking(4), ranking(3)], 2).map(({ document }) => document)).toEqual([3, 4]);
  });
});

describe('a dense retriever', () => {
  it('fuses BM25 with the vectors of a server, and stores these', async () => {
    const server = await serverOf();
    const { retriever } = await opened(server.url, { queryPrefix: 'q: ', documentPrefix: 'd: ' });
    expect(server.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      body: {
        model: 'm',
        encoding_format: 'float',
        input: documents.map(({ contents }) => `d: ${contents}`),
      },
    });
    const hits = await retriever.search('vessels at sea', 3, signal);
    expect(hits.map(({ id }) => id)).toEqual(['c', 'a', 'b']); // a: vectors alone; c: also by its word
    expect(server.requests[1]?.body.input).toEqual(['q: vessels at sea']);
    await retriever.search('vessels at sea', 3, signal);
    expect(await retriever.search('  ', 3, signal)).toEqual([]);
    expect(server.requests).toHaveLength(2);
    await opened(server.url, { queryPrefix: 'q: ', documentPrefix: 'd: ' });
    expect(server.requests).toHaveLength(2);
    const other = await opened(server.url, { ranking: 'dense' });
    expect(other.told).toEqual(['its vectors are of other documents']);
    expect((await other.retriever.search('loaf', 1, signal)).map(({ id }) => id)).toEqual(['b']);
  });

  it.each([
    ['another number of vectors', { data: [] }, 'it has 0 vectors for 1 texts'],
    ['a length of 0', { data: [{ embedding: [0, 0] }] }, 'vector 0 has the length 0'],
    ['something else than numbers', { data: [{ embedding: [1, 'NaN'] }] }, 'vector 0 has string at place 1'],
    ['other dimensions', { data: [{ embedding: [1, 2, 3] }] }, 'has 3 numbers, and 2 are expected'],
    ['a wrong index', { data: [{ index: 1, embedding: [1, 2] }] }, 'the index 1 is repeated or too high'],
  ])('a server that answers with %s is a fault', async (_, body, what) => {
    const server = await serverOf();
    const { retriever } = await opened(server.url);
    const broken = await serverOf(() => ({ kind: 'json', body }));
    const embedder = createEmbedder(settings(broken.url), { key: undefined, now: () => 0 });
    onTestFinished(() => embedder.close());
    embedder.expect(2);
    await expect(embedder.queries(['x'], signal)).rejects.toThrow(what);
    await expect(embedder.queries(['x'], signal)).rejects.toSatisfy(
      (thrown) =>
        FaultError.is(thrown) && thrown.fault.kind === 'retriever-failed' && thrown.fault.code === 'shape',
    );
    expect(retriever.size).toBe(3);
  });

  it('goes on where the making of vectors was interrupted', async () => {
    const many = Array.from({ length: 2_500 }, (_, number) => ({
      id: String(number),
      contents: `"${number}"\nboat`,
    }));
    const build = async (url: string) => {
      const retriever = await openDense(
        createMemoryRetriever({ many: 1 }, many),
        settings(url, { batch: 512 }),
        {
          given: undefined,
          fileOf: () => at('many.bin'),
          key: undefined,
          now: () => 0,
          signal,
          onAdvance: () => undefined,
          onRebuild: () => undefined,
        },
      );
      await retriever.close();
    };
    const failing = await serverOf((body, number) =>
      number < 2 ? embedding(body) : { kind: 'json', status: 400, body: {} },
    );
    await expect(build(failing.url)).rejects.toThrow('answered 400');
    const server = await serverOf();
    await build(server.url);
    expect(server.requests.reduce((sum, { body }) => sum + body.input.length, 0)).toBe(1_476);
    expect((await readdir(at('.'))).filter((name) => name.includes('many'))).toEqual(['many.bin']);
    await build(server.url);
    expect(server.requests).toHaveLength(3);
    const handle = await open(at('many.bin'), 'r+');
    await handle.write(Buffer.from([255]), 0, 1, 3_000);
    await handle.close();
    await build(server.url);
    expect(server.requests.length).toBeGreaterThan(3);
  });
});

describe('vectors of a corpus', () => {
  const lines = (...rows: readonly unknown[]): string => rows.map((row) => JSON.stringify(row)).join('\n');

  it('a column has them; rows without a usable vector are bad rows', async () => {
    const file = at('with.jsonl');
    await writeFile(
      file,
      lines(
        { id: 'a', text: 'one', title: 'A', v: [1, 0] },
        { id: 'b', text: 'two', title: 'B', v: [0, 5] },
        { id: 'c', text: 'three', title: 'C', v: [0, 0] },
        { id: 'd', text: 'four', title: 'D', v: [1, 2, 3] },
        { id: 'e', text: 'five', title: 'E' },
        { id: 'f', text: 'six', title: 'F', v: [3, 4] },
      ),
    );
    for (let time = 0; time < 2; time += 1) {
      const corpus = await openCorpus(file, { fields: { vector: 'v' }, cacheFolder: at('cache'), signal });
      expect(corpus.report.firstBad).toEqual([
        'line 3: its v has the length 0, so it has no direction',
        'line 4: its v has 3 numbers, and the first one has 2',
        'line 5: its v is no list of numbers',
      ]);
      const found = await corpus.vectors?.best(Float32Array.of(0, 1), 3, signal);
      expect(found?.map(({ document }) => document)).toEqual([1, 2, 0]);
      await corpus.retriever.close();
    }
  });

  // test/fixtures/search/make-vectors.py wrote the file.
  it.each(['v', 'w', 'f'])('a list of Parquet has them: column %s', async (vector) => {
    const file = 'test/fixtures/search/corpus-vectors.parquet';
    const corpus = await openCorpus(file, { fields: { vector }, cacheFolder: at('parquet'), signal });
    expect(corpus.report.firstBad).toEqual([
      `row 3: its ${vector} is no list of numbers`,
      `row 4: its ${vector} has object at place 1, which is no finite number`,
    ]);
    const found = await corpus.vectors?.best(Float32Array.of(0, 1), 3, signal);
    expect(found).toEqual([
      { document: 1, score: 1 },
      { document: 2, score: Math.fround(0.8) },
      { document: 0, score: 0 },
    ]);
    expect(corpus.retriever.documentAt(2).id).toBe('e');
    await corpus.retriever.close();
  });

  it('a cell of a CSV file has one as a JSON list', async () => {
    const file = at('cells.csv');
    await writeFile(
      file,
      'id,title,text,v\na,A,one,"[1, 0]"\nb,B,two,"[0, 5e3]"\nc,C,three,"[1"\nd,D,four,1 2\n',
    );
    const corpus = await openCorpus(file, { fields: { vector: 'v' }, cacheFolder: at('cells'), signal });
    expect(corpus.report.firstBad).toEqual([
      'line 4: its v is no list of numbers',
      'line 5: its v is no list of numbers',
    ]);
    const found = await corpus.vectors?.best(Float32Array.of(0, 1), 1, signal);
    expect(found).toEqual([{ document: 1, score: 1 }]);
    await corpus.retriever.close();
  });

  it('a file of vectors that is cut off is built again', async () => {
    const file = at('cut.jsonl');
    await writeFile(file, lines({ id: 'a', title: 'A', text: 'one', v: [1, 0] }));
    const told: string[] = [];
    const options = {
      fields: { vector: 'v' },
      cacheFolder: at('cut'),
      signal,
      onRebuild: (why: string) => told.push(why),
    };
    await (await openCorpus(file, options)).retriever.close();
    const [folder = ''] = await readdir(at('cut'));
    const stored = at(`cut/${folder}/vectors.bin`);
    await writeFile(stored, (await readFile(stored)).subarray(0, -1));
    await (await openCorpus(file, options)).retriever.close();
    expect(told).toEqual(['its vectors are damaged or cut off']);
  });
});
