import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createMemoryRetriever } from '../../../envs/engines/retrieval/memory-retriever.ts';
import { PythonFloat, writePythonJson } from '../../../serve/search/python-json.ts';
import { SearchApi } from '../../../serve/search/search-api.ts';
import { startSearchServer, type SearchServer } from '../../../serve/search/search-server.ts';
import { readFixture } from '../../support/read-fixture.ts';

const retriever = createMemoryRetriever({}, [
  { id: '0', contents: '"Mira Dolven"\nA painter of "glass"; über 時計.' },
  { id: '1', contents: '"Tarn Hollow"\nA town.' },
  { id: 'http://w/index.php?title=X', contents: '"X"\nAnother town.' },
]);

async function start(
  options: {
    readonly token?: string;
    readonly hasUrls?: boolean;
    readonly over?: typeof retriever;
  } = {},
): Promise<SearchServer> {
  const { token, hasUrls = false, over = retriever } = options;
  const server = await startSearchServer({
    api: new SearchApi({ retriever: over, topk: 3, hasUrls }),
    host: '127.0.0.1',
    port: 0,
    token,
  });
  onTestFinished(() => server.close());
  return server;
}

async function post(url: string, body: unknown): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

describe('the search server', () => {
  it("answers /retrieve byte by byte as Search-R1's server does", async () => {
    const { url } = await start();
    const scored = await post(`${url}/retrieve`, {
      queries: ['glass painter', 'none'],
      topk: 3,
      return_scores: true,
    });
    expect(scored.text).toMatch(
      /^\{"result":\[\[\{"document":\{"id":"0","contents":"\\"Mira Dolven\\"\\nA painter of \\"glass\\"; über 時計\."\},"score":\d\.\d+\}\],\[\]\]\}$/,
    );
    const bare = await post(`${url}/retrieve`, { queries: ['hollow'] });
    expect(bare.text).toBe('{"result":[[{"id":"1","contents":"\\"Tarn Hollow\\"\\nA town."}]]}');
  });

  // Recorded by bench/search/search-r1-client.py, which found it equal to what FastAPI 0.165.0 sends.
  it("answers Search-R1's client with the recorded bytes", async () => {
    const documents = readFixture('search/client-corpus.jsonl')
      .trim()
      .split('\n')
      .map((line) => z.strictObject({ id: z.string(), contents: z.string() }).parse(JSON.parse(line)));
    const { url } = await start({ over: createMemoryRetriever({}, documents) });
    const queries = [
      'glass painter of the tower',
      'über 時計 emoji',
      'town',
      'nothing has these words qqq',
      '',
    ];
    const { text } = await post(`${url}/retrieve`, { queries, topk: 3, return_scores: true });
    expect(text).toBe(readFixture('search/client-answer.txt'));
  });

  it("answers /access as ASearcher's server does, with its other form of address", async () => {
    const { url } = await start({ hasUrls: true });
    const { text } = await post(`${url}/access`, { urls: ['1', 'nowhere', 'http://w/index.php/X'] });
    expect(JSON.parse(text)).toEqual({
      result: [
        { url: '1', contents: '"Tarn Hollow"\nA town.' },
        null,
        { url: 'http://w/index.php?title=X', contents: '"X"\nAnother town.' },
      ],
    });
    const found = await post(`${url}/retrieve`, { queries: ['hollow'], topk: 1 });
    expect(JSON.parse(found.text)).toMatchObject({ result: [[{ id: '1', url: '1' }]] });
  });

  it.each([
    ['/retrieve', '{', 422],
    ['/retrieve', { queries: 'glass' }, 422],
    ['/retrieve', { queries: ['x'], topk: -1 }, 422],
    ['/retrieve', { queries: ['x'], topk: 5_000_000 }, 422],
    ['/access', { urls: [1] }, 422],
    ['/other', {}, 404],
    ['/retrieve', JSON.stringify({ queries: ['x'.repeat(9_000_000)] }), 413],
  ])('refuses %s of %j', async (path, body, status) => {
    const { url } = await start();
    expect((await post(url + path, body)).status).toBe(status);
  });

  it('takes empty queries, queries full of operators, and queries of a megabyte', async () => {
    const { url } = await start();
    const queries = ['', '   ', '+(-*?~^"[]{}:\\/ AND OR NOT', `${'tower '.repeat(170_000)}hollow`];
    const { status, text } = await post(`${url}/retrieve`, { queries });
    expect([status, JSON.parse(text)]).toEqual([200, { result: [[], [], [], []] }]);
  });

  it('needs its token in the path, and none on loopback', async () => {
    const { url } = await start({ token: 'a-token-of-16-characters' });
    expect((await post(`${url}/retrieve`, { queries: [] })).status).toBe(200);
    expect((await post(`${new URL(url).origin}/retrieve`, { queries: [] })).status).toBe(403);
    const options = { api: new SearchApi({ retriever, topk: 3, hasUrls: false }), host: '0.0.0.0', port: 0 };
    await expect(startSearchServer(options)).rejects.toThrow('there is no token');
  });

  it('answers 200 clients at once without an error', async () => {
    const { url } = await start();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, client) =>
        post(`${url}/retrieve`, { queries: [client % 2 === 0 ? 'glass' : 'town'], return_scores: true }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(2);
  });
});

describe("Python's JSON", () => {
  // json.dumps(value, ensure_ascii=False, separators=(',', ':')) of Python 3.11
  it.each([
    [3, '3.0'],
    [2.5, '2.5'],
    [1e22, '1e+22'],
    [1.5e-7, '1.5e-07'],
    [12.345600128173828, '12.345600128173828'],
  ])('writes the float %d', (value, text) => {
    expect(writePythonJson(new PythonFloat(value))).toBe(text);
  });

  it('writes texts, lists and objects without blanks', () => {
    expect(writePythonJson({ a: [1, true, null, 'é\u2028"\n\u001f\u007f'] })).toBe(
      '{"a":[1,true,null,"é\u2028\\"\\n\\u001f\u007f"]}',
    );
  });
});
