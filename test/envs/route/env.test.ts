import { performance } from 'node:perf_hooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import { FaultError } from '../../../envs/core/errors.ts';
import { parseEnvConfig } from '../../../envs/open.ts';
import { readAction, type RouteAction } from '../../../envs/route/action.ts';
import { routeEnv } from '../../../envs/route/definition.ts';
import { costReward } from '../../../envs/route/reward/cost-reward.ts';
import { startStub, type StubAnswer, type StubRequest } from '../../support/stub-chat-server.ts';

const context = createContext({ seed: 0, now: () => performance.now(), system: { ROUTE_KEY: 'sesame' } });

async function open(settings: object = {}, index = 0, panel = 'test') {
  const host = await routeEnv.open(parseEnvConfig(routeEnv, settings), context);
  onTestFinished(() => host.close());
  const env = await host.create();
  const opening = await env.reset({ panel, index }, context);
  const plan = host.experts?.planner?.({ panel, index }) ?? [];
  return { host, env, opening, plan, step: (action: RouteAction) => env.step(action, context) };
}

/** A task of three facts. */
const long = 2;

describe('simulated models', () => {
  it('descriptions of models stand in the task, and each panel has other models', async () => {
    const names = await Promise.all(
      ['train', 'dev', 'test'].map(async (panel) => {
        const { opening } = await open({}, 0, panel);
        expect(opening.instruction.match(/^- /gm)).toHaveLength(5);
        return opening.instruction.match(/(?<=^- )\w+/gm) ?? [];
      }),
    );
    expect(new Set(names.flat()).size).toBe(15);
  });

  it('lead to the answer by the cheapest calls, and what they cost is in the reward', async () => {
    const { plan, step } = await open({ alpha: 0.4 }, long);
    let cost = 0;
    for (const call of plan.slice(0, -1)) {
      const turn = await step(call);
      expect(turn).toMatchObject({ kind: 'ongoing', inadmissible: false, observation: { kind: 'reply' } });
      cost += turn.metrics?.['cost'] ?? 0;
    }
    const last = await step(plan.at(-1) as RouteAction);
    const paid = 0.4 * costReward(cost, { low: 0, high: 2_000 });
    expect(last).toMatchObject({ outcome: 'solved', reward: { terms: { outcome: 0.6 } } });
    expect(last.reward.terms['cost']).toBeCloseTo(paid, 12);
    expect(paid).toBeGreaterThan(0.2);
  });

  it('a wrong answer earns nothing, however cheap it was', async () => {
    const { step } = await open();
    expect(await step({ kind: 'answer', text: 'unknown' })).toMatchObject({
      outcome: 'failed',
      reward: { total: 0 },
    });
  });

  it('answer alike each time, and understand questions in other words', async () => {
    const { opening, step } = await open({}, 0);
    const model = /(?<=^- )\w+(?=: Knowledge: people excellent, works excellent)/m.exec(
      opening.instruction,
    )?.[0];
    const [first] = opening.admissible ?? [];
    if (first?.kind !== 'route' || model === undefined) throw new Error('the list begins with a call');
    const asked = { kind: 'route', model, query: first.query } as const;
    const one = await step(asked);
    expect((await step(asked)).observation).toEqual(one.observation);
    const loose = await step({
      ...asked,
      query: `Please tell me: ${first.query.replace('?', '')}, if you can?`,
    });
    expect(loose.observation).toMatchObject({ kind: 'reply' });
    expect(JSON.stringify(loose.observation)).not.toContain('do not understand');
    const odd = await step({ ...asked, query: 'How are you?' });
    expect(JSON.stringify(odd.observation)).toContain('I do not understand the question');
  });

  it('calls of unknown models, without a question, or beyond the limit are inadmissible', async () => {
    const { opening, step } = await open({ maxRoutes: 1 });
    const [first] = opening.admissible ?? [];
    if (first?.kind !== 'route') throw new Error('the list begins with a call');
    for (const wrong of [
      { ...first, model: 'Nobody' },
      { ...first, query: ' ' },
    ])
      expect(await step(wrong)).toMatchObject({ inadmissible: true, observation: { kind: 'refused' } });
    const after = await step(first);
    if (after.kind !== 'ongoing') throw new Error(after.kind);
    expect(after.admissible?.every(({ kind }) => kind === 'answer')).toBe(true);
    expect(await step({ ...first, where: '' })).toMatchObject({ inadmissible: true });
  });

  it('listed actions read back as they were printed', async () => {
    const { opening, plan, step } = await open({}, long);
    const after = await step(plan[0] as RouteAction);
    const listed = [
      ...(opening.admissible ?? []),
      ...(after.kind === 'ongoing' ? (after.admissible ?? []) : []),
    ];
    for (const action of listed)
      expect(readAction(routeEnv.text.action(action))).toEqual({ kind: 'action', action });
  });
});

describe('the format of Router-R1', () => {
  const play = async (wrap: (action: RouteAction) => RouteAction) => {
    const { plan, step } = await open({ mode: 'text', format: 'router-r1' }, long);
    let last = await step(wrap(plan[0] as RouteAction));
    for (const action of plan.slice(1)) last = await step(wrap(action));
    return last;
  };

  it('keeps the reward of an episode in the right form', async () => {
    expect(await play((action) => ({ ...action, thought: 'a model may know it' }))).toMatchObject({
      outcome: 'solved',
      reward: { terms: { outcome: 0.7 } },
    });
  });

  it('takes -1 for any other episode, whose right answer fails', async () => {
    expect(await play((action) => action)).toMatchObject({
      outcome: 'failed',
      reward: { total: -1, terms: { format: -1 } },
      metrics: { exact: 1, brokenFormat: 1 },
    });
  });
});

describe('models of servers', () => {
  const served = async (script: (request: StubRequest) => StubAnswer, more: object = {}) => {
    const server = await startStub(script);
    onTestFinished(() => server[Symbol.asyncDispose]());
    const model = { url: server.url, model: 'stub-model', description: 'It knows a lot.', retries: 0 };
    const models = [
      { ...model, name: 'Owl', price: 2, promptPrice: 0.5, keyName: 'ROUTE_KEY', ...more },
      { ...model, name: 'Hen', price: 0.1 },
    ];
    return { server, ...(await open({ models, mode: 'text' })) };
  };
  const usage = { prompt_tokens: 40, completion_tokens: 10 };
  const ask: RouteAction = { kind: 'route', model: 'owl', query: 'Who?' };

  it('equal questions are asked once, and cost what the server counts', async () => {
    const { server, opening, step } = await served(() => ({
      kind: 'say',
      text: '<think>h</think>Ada.',
      usage,
    }));
    expect(opening.instruction).toContain('- Owl: It knows a lot. $2 per million tokens, $0.5 per million');
    const first = await step(ask);
    expect(first).toMatchObject({
      observation: { kind: 'reply', model: 'Owl', text: 'Ada.' },
      metrics: { calls: 1, cost: 40, tokens: 10 },
    });
    await step(ask);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer sesame');
    expect(server.requests[0]?.body).toMatchObject({ max_tokens: 512, temperature: 0 });
  });

  it('a server that fails, or counts no tokens, is a fault of the world', async () => {
    const silent = await served(() => ({ kind: 'say', text: 'Ada.' }));
    const thrown: unknown = await silent.step(ask).catch((reason: unknown) => reason);
    expect(FaultError.is(thrown) && thrown.message).toMatch(/model Owl.*counts no tokens/s);
    const down = await served(() => ({ kind: 'json', status: 500, body: 'sesame is out' }));
    await expect(down.step(ask)).rejects.toThrow(/model Owl.*answered 500.*\[secret\]/s);
  });

  it('a failed request is sent again when another episode asks the same', async () => {
    let turn = 0;
    const { step } = await served(() =>
      (turn += 1) === 1 ? { kind: 'json', status: 500, body: 'x' } : { kind: 'say', text: 'Ada.', usage },
    );
    await expect(step(ask)).rejects.toThrow(/answered 500/);
    expect(await step(ask)).toMatchObject({ observation: { text: 'Ada.' } });
  });

  it('questions of a file need models of servers', async () => {
    await expect(open({ questions: 'x.jsonl' })).rejects.toThrow(
      /simulated models know the generated world only/,
    );
  });

  it('a key that is not set is refused', async () => {
    await expect(served(() => ({ kind: 'say', text: '' }), { keyName: 'NO_KEY' })).rejects.toThrow(
      /model Owl, keyName: the environment variable NO_KEY is not set/,
    );
  });
});
