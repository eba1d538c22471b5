import { performance } from 'node:perf_hooks';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import { FaultError } from '../../../envs/core/errors.ts';
import { createMemoryLogger } from '../../../envs/core/log.ts';
import { buildCorpusIndex } from '../../../envs/engines/retrieval/corpus-index/build-corpus-index.ts';
import { parseEnvConfig } from '../../../envs/open.ts';
import type { SearchAction } from '../../../envs/search/action.ts';
import { searchEnv } from '../../../envs/search/definition.ts';
import { describeObservation } from '../../../envs/search/observation.ts';
import { parseQuestion } from '../../../envs/engines/questions/world/parse-question.ts';
import { SearchApi } from '../../../serve/search/search-api.ts';
import { startSearchServer } from '../../../serve/search/search-server.ts';
import { openWorld } from '../../../envs/search/world/open-world.ts';
import { useFolder } from '../../support/own-folder.ts';

const at = useFolder();

async function openHost(settings: object = {}) {
  const log = createMemoryLogger();
  const context = createContext({ seed: 0, now: () => performance.now(), log });
  const config = parseEnvConfig(searchEnv, { cacheFolder: at('cache'), ...settings });
  const host = await searchEnv.open(config, context);
  onTestFinished(() => host.close());
  return { host, context, log };
}

async function open(settings: object = {}, index = 0, panel = 'test') {
  const { host, context, log } = await openHost(settings);
  const env = await host.create();
  const opening = await env.reset({ panel, index }, context);
  return { host, context, log, env, opening, step: (action: SearchAction) => env.step(action, context) };
}

/** The names to search for and the answer of a task, as its planner knows them. */
function planOf(host: Awaited<ReturnType<typeof openHost>>['host'], index: number, panel = 'test') {
  const actions = host.experts?.planner?.({ panel, index }) ?? [];
  const answer = actions.at(-1);
  return {
    searches: actions.slice(0, -1),
    answer: answer?.kind === 'answer' ? answer.text : '',
  };
}

const task = 1; // of two facts

describe('search-v1', () => {
  it('lists searches for what the question names, then names in sight', async () => {
    const { opening, host, step } = await open({}, task);
    const { searches, answer } = planOf(host, task);
    const first = opening.admissible?.[0];
    expect(first).toMatchObject({ kind: 'search', where: 'named in question' });
    expect(opening.admissible?.every(({ kind }) => kind === 'search')).toBe(true);
    if (searches[0] === undefined || searches[1]?.kind !== 'search')
      throw new Error('the task has two facts');
    const turn = await step(searches[0]);
    if (turn.kind !== 'ongoing') throw new Error(turn.kind);
    expect(describeObservation(turn.observation)).toMatch(
      /^<information>Doc 1\(Title: [^)]+\) .+\nDoc 2\(Title: /,
    );
    const { query } = searches[1];
    expect(turn.admissible?.some((action) => action.kind === 'search' && action.query === query)).toBe(true);
    const next = await step(searches[1]);
    if (next.kind !== 'ongoing') throw new Error(next.kind);
    expect(next.admissible?.some((action) => action.kind === 'answer' && action.text === answer)).toBe(true);
    const last = await step({ kind: 'answer', text: `the ${answer}.` });
    expect(last).toMatchObject({ kind: 'terminated', outcome: 'solved', reward: { terms: { answer: 1 } } });
  });

  it('refuses what does nothing, without changing its keys', async () => {
    const { opening, step } = await open({}, task);
    for (const action of [
      { kind: 'search', query: '  ' },
      { kind: 'open', doc: 1 },
      { kind: 'find', text: 'x' },
      { kind: 'judge', doc: 2, verdict: 'good' },
    ] as const) {
      const turn = await step(action);
      expect(turn).toMatchObject({ inadmissible: true, observation: { kind: 'refused' } });
      if (turn.kind === 'ongoing') expect(turn.anchorKey).toBe(opening.anchorKey);
    }
    expect(await step({ kind: 'search', query: 'qqqq' })).toMatchObject({
      observation: { docs: [] },
      inadmissible: false,
    });
  });

  it('opens documents in parts, and finds lines in them', async () => {
    const file = at('pages.jsonl');
    const long = Array.from({ length: 300 }, (_, line) => `Line ${line} is about Osk.`).join(' ');
    await writeFile(file, JSON.stringify({ id: 'x', title: 'Osk', text: long }));
    const questions = at('asked.jsonl');
    await writeFile(questions, JSON.stringify({ question: 'What is Osk about?', answers: ['Line 250'] }));
    const { step } = await open(
      { backend: { kind: 'corpus', file }, questions: { train: questions }, passageWords: 5 },
      0,
      'train',
    );
    const results = await step({ kind: 'search', query: 'osk' });
    if (results.kind !== 'ongoing') throw new Error(results.kind);
    expect(results.observation).toMatchObject({ docs: [{ passage: 'Line 0 is about Osk.', isCut: true }] });
    expect(results.admissible).toContainEqual({ kind: 'open', doc: 1 });
    const page = await step({ kind: 'open', doc: 1 });
    if (page.kind !== 'ongoing' || page.observation.kind !== 'page') throw new Error(page.kind);
    expect(page.observation.parts).toBeGreaterThan(2);
    expect(page.admissible).toContainEqual({ kind: 'open', doc: 1, part: 2 });
    expect(await step({ kind: 'find', text: 'line 250' })).toMatchObject({
      observation: { kind: 'found', lines: [expect.stringMatching(/^part \d: Line 250 is about Osk\.$/)] },
    });
    expect(await step({ kind: 'open', doc: 1, part: 99 })).toMatchObject({ inadmissible: true });
  });

  it('pays for what its weights name', async () => {
    const weights = { answer: 1, f1: 0.5, format: 0.1, retrieval: 0.2, judge: 0.1, cost: 0.1 };
    const { host, step } = await open({ weights, judging: true, maxSteps: 10 }, task);
    const { searches, answer } = planOf(host, task);
    const [first, second] = searches;
    if (first?.kind !== 'search' || second?.kind !== 'search') throw new Error('the task has two facts');
    expect(await step({ ...first, thought: '' })).toMatchObject({
      reward: { terms: { retrieval: 0.1, cost: -0.01 } },
    });
    expect(await step({ ...first, thought: '' })).toMatchObject({ reward: { terms: { cost: -0.01 } } });
    const judged = await step({ kind: 'judge', doc: 1, verdict: 'good', thought: '' });
    expect(judged).toMatchObject({ reward: { terms: { judge: 0.01 } }, metrics: { judgedRight: 1 } });
    if (judged.kind === 'ongoing')
      expect(judged.admissible).not.toContainEqual({ kind: 'judge', doc: 1, verdict: 'good' });
    await step({ ...second, thought: '' });
    expect(await step({ kind: 'answer', text: answer, thought: '' })).toMatchObject({
      reward: { terms: { answer: 1, f1: 0.5, format: 0.1 } },
      metrics: { supportingShown: 2 },
    });
  });

  it('takes the Brier score of a confidence, and asks for one', async () => {
    const settings = { mode: 'text', weights: { answer: 1, confidence: 0.5, format: 0.1 } };
    const { opening, host, step } = await open(settings, task);
    expect(describeObservation(opening.observation)).toContain('<confidence>0.7</confidence>');
    const { answer } = planOf(host, task);
    const right = { kind: 'answer', text: answer, thought: '' } as const;
    expect(await step({ ...right, confidence: 0.5 })).toMatchObject({
      reward: { terms: { answer: 1, format: 0.1, confidence: -0.125 } },
      metrics: { confidence: 0.5 },
    });
    const other = await open(settings, task);
    const last = await other.step(right);
    expect(last.reward.terms).toEqual({ answer: 1, confidence: -0.5 }); // the format needs one
    expect(last.metrics).not.toHaveProperty('confidence');
    await expect(openHost({ weights: { answer: 1, confidence: 0.5 } })).rejects.toThrow('needs mode=text');
  });

  it('takes nothing from a document that was judged misleading', async () => {
    const { step } = await open({}, task);
    const before = await step({ kind: 'search', query: 'mayor' });
    const after = await step({ kind: 'judge', doc: 1, verdict: 'misleading' });
    if (before.kind !== 'ongoing' || after.kind !== 'ongoing') throw new Error('the episode goes on');
    const fromFirst = (turn: typeof before): number =>
      turn.admissible?.filter((action) => 'where' in action && action.where?.endsWith('in first') === true)
        .length ?? 0;
    expect(fromFirst(before)).toBeGreaterThan(0);
    expect(fromFirst(after)).toBe(0);
  });

  it('counts misleading documents that were shown and caught, and its searcher judges them', async () => {
    const { host, context } = await openHost({ judging: true });
    const total: Record<string, number> = {};
    for (let index = 0; index < 20; index += 1) {
      const env = await host.create();
      const searcher = host.experts?.searcher?.(context.rng);
      if (searcher === undefined) throw new Error('there is no searcher');
      let next: Parameters<typeof searcher.act>[0] = await env.reset({ panel: 'test', index }, context);
      for (let count = 0; count < 20; count += 1) {
        const action = searcher.act(next);
        const result = await env.step(action, context);
        for (const [name, value] of Object.entries(result.metrics ?? {}))
          total[name] = (total[name] ?? 0) + value;
        if (result.kind !== 'ongoing') break;
        // a document that is found again is counted once
        if (action.kind === 'search')
          expect((await env.step(action, context)).metrics).toEqual({ searches: 1 });
        next = result;
      }
    }
    expect(total['misleadingShown']).toBeGreaterThan(10);
    expect(total['misleadingCaught']).toBe(total['misleadingShown']);
    expect(total['judgedWrong']).toBeUndefined();
  });

  it('the searcher reads each question and solves nearly all', async () => {
    const { host, context } = await openHost();
    const env = await host.create();
    let solved = 0;
    for (let index = 0; index < 100; index += 1) {
      let turn = await env.reset({ panel: 'test', index }, context);
      expect(parseQuestion(turn.instruction), turn.instruction).toBeDefined();
      const searcher = host.experts?.searcher?.(context.rng);
      if (searcher === undefined) throw new Error('there is no searcher');
      let next: Parameters<typeof searcher.act>[0] = turn;
      for (let count = 0; count < 20; count += 1) {
        const result = await env.step(searcher.act(next), context);
        if (result.kind !== 'ongoing') {
          solved += result.kind === 'terminated' && result.outcome === 'solved' ? 1 : 0;
          break;
        }
        next = result;
      }
      turn = await env.reset({ panel: 'test', index }, context);
    }
    expect(solved).toBeGreaterThan(97);
  });

  it('lists nothing in mode text', async () => {
    const { opening } = await open({ mode: 'text' }, task);
    expect(opening.admissible).toBeUndefined();
    expect(describeObservation(opening.observation)).toContain('<search>');
  });
});

describe('back ends', () => {
  it('play the same over a server of the same world', async () => {
    const { signal } = new AbortController();
    const { retriever } = await openWorld({
      seed: 1,
      documents: 1_000,
      wordings: 4,
      cacheFolder: at('cache'),
      signal,
    });
    const api = new SearchApi({ retriever, topk: 3, hasUrls: false });
    const server = await startSearchServer({ api, host: '127.0.0.1', port: 0 });
    onTestFinished(() => server.close());
    const here = await open({}, task);
    const there = await open({ backend: { kind: 'http', url: server.url } }, task);
    expect(there.opening.instruction).toBe(here.opening.instruction);
    for (const action of planOf(here.host, task).searches) {
      const [one, other] = [await here.step(action), await there.step(action)];
      expect(other.observation).toEqual(one.observation);
    }
    const [page, other] = [
      await here.step({ kind: 'open', doc: 1 }),
      await there.step({ kind: 'open', doc: 1 }),
    ];
    expect(other.observation).toEqual(page.observation);
  });

  it('self: the model of the agent writes the documents, and others are refused', async () => {
    const { env, context, host, opening } = await open({ backend: { kind: 'self' }, mode: 'text' }, task);
    const asked: string[] = [];
    const askAgent = async (prompt: string): Promise<string> => {
      asked.push(prompt);
      return 'Doc 1 (Title: "A") red kite\nDoc 2 (Title: "B") blue';
    };
    const search = { kind: 'search', query: 'kite' } as const;
    const turn = await env.step(search, { ...context, rng: context.rng, askAgent });
    expect(describeObservation(turn.observation)).toBe(
      '<information>Doc 1(Title: A) red kite\nDoc 2(Title: B) blue</information>',
    );
    expect(asked).toEqual([expect.stringContaining(opening.instruction)]);
    expect(asked[0]).toContain('The query is: kite');
    expect(asked[0]).not.toContain(planOf(host, task).answer);
    expect(await env.step({ kind: 'open', doc: 2 }, context)).toMatchObject({
      observation: { text: 'blue' },
    });
    await expect(env.step(search, context)).rejects.toThrow('the agent has no language model');
    await expect(openHost({ backend: { kind: 'self' } })).rejects.toThrow('self needs mode=text');
    expect(planOf(host, task).searches).toEqual([]);
  });

  it('a server that is down is a fault and no empty result', async () => {
    const { step } = await open({ backend: { kind: 'http', url: 'http://127.0.0.1:9', retries: 0 } }, task);
    const thrown = await step({ kind: 'search', query: 'x' }).catch((error: unknown) => error);
    expect(FaultError.is(thrown) && thrown.fault).toMatchObject({
      kind: 'retriever-failed',
      code: 'unreachable',
      retryable: true,
    });
  });

  it('searches an index on disk as its corpus', async () => {
    const file = at('disk.jsonl');
    await writeFile(
      file,
      '{"id": 1, "title": "A", "text": "red kite"}\n{\n{"id": 2, "title": "B", "text": "blue"}',
    );
    const index = at('disk.index');
    await buildCorpusIndex(file, index, { signal: new AbortController().signal });
    const questions = at('disk-questions.jsonl');
    await writeFile(questions, '{"question": "q", "answers": ["red"]}');
    const more = { questions: { test: questions } };
    const { host, log, step } = await open({ ...more, backend: { kind: 'corpus', index } });
    expect(await step({ kind: 'search', query: 'kite' })).toMatchObject({
      observation: { docs: [{ passage: 'red kite' }] },
    });
    const told = log.events.flatMap(({ event }) => (event.type === 'opening-tally' ? [event.name] : []));
    expect(told).toEqual([
      expect.stringMatching(/^rows that are no documents \(line 2/),
      expect.stringMatching(/^questions without `supporting`/),
      expect.stringMatching(/^questions whose answers are no names or years, such as "red"/),
    ]);
    const other = await openHost({ ...more, backend: { kind: 'corpus', file } });
    expect(host.describeTask({ panel: 'test', index: 0 })).toEqual(
      other.host.describeTask({ panel: 'test', index: 0 }),
    );
  });

  it.each([
    [{ kind: 'corpus' }, /backend.file.*is needed where there is no index/],
    [{ kind: 'corpus', index: 'x', fields: { text: 'y' } }, /backend.fields.*cannot stand beside index/],
  ])('refuses the backend %j', async (backend, what) => {
    await expect(openHost({ backend })).rejects.toThrow(what);
  });

  it('a corpus needs questions, whose panels are apart', async () => {
    const file = at('c.jsonl');
    await writeFile(file, '{"id": 1, "title": "A", "text": "b"}\n{');
    const questions = at('q.jsonl');
    await writeFile(questions, '{"question": "q", "answers": ["b"]}\n{"question": "r"}');
    const backend = { kind: 'corpus', file };
    await expect(openHost({ backend })).rejects.toThrow('a corpus needs questions about it');
    await expect(openHost({ backend, questions: { train: questions, test: questions } })).rejects.toThrow(
      '"q" is in train and in test',
    );
    const { host, log } = await openHost({ backend, questions: { dev: questions } });
    expect(host.panels.map(({ name, size }) => [name, size])).toEqual([['dev', 1]]);
    expect(() => host.describeTask({ panel: 'test', index: 0 })).toThrow('questions.test');
    const told = log.events.flatMap(({ event }) => (event.type === 'opening-tally' ? [event.name] : []));
    expect(told).toEqual([
      expect.stringMatching(/^rows that are no questions \(line 2/),
      expect.stringMatching(/^rows that are no documents \(line 2/),
      expect.stringMatching(/^questions without `supporting` documents.*`gold documents`/),
      expect.stringMatching(/^questions whose answers are no names or years, such as "b"/),
    ]);
    for (const settings of [{}, { backend: { kind: 'simulated' } }])
      await expect(openHost({ ...settings, questions })).rejects.toThrow(
        /no page of the invented world.*Set backend/,
      );
    const own = at('own.jsonl');
    await writeFile(own, '{"question": "q", "answers": ["b"], "supporting": ["7", 8]}');
    expect((await openHost({ questions: { dev: own } })).host.panels).toHaveLength(1);
  });
});
