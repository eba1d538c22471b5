import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { FaultError } from '../../../../envs/core/errors.ts';
import {
  createHttpRetriever,
  httpRetrieverSchema,
} from '../../../../envs/engines/retrieval/http/http-retriever.ts';
import { longestQuery, plainQuery } from '../../../../envs/engines/retrieval/retriever.ts';
import { splitPage } from '../../../../envs/engines/retrieval/split-page.ts';
import { startServer, type Conduct } from '../../../support/stub-server.ts';

const { signal } = new AbortController();
setMaxListeners(0, signal);

async function against(script: (path: string, number: number) => Conduct, settings: object = {}) {
  const server = await startServer(z.unknown(), ({ path, number }) => script(path, number), []);
  const url = server.url.replace(/\/v1$/, '');
  const retriever = createHttpRetriever(
    httpRetrieverSchema.parse({ url, retries: 0, timeoutMs: 60_000, ...settings }),
    () => performance.now(),
  );
  onTestFinished(async () => {
    await retriever.close();
    await server[Symbol.asyncDispose]();
  });
  return { retriever, server };
}

const found = (...documents: readonly object[]): Conduct => ({ kind: 'json', body: { result: [documents] } });

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (thrown) {
    if (FaultError.is(thrown) && thrown.fault.kind === 'retriever-failed') return thrown.fault.code;
    throw thrown;
  }
  throw new Error('nothing failed');
}

describe('a retrieval server', () => {
  it('a server is asked in the form of Search-R1, once for equal queries', async () => {
    const { retriever, server } = await against(() =>
      found(
        { document: { id: '7', contents: '"A"\nred' }, score: 2.5 },
        { document: { contents: '"B"\nblue' }, score: 1 },
      ),
    );
    const hits = [
      { id: '7', title: 'A', text: 'red', score: 2.5 },
      { id: 'B', title: 'B', text: 'blue', score: 1 },
    ];
    expect(await retriever.search('  red\nkite ', 2, signal)).toEqual(hits);
    expect(await retriever.search('red kite', 2, signal)).toEqual(hits);
    expect(server.requests).toMatchObject([
      { path: '/retrieve', body: { queries: ['red kite'], topk: 2, return_scores: true } },
    ]);
  });

  it('may answer without scores, with titles and texts, and with no document', async () => {
    const { retriever } = await against((_path, number) =>
      number === 0 ? found({ id: 1, title: 'A', text: 'red' }) : found(),
    );
    expect(await retriever.search('a', 3, signal)).toEqual([{ id: '1', title: 'A', text: 'red', score: 1 }]);
    expect(await retriever.search('b', 3, signal)).toEqual([]);
  });

  it('gives pages by /access, or from hits where it has none', async () => {
    const { retriever } = await against((_path, number) =>
      number === 0
        ? { kind: 'json', body: { result: [{ url: 'u', contents: '"A"\nwhole page' }] } }
        : { kind: 'json', body: { result: [null] } },
    );
    expect(await retriever.open('u', signal)).toEqual({ id: 'u', title: 'A', parts: ['whole page'] });
    expect(await retriever.open('v', signal)).toBeUndefined();
    const other = await against(() => found({ id: 'x', contents: '"X"\ntext' }), { access: 'hits' });
    await other.retriever.search('x', 1, signal);
    expect(await other.retriever.open('x', signal)).toMatchObject({ title: 'X', parts: ['text'] });
    expect(other.server.requests).toHaveLength(1);
  });

  it.each<readonly [string, Conduct, string]>([
    ['resets the connection', { kind: 'reset' }, 'unreachable'],
    ['sends half of an answer', { kind: 'half-body' }, 'unreachable'],
    ['answers 500', { kind: 'json', status: 500, body: { detail: 'x' } }, 'status'],
    ['answers 404', { kind: 'json', status: 404, body: { detail: 'Not Found' } }, 'status'],
    ['answers no JSON', { kind: 'text', type: 'text/html', body: '<html>' }, 'shape'],
    ['answers another object', { kind: 'json', body: { results: [] } }, 'shape'],
    ['answers for two queries', { kind: 'json', body: { result: [[], []] } }, 'shape'],
    ['sends documents without a text', found({ id: 1 }), 'shape'],
    ['sends more than it may', { kind: 'flood' }, 'too-large'],
  ])('a server that %s is a fault', async (_what, conduct, code) => {
    const { retriever } = await against(() => conduct);
    expect(await codeOf(retriever.search('x', 3, signal))).toBe(code);
  });

  it.each<Conduct>([{ kind: 'silence' }, { kind: 'drip' }])(
    'a late server is a fault: %s',
    async (conduct) => {
      const { retriever } = await against(() => conduct, { timeoutMs: 50 });
      expect(await codeOf(retriever.search('x', 3, signal))).toBe('late');
    },
  );

  it('a server is asked again as often as allowed, for what may pass', async () => {
    const busy: Conduct = { kind: 'json', status: 503, body: {} };
    const { retriever, server } = await against((_path, number) => (number < 2 ? busy : found()), {
      retries: 2,
    });
    expect(await retriever.search('x', 3, signal)).toEqual([]);
    expect(server.requests).toHaveLength(3);
    const never = await against(() => ({ kind: 'json', status: 400, body: {} }), { retries: 2 });
    expect(await codeOf(never.retriever.search('x', 3, signal))).toBe('status');
    expect(never.server.requests).toHaveLength(1);
  });

  it('stops at the abort of the caller', async () => {
    const { retriever } = await against(() => ({ kind: 'silence' }));
    const stop = new AbortController();
    const work = retriever.search('x', 3, stop.signal);
    stop.abort(new Error('enough'));
    await expect(work).rejects.toThrow('enough');
  });

  it('gets no more requests at once than allowed', async () => {
    const { retriever, server } = await against(() => ({ ...found(), delayMs: 5 }) as Conduct, {
      concurrency: 3,
    });
    await Promise.all(Array.from({ length: 20 }, (_, at) => retriever.search(`q ${at}`, 3, signal)));
    expect(server.underWay.most).toBeLessThanOrEqual(3);
    expect(server.requests).toHaveLength(20);
  });

  it.each(['ftp://x', 'x', 'http://x/?a=1'])('the address %s is refused', (url) => {
    expect(() => createHttpRetriever(httpRetrieverSchema.parse({ url }), () => 0)).toThrow(
      'retrieval server',
    );
  });
});

describe('queries and pages', () => {
  it('queries are one line of bounded length', () => {
    expect(plainQuery(' a\n\tb ')).toBe('a b');
    expect(plainQuery('x'.repeat(1_000_000))).toHaveLength(longestQuery);
    expect(plainQuery(`${'x'.repeat(longestQuery - 1)}😀`)).toHaveLength(longestQuery - 1);
  });

  it('pages are split at the ends of paragraphs, sentences or words, and lose nothing', () => {
    const text = 'One sentence. Another one.\nA paragraph of words that goes on and on.';
    const parts = splitPage(text, 20);
    expect(parts.join('')).toBe(text);
    expect(parts.every(({ length }) => length > 0 && length <= 20)).toBe(true);
    expect(splitPage('')).toEqual(['']);
    expect(splitPage('😀'.repeat(5), 3).join('')).toBe('😀'.repeat(5));
  });
});
