import { writeFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { expect, it, onTestFinished } from 'vitest';
import { createBaselineAgent } from '../../../agents/policy/expert.ts';
import { createContext } from '../../../envs/core/context.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { openEnv } from '../../../envs/open.ts';
import { searchEnv } from '../../../envs/search/definition.ts';
import { useFolder } from '../../support/own-folder.ts';

const at = useFolder();

async function openHost(settings: object = {}) {
  const context = createContext({ seed: 0, now: () => performance.now() });
  const host = await openEnv(searchEnv, { cacheFolder: at('cache'), ...settings }, context);
  onTestFinished(() => host.close());
  return { host, context };
}

/** The number of tasks among the first ones that a baseline solves. */
async function solvedBy(name: string, settings: object = {}, tasks = 20): Promise<number> {
  const { host, context } = await openHost(settings);
  const env = await host.create();
  let solved = 0;
  for (let index = 0; index < tasks; index += 1) {
    const task = { panel: 'test', index };
    const player = host.experts?.baselines?.[name]?.play(task, context.rng.fork(index));
    if (player === undefined) throw new Error(`${name} is missing`);
    let turn: Parameters<typeof player.act>[0] = await env.reset(task, context);
    for (;;) {
      const result = await env.step(player.act(turn), context);
      if (result.kind !== 'ongoing') {
        solved += result.kind === 'terminated' && result.outcome === 'solved' ? 1 : 0;
        break;
      }
      turn = result;
    }
  }
  return solved;
}

it('baselines of search-v1 rank as their knowledge does: closed book, one document, documents on the way', async () => {
  const scores = [];
  for (const name of ['closed book', 'random document', 'top-1 document', 'gold documents'])
    scores.push(await solvedBy(name));
  const [closed = 1, random = 1, first = 0, gold = 0] = scores;
  expect(closed).toBe(0);
  expect(random).toBeLessThanOrEqual(2);
  expect(first).toBeGreaterThanOrEqual(3); // questions of one fact
  expect(first).toBeLessThan(gold);
  expect(gold).toBeGreaterThanOrEqual(18);
});

it('simulated search lowers the gold baseline by its noise, and noise 0 is the engine itself', async () => {
  const [clean, noisy, useless] = [
    await solvedBy('gold documents', { backend: { kind: 'simulated', noise: { end: 0 } } }),
    await solvedBy('gold documents', { backend: { kind: 'simulated', noise: { end: 0.5 } } }),
    await solvedBy('gold documents', { backend: { kind: 'simulated', noise: { end: 1 } } }),
  ];
  expect(clean).toBe(await solvedBy('gold documents'));
  expect(noisy).toBeLessThan(clean);
  expect(useless).toBeLessThan(noisy);
});

it('baselines over a corpus open the supporting documents, and another question’s document', async () => {
  const page = (number: number): string =>
    number < 9 ? `Osk ${number} kite code ${'abcdefghi'[number]}x.` : 'Osk kite kite code code.';
  const rows = Array.from({ length: 10 }, (_, number) => ({
    id: `d${number}`,
    title: `T${number}`,
    text: page(number),
  }));
  await writeFile(at('gold.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const ask = (more: (number: number) => object) =>
    Array.from({ length: 9 }, (_, number) =>
      JSON.stringify({
        question: `Which code has kite ${number}?`,
        answers: [`${'abcdefghi'[number]}x`],
        ...more(number),
      }),
    ).join('\n');
  const backend = { kind: 'corpus', file: at('gold.jsonl') };
  for (const [name, supporting] of [
    ['ids', (number: number) => ({ supporting: [`d${number}`] })],
    ['titles', (number: number) => ({ supporting: [`T${number}`] })],
  ] as const) {
    await writeFile(at(`${name}.jsonl`), ask(supporting));
    const settings = { backend, questions: { test: at(`${name}.jsonl`) } };
    expect(await solvedBy('gold documents', settings, 9)).toBe(9);
    expect(await solvedBy('random document', settings, 9)).toBe(0);
  }
  await writeFile(
    at('unknown.jsonl'),
    ask(() => ({})),
  );
  const { host } = await openHost({ backend, questions: { test: at('unknown.jsonl') } });
  expect(Object.keys(host.experts?.baselines ?? {})).toEqual([
    'closed book',
    'random document',
    'top-1 document',
  ]);
});

it('baselines read a long page part by part, as far as the steps allow', async () => {
  const filler = Array.from({ length: 3_000 }, (_, number) => `word${number}`).join(' ');
  const row = { id: 'long', title: 'Osk', text: `Osk has a kite. ${filler} The code of the kite is Velk.` };
  await writeFile(at('long.jsonl'), JSON.stringify(row));
  const question = { question: 'Which code has the kite of Osk?', answers: ['Velk'] };
  await writeFile(at('long-questions.jsonl'), JSON.stringify(question));
  const settings = {
    backend: { kind: 'corpus', file: at('long.jsonl') },
    questions: { test: at('long-questions.jsonl') },
  };
  expect(await solvedBy('top-1 document', { ...settings, maxSteps: 60 }, 1)).toBe(1);
  expect(await solvedBy('top-1 document', { ...settings, maxSteps: 3 }, 1)).toBe(0); // search, first part, answer
});

it('createBaselineAgent names the baselines of the env when it is asked for another one', async () => {
  const { host } = await openHost();
  const ask = (): unknown =>
    createBaselineAgent({ name: 'toString', experts: host.experts, text: searchEnv.text });
  expect(ask).toThrow(UsageError);
  expect(ask).toThrow(/closed book, random document, top-1 document, gold documents/);
});
