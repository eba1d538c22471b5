import { setMaxListeners } from 'node:events';
import { performance } from 'node:perf_hooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { FaultError } from '../../../../envs/core/errors.ts';
import { createMemoryRetriever } from '../../../../envs/engines/retrieval/memory-retriever.ts';
import {
  documentsIn,
  modelSource,
  modelSourceSchema,
} from '../../../../envs/engines/retrieval/simulated/model-source.ts';
import { noiseAt, noiseSchema } from '../../../../envs/engines/retrieval/simulated/noise.ts';
import { rankedSource } from '../../../../envs/engines/retrieval/simulated/ranked-source.ts';
import { SimulatedRetriever } from '../../../../envs/engines/retrieval/simulated/simulated-retriever.ts';
import { startServer } from '../../../support/stub-server.ts';

const { signal } = new AbortController();
setMaxListeners(0, signal);

const purpose = (key: string, progress?: number) => ({
  question: 'Who flew?',
  answers: ['Ada'],
  progress,
  key,
});

describe('noise of a simulated search', () => {
  it('grows from start to end as ZeroSearch’s schedule', () => {
    const noise = noiseSchema.parse({ start: 0.1, end: 0.7 });
    // start + (4^x - 1) / 3 * (end - start), by hand
    expect([0, 0.25, 0.5, 1].map((progress) => Number(noiseAt(noise, progress).toFixed(4)))).toEqual([
      0.1, 0.1828, 0.3, 0.7,
    ]);
    expect(noiseAt({ start: 0, end: 1, base: 1 }, 0.25)).toBe(0.25);
  });
});

describe('simulated search over a ranking', () => {
  const documents = Array.from({ length: 40 }, (_, number) => ({
    id: String(number),
    title: `Kite ${number}`,
    contents: `"Kite ${number}"\n${'kite '.repeat(40 - number)}${'rain '.repeat(number)}`,
  }));
  const engine = createMemoryRetriever({ kind: 'test' }, documents);
  const open = (noise: object) =>
    new SimulatedRetriever(rankedSource(engine), { noise: noiseSchema.parse(noise), seed: 3 });
  const idsOf = async (retriever: SimulatedRetriever, key: string, progress?: number) =>
    (await retriever.search('kite', 3, signal, purpose(key, progress))).map(({ id }) => id);

  it('returns the best documents without noise, and lower ranks as noise', async () => {
    const best = (await engine.search('kite', 3, signal)).map(({ id }) => id);
    expect(await idsOf(open({ end: 0 }), 'a')).toEqual(best);
    const noise = await idsOf(open({ end: 1 }), 'a');
    expect(noise).toHaveLength(3);
    expect(noise.filter((id) => best.includes(id))).toEqual([]);
  });

  it('repeats its draw for equal searches, and follows the progress of a training', async () => {
    const retriever = open({ start: 0, end: 0.5 });
    const shareOf = async (progress: number): Promise<number> => {
      const best = String(await idsOf(open({ end: 0 }), 'x'));
      let noisy = 0;
      for (let index = 0; index < 200; index += 1) {
        const ids = String(await idsOf(retriever, `task/${index}`, progress));
        expect(String(await idsOf(retriever, `task/${index}`, progress))).toBe(ids);
        if (ids !== best) noisy += 1;
      }
      return noisy / 200;
    };
    expect(await shareOf(0)).toBe(0);
    expect(await shareOf(1)).toBeGreaterThan(0.4);
    expect(await shareOf(1)).toBeLessThan(0.6);
  });
});

describe('simulated search by a model', () => {
  async function against(reply: string | undefined) {
    const server = await startServer(
      z.unknown(),
      () => ({ kind: 'json', body: { choices: [{ message: { content: reply ?? null } }] } }),
      [],
    );
    const config = modelSourceSchema.parse({ url: server.url, model: 'writer', retries: 0 });
    const source = modelSource(config, { system: {}, now: () => performance.now() });
    onTestFinished(async () => {
      await source.close();
      await server[Symbol.asyncDispose]();
    });
    return { source, server };
  }
  const ask = { limit: 2, isNoisy: true, purpose: purpose('a'), signal };

  it('asks for noise about the question, and reads the documents of the reply once for equal requests', async () => {
    const { source, server } = await against(
      '<think>hm</think>Doc 1 (Title: "Birds") Birds fly.\nDoc 2 (Title: Kites) Kites too.\nDoc 3: more',
    );
    const hits = await source.documents('who  flew', ask);
    expect(hits.map(({ title, text }) => [title, text])).toEqual([
      ['Birds', 'Birds fly.'],
      ['Kites', 'Kites too.'],
    ]);
    expect(await source.documents('who flew', ask)).toEqual(hits);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({ path: '/v1/chat/completions', body: { model: 'writer' } });
    expect(JSON.stringify(server.requests[0])).toMatch(/of no use.*/);
    expect(JSON.stringify(server.requests[0])).toMatch(/Who flew\?.*The answer is: Ada.*query is: who flew/);
  });

  it('faults when the model writes nothing', async () => {
    const { source } = await against(undefined);
    const thrown: unknown = await source.documents('who', ask).catch((reason: unknown) => reason);
    expect(FaultError.is(thrown) && thrown.fault).toMatchObject({ kind: 'retriever-failed', code: 'shape' });
  });

  it('reads a reply in another form as one document', () => {
    expect(documentsIn('Ada flew a kite over the sea one day.', 'k')).toMatchObject([
      {
        id: 'simulated-k-1',
        title: 'Ada flew a kite over the',
        text: 'Ada flew a kite over the sea one day.',
      },
    ]);
    expect(documentsIn('<think>nothing</think>', 'k')).toEqual([]);
  });

  it.each([
    ['(Title: Two (film)) It is long.', 'Two (film)', 'It is long.'],
    ['(Title: "Two (film)") It is long.', 'Two (film)', 'It is long.'],
    ['(Title: "Two) It is long.', 'Two', 'It is long.'],
    ['(Title: Two It is long.', '(Title: Two It is long.', '(Title: Two It is long.'],
  ])('reads the title of a document, and drops what stands before the first: %s', (document, title, text) => {
    const reply = `Sure! Here are the documents:\n\nDoc 1 ${document}\nDoc 2 (Title: B) b`;
    expect(documentsIn(reply, 'k')).toMatchObject([
      { id: 'simulated-k-1', title, text },
      { title: 'B', text: 'b' },
    ]);
  });

  it('refuses a key that is not set', () => {
    const config = modelSourceSchema.parse({ url: 'http://127.0.0.1:1', model: 'm', keyName: 'WRITER_KEY' });
    const now = () => 0;
    expect(() => modelSource(config, { system: {}, now })).toThrow(/WRITER_KEY is not set/);
  });
});
