import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage, ChatModel, ChatReply, ChatRequest } from '../../../agents/prompt/chat-model.ts';
import { parsePrompt } from '../../../agents/prompt/prompt.ts';
import type { TextView } from '../../../agents/prompt/transcript.ts';
import { createTextAgent } from '../../../agents/prompt/text-agent.ts';
import type { EpisodePlayer } from '../../../agents/core/agent.ts';
import type { ActingTurn } from '../../../envs/core/step.ts';
import { createEnvPool } from '../../../agents/rollout/env-pool.ts';
import { runEpisode } from '../../../agents/rollout/episode.ts';
import { episodeLimitsSchema } from '../../../agents/rollout/limits.ts';
import { createContext } from '../../../envs/core/context.ts';
import { FaultError } from '../../../envs/core/errors.ts';
import { reward } from '../../../envs/core/step.ts';
import type { Reply, Textual } from '../../../envs/core/textual.ts';
import { openEnv } from '../../../envs/open.ts';
import { corridor } from '../../support/corridor.ts';
import { smallPrompt } from './small-prompt.ts';

const context = createContext({ seed: 0, now: () => 0 });
const said = (
  text: string,
  over: Partial<Extract<ChatReply, { readonly kind: 'said' }>> = {},
): ChatReply => ({ kind: 'said', text, cut: false, usage: undefined, reasoningCharacters: 0, ...over });

/** Remembers what it was asked, and answers from a script. */
function scriptedModel(
  script: (request: ChatRequest, number: number) => ChatReply,
): ChatModel & { readonly asked: readonly ChatRequest[] } {
  const asked: ChatRequest[] = [];
  return {
    asked,
    complete: async (request) => {
      asked.push(request);
      return script(request, asked.length - 1);
    },
  };
}

const words: Textual<string, string> = {
  observation: (observation) => observation,
  action: (action) => action,
  parse: (text): Reply<string> =>
    text === 'bad' ? { kind: 'malformed', why: 'it is bad.', text } : { kind: 'action', action: text },
};

interface Told {
  readonly observation: string;
  readonly actions?: readonly string[];
  readonly over?: object;
}

const turnOf = ({ observation, actions, over }: Told, first: boolean): ActingTurn<string, string> => {
  const common = {
    observation,
    stateKey: undefined,
    anchorKey: undefined,
    admissible: actions,
    stepsLeft: undefined,
    seat: 0,
    ...over,
  };
  return first
    ? { ...common, instruction: 'the task' }
    : { ...common, kind: 'ongoing', reward: reward({}), inadmissible: false };
};

interface Setting {
  readonly view?: Partial<TextView>;
  readonly prompt?: object;
  readonly text?: Textual<string, string>;
  readonly instruction?: string;
}

function playerOf(
  model: ChatModel,
  { view, prompt, text = words, instruction = 'the task' }: Setting = {},
): EpisodePlayer<string, string> {
  const agent = createTextAgent({
    id: 'writer',
    model,
    prompt: parsePrompt({ ...smallPrompt, ...prompt }, 'test'),
    text,
    view: { admissible: true, history: 'all', ...view },
  });
  return agent.begin({ task: { panel: 'dev', index: 0 }, instruction }, context);
}

const shown = (messages: readonly ChatMessage[] | undefined): readonly string[] =>
  (messages ?? []).map(({ role, text }) => `${role}: ${text}`);

describe('a prompt of the env', () => {
  it('the model sees nothing else, and its reply is not remembered', async () => {
    const model = scriptedModel((_, number) => said(number === 0 ? '<think>so</think>a text' : 'go'));
    const player = playerOf(model);
    expect(await player.write?.('write a text', context)).toBe('a text');
    await player.act(turnOf({ observation: 'a room' }, true), context);
    expect(model.asked.map(({ messages }) => shown(messages))).toEqual([
      ['user: write a text'],
      ['system: Play.', 'user: TASK the task SEEN a room'],
    ]);
    const full = playerOf(scriptedModel(() => ({ kind: 'too-long', why: '' })));
    await expect(full.write?.('long', context)).rejects.toThrow('a prompt of the env exceeds the context');
  });
});

describe('text agent', () => {
  it('shows the task, the observation and the actions, and remembers earlier turns', async () => {
    const model = scriptedModel((_, number) => said(['go', 'bad', 'stop'][number] ?? ''));
    const player = playerOf(model);
    expect(
      (await player.act(turnOf({ observation: 'a room', actions: ['go', 'stop'] }, true), context)).reply,
    ).toEqual({ kind: 'action', action: 'go' });
    expect(
      (await player.act(turnOf({ observation: 'a hall', actions: ['stop'] }, false), context)).reply,
    ).toEqual({ kind: 'malformed', why: 'it is bad.', text: 'bad' });
    await player.act(turnOf({ observation: 'a hall', actions: ['stop'] }, false), context, 'it is bad.');
    expect(model.asked.map(({ messages }) => shown(messages))).toEqual([
      ['system: Play.', 'user: TASK the task SEEN a room\n\nCAN go\nstop'],
      ['system: Play.', 'user: TASK the task SEEN a room', 'assistant: go', 'user: SEEN a hall\n\nCAN stop'],
      [
        'system: Play.',
        'user: TASK the task SEEN a room',
        'assistant: go',
        'user: SEEN a hall',
        'assistant: bad',
        'user: SEEN a hall\n\nAGAIN it is bad.\n\nCAN stop',
      ],
    ]);
  });

  it('shows only the last steps if configured, and always the task and the first observation', async () => {
    const replies = ['a', 'b', 'c', 'd'];
    const ask = async (history: number): Promise<readonly string[]> => {
      const model = scriptedModel((_, number) => said(replies[number] ?? ''));
      const player = playerOf(model, { view: { history, admissible: false } });
      for (const [index] of replies.entries())
        await player.act(turnOf({ observation: `room ${index}`, actions: ['x'] }, index === 0), context);
      return shown(model.asked.at(-1)?.messages);
    };
    expect(await ask(9)).toEqual([
      'system: Play.',
      'user: TASK the task SEEN room 0',
      'assistant: a',
      'user: SEEN room 1',
      'assistant: b',
      'user: SEEN room 2',
      'assistant: c',
      'user: SEEN room 3',
    ]);
    expect(await ask(1)).toEqual([
      'system: Play.',
      'user: TASK the task SEEN room 0\n\n(2 LEFT OUT)\n\nSEEN room 2',
      'assistant: c',
      'user: SEEN room 3',
    ]);
    expect(await ask(0)).toEqual([
      'system: Play.',
      'user: TASK the task SEEN room 0\n\n(3 LEFT OUT)\n\nSEEN room 3',
    ]);
  });

  it('shows examples before the task, and no system message when it is empty', async () => {
    const model = scriptedModel(() => said('go'));
    const examples = [
      {
        instruction: 'other',
        turns: [
          { observation: 'x', reply: 'a' },
          { observation: 'y', reply: 'b' },
        ],
      },
    ];
    await playerOf(model, { prompt: { system: '', examples, stop: ['STOP'] } }).act(
      turnOf({ observation: 'a room' }, true),
      context,
    );
    expect(shown(model.asked[0]?.messages)).toEqual([
      'user: TASK other SEEN x',
      'assistant: a',
      'user: SEEN y',
      'assistant: b',
      'user: TASK the task SEEN a room',
    ]);
    expect(model.asked[0]?.stop).toEqual(['STOP']);
  });

  it('reports what it cut from long observations and long lists', async () => {
    const model = scriptedModel(() => said('go'));
    const player = playerOf(model);
    const { decision } = await player.act(
      turnOf({ observation: `${'o'.repeat(149)}!`, actions: ['1', '2', '3', '4', '5'] }, true),
      context,
    );
    expect(shown(model.asked[0]?.messages).at(-1)).toBe(
      `user: TASK the task SEEN ${'o'.repeat(60)}\n[50 of 150 characters are left out here]\n${'o'.repeat(39)}!\n\nCAN 1\n2\n3\n(2 more are left out here)`,
    );
    expect(decision).toMatchObject({ charactersCut: 50 });
    expect(
      (await player.act(turnOf({ observation: 'o'.repeat(101) }, false), context)).decision,
    ).toMatchObject({ charactersCut: 1 });
    expect(
      (await player.act(turnOf({ observation: 'o'.repeat(100) }, false), context)).decision,
    ).not.toHaveProperty('charactersCut');
  });

  it('remembers its thoughts or its actions alone, and never what it made up', async () => {
    const reply = '<think>long</think>Thought: a mug\nAction: go\nObservation: made up\nAction: stop';
    for (const [remember, wanted] of [
      ['reply', 'assistant: Thought: a mug\nAction: go'],
      ['action', 'assistant: Action: go'],
    ]) {
      const model = scriptedModel(() => said(reply));
      const player = playerOf(model, { prompt: { grammar: 'react', remember } });
      const answer = await player.act(turnOf({ observation: 'a room' }, true), context);
      expect(answer).toMatchObject({ reply: { action: 'go' }, decision: { kind: 'text', text: reply } });
      await player.act(turnOf({ observation: 'a hall' }, false), context);
      expect(shown(model.asked[1]?.messages)).toContain(wanted);
    }
  });

  it('records token usage in its decisions', async () => {
    const usage = { prompt: 9, completion: 2, cached: 4 };
    const player = playerOf(scriptedModel(() => said('go', { usage, reasoningCharacters: 7 })));
    expect((await player.act(turnOf({ observation: 'a room' }, true), context)).decision).toEqual({
      kind: 'text',
      text: 'go',
      usage,
      reasoningCharacters: 7,
      leftOut: 0,
    });
  });

  it('rejects a reply that was cut off', async () => {
    const player = playerOf(scriptedModel(() => said('go', { cut: true })));
    expect((await player.act(turnOf({ observation: 'a room' }, true), context)).reply).toEqual({
      kind: 'malformed',
      why: 'it was cut off.',
      code: 'cut-off',
      text: 'go',
    });
  });

  it('faults when the env’s parser throws', async () => {
    const broken = {
      ...words,
      parse: () => {
        throw new Error('no such verb');
      },
    };
    const player = playerOf(
      scriptedModel(() => said('go')),
      { text: broken },
    );
    await expect(player.act(turnOf({ observation: 'a room' }, true), context)).rejects.toSatisfy(
      (thrown) =>
        FaultError.is(thrown) &&
        thrown.fault.kind === 'env-crashed' &&
        thrown.message.includes('text.parse: no such verb'),
    );
  });
});

describe('conversation longer than the model accepts', () => {
  const lengthOf = ({ messages }: Pick<ChatRequest, 'messages'>): number =>
    messages.reduce((sum, { text }) => sum + text.length, 0);
  /** Takes so many characters and no more. */
  const short = (most: number) =>
    scriptedModel((request, number) =>
      lengthOf(request) > most ? { kind: 'too-long', why: 'no more' } : said(`go ${number}`),
    );
  const page = (length: number): string => 'o'.repeat(length);
  const wide = { prompt: { observationCharacters: 24_000 } } as const;
  const play = async (
    model: ChatModel,
    sights: readonly string[],
    setting: Setting = {},
  ): Promise<readonly number[]> => {
    const player = playerOf(model, setting);
    const leftOut: number[] = [];
    for (const [index, observation] of sights.entries()) {
      const { decision } = await player.act(turnOf({ observation }, index === 0), context);
      leftOut.push(decision?.kind === 'text' ? decision.leftOut : -1);
    }
    return leftOut;
  };
  const rooms = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `room ${index}`);
  const replies = ({ messages }: Pick<ChatRequest, 'messages'>): number =>
    messages.filter(({ role }) => role === 'assistant').length;

  it('drops its oldest exchanges, reports them in prompt and decision, and soon asks only for what fits', async () => {
    const model = short(100);
    const leftOut = await play(model, rooms(40));
    expect(leftOut.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    const last = model.asked.slice(-10);
    expect(last.filter((request) => lengthOf(request) > 100).length).toBeLessThanOrEqual(1); // it tries the limit now and then, and does not run into it again and again
    expect(Math.min(...last.map(replies))).toBeGreaterThanOrEqual(2);
    expect(model.asked.length).toBeLessThan(48);
    expect(shown(model.asked.at(-1)?.messages)[1]).toBe(
      `user: TASK the task SEEN room 0\n\n(${leftOut.at(-1)} LEFT OUT)\n\nSEEN room ${leftOut.at(-1)}`,
    );
  });

  it('keeps history again once observations are short again', async () => {
    const model = short(9_000);
    const sights = ['a search', page(3_000), page(8_500), ...Array.from({ length: 9 }, () => page(1_000))];
    const leftOut = await play(model, sights, wide);
    expect(leftOut.slice(0, 3)).toEqual([0, 0, 2]);
    expect(model.asked.slice(-7).map(replies)).toEqual([4, 6, 5, 6, 7, 8, 7]); // up to the long page, with which the bound is tried again, and no more than fits: the eight were refused
  });

  it('keeps one long step when two are too many', async () => {
    const model = short(10_000);
    await play(model, ['a search', ...Array.from({ length: 6 }, () => page(4_000))], wide);
    expect(model.asked.slice(-3).map(replies)).toEqual([1, 1, 1]);
  });

  it('begins again with the exchanges that are carried over when the server refuses more', async () => {
    const model = short(120);
    await play(model, rooms(24), { view: { history: { chunk: 'context', carried: 1 } } });
    const taken = model.asked.filter((request) => lengthOf(request) <= 120).map(replies);
    expect(taken).toHaveLength(24);
    expect(taken.filter((count, index) => count <= (taken[index - 1] ?? -1)).length).toBeGreaterThan(2);
    for (const [index, count] of taken.entries()) expect([1, (taken[index - 1] ?? -1) + 1]).toContain(count);
  });

  it('counts only exchanges dropped for their length', async () => {
    const model = short(80);
    const leftOut = await play(model, rooms(8), { view: { history: 3 } });
    expect([Math.max(...leftOut) <= 3, leftOut.slice(0, 3)]).toEqual([true, [0, 0, 0]]);
    expect(leftOut.at(-1)).toBe(3 - replies(model.asked.at(-1) ?? { messages: [] }));
    expect(await play(short(500), rooms(8), { view: { history: 3 } })).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('faults the episode and names the task when even one turn is refused twice', async () => {
    const faulted = async (playing: Promise<unknown>, words: string): Promise<void> =>
      expect(playing).rejects.toSatisfy(
        (thrown) =>
          FaultError.is(thrown) &&
          thrown.fault.kind === 'sampler-failed' &&
          !thrown.fault.retryable &&
          thrown.message.includes(words),
      );
    await faulted(
      play(short(1), ['a room']),
      'agent writer, task 0 of dev: the task and one turn exceed the context of the model (no more), with at most 6 characters of the observation',
    );
    await faulted(
      play(short(100), [page(5_000)], { view: { observationCharacters: 500 } }),
      'with at most 500 characters of the observation',
    );
    const model = short(600);
    await play(model, ['a room']);
    await faulted(
      playerOf(model, wide).act(turnOf({ observation: page(5_000), actions: ['go'] }, true), context),
      'at most 1000 characters of the observation and 2 of the list of actions',
    );
  });

  it('retries once with the shortest prompt before it faults the episode', async () => {
    const model = scriptedModel((_, number) =>
      number === 0 ? { kind: 'too-long', why: 'a slip' } : said('go'),
    );
    expect(await play(model, ['a room'])).toEqual([0]);
    expect(model.asked).toHaveLength(2);
  });

  it('recovers its history a few turns after a spurious refusal', async () => {
    const model = scriptedModel((_, number) =>
      number === 6 ? { kind: 'too-long', why: 'a slip' } : said('go'),
    );
    const leftOut = await play(model, rooms(30));
    expect(leftOut.filter((count) => count > 0).length).toBeLessThanOrEqual(6);
    expect(leftOut.slice(-15)).toEqual(Array.from({ length: 15 }, () => 0));
  });

  it('recovers its history after one page of many tokens', async () => {
    const tokens = ({ messages }: ChatRequest): number =>
      messages.reduce(
        (sum, { text }) => sum + 1.5 * text.length - 1.25 * text.replaceAll(/[^ -~\n]/g, '').length,
        0,
      );
    const model = scriptedModel((request) =>
      tokens(request) > 2_000 ? { kind: 'too-long', why: 'no more' } : said('go'),
    );
    await play(
      model,
      [page(1_200), '\u6f22'.repeat(1_400), ...Array.from({ length: 18 }, () => page(1_200))],
      wide,
    );
    const answered = model.asked.filter((request) => tokens(request) <= 2_000);
    expect(answered.slice(3).every((request) => replies(request) > 0)).toBe(true);
    expect(replies(answered.at(-1) ?? { messages: [] })).toBeGreaterThanOrEqual(4);
    expect(model.asked.length - answered.length).toBeLessThan(10);
  });

  it('shortens a long history at little cost', async () => {
    const model = short(8_000);
    const player = playerOf(model, { prompt: { actions: { ...smallPrompt.actions, most: 200 } } });
    const actions = Array.from({ length: 200 }, (_, index) => `go to ${index}`);
    const before = process.cpuUsage();
    for (let index = 0; index < 1_000; index += 1)
      await player.act(turnOf({ observation: `room ${index}`, actions }, index === 0), context);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(10);
  });

  it('halves the observation repeatedly when nothing else can be dropped, and reports how much', async () => {
    const model = short(3_000);
    const player = playerOf(model, wide);
    const { decision } = await player.act(turnOf({ observation: page(10_000) }, true), context);
    expect(decision).toMatchObject({ charactersCut: 7_500, leftOut: 0 });
    expect(shown(model.asked.at(-1)?.messages).at(-1)).toContain(
      '[7500 of 10000 characters are left out here]',
    );
    expect(model.asked).toHaveLength(3); // whole, and cut to 5,000 and to 2,500
    await player.act(turnOf({ observation: page(10_000) }, false), context);
    expect(model.asked).toHaveLength(4); // both cut to 1,250: more is known to be too much
  });

  it('drops history before it cuts a later turn, keeps the history that fits, and shows later observations whole', async () => {
    const model = short(2_000);
    const player = playerOf(model, wide);
    await player.act(turnOf({ observation: 'a room' }, true), context);
    const { decision } = await player.act(turnOf({ observation: page(6_000) }, false), context);
    expect(decision).toMatchObject({ charactersCut: 4_500, leftOut: 0 });
    const next = await player.act(turnOf({ observation: 'a hall' }, false), context);
    expect(next.decision).toMatchObject({ leftOut: 0 });
    expect(next.decision).not.toHaveProperty('charactersCut');
    expect(replies(model.asked.at(-1) ?? { messages: [] })).toBe(2);
    expect(
      (await player.act(turnOf({ observation: page(1_800) }, false), context)).decision,
    ).not.toHaveProperty('charactersCut');
  });

  it('cuts a long list of actions before a short observation', async () => {
    const model = short(9_000);
    const actions = Array.from(
      { length: 200 },
      (_, index) => `choose option ${String(index).padStart(3, '0')} ${'x'.repeat(32)}`,
    ); // 10,199 characters in all
    const player = playerOf(model, {
      prompt: { observationCharacters: 24_000, actions: { ...smallPrompt.actions, most: 200 } },
    });
    const { decision } = await player.act(turnOf({ observation: page(1_500), actions }, true), context);
    expect(decision).not.toHaveProperty('charactersCut');
    expect(decision).toMatchObject({ actionsLeftOut: 100 });
    const told = shown(model.asked.at(-1)?.messages).at(-1) ?? '';
    const listed = told.split('\n').filter((line) => line.includes('choose option')).length;
    expect(listed).toBe(Math.floor((5_099 + 1) / 51));
    expect(told).toContain(`\n(${200 - listed} more are left out here)`);
    expect(model.asked).toHaveLength(2);
    expect(
      (await player.act(turnOf({ observation: page(6_000), actions: ['go'] }, false), context)).decision,
    ).not.toHaveProperty('actionsLeftOut');
    expect(shown(model.asked.at(-1)?.messages).at(-1)).toBe(`user: SEEN ${page(6_000)}\n\nCAN go`);
  });

  it('counts the characters cut from the first observation on a later turn', async () => {
    const player = playerOf(short(4_500), wide);
    expect(
      (await player.act(turnOf({ observation: page(4_000) }, true), context)).decision,
    ).not.toHaveProperty('charactersCut');
    expect((await player.act(turnOf({ observation: page(1_000) }, false), context)).decision).toMatchObject({
      charactersCut: 2_000,
    });
    expect(
      (await player.act(turnOf({ observation: page(1_000) }, false), context)).decision,
    ).not.toHaveProperty('charactersCut');
  });

  it('fails when 1,000 characters of the observation are too many', async () => {
    const model = short(1_000);
    const player = playerOf(model, wide);
    await expect(player.act(turnOf({ observation: page(5_000) }, true), context)).rejects.toThrow(
      /the task and one turn exceed the context of the model \(no more\), with at most 1000 characters of the observation$/,
    );
    expect(model.asked).toHaveLength(5); // whole, 2,500, 1,250, 1,000, and that once more
  });

  it('shows as much as the view says, whatever the prompt says, and remembers what was accepted', async () => {
    const model = short(3_000);
    const setting = { view: { observationCharacters: 5_000 } };
    const one = playerOf(model, setting);
    await one.act(turnOf({ observation: page(4_000) }, true), context);
    expect(shown(model.asked[0]?.messages).at(-1)).toContain(page(4_000));
    const other = playerOf(model, setting);
    other.snapshots?.restore(JSON.parse(JSON.stringify(one.snapshots?.take())) as never);
    const asked = model.asked.length;
    const sight = turnOf({ observation: page(500) }, false);
    await one.act(sight, context);
    await other.act(sight, context);
    expect(shown(model.asked[asked + 1]?.messages)).toEqual(shown(model.asked[asked]?.messages));
    expect(model.asked).toHaveLength(asked + 2);
  });
});

describe('memory of a text agent', () => {
  it('can be saved and restored, in another player too', async () => {
    const model = scriptedModel(({ messages }, number) =>
      messages.length > 6 ? { kind: 'too-long', why: '' } : said(`go ${number}`),
    );
    const one = playerOf(model);
    for (let index = 0; index < 5; index += 1)
      await one.act(turnOf({ observation: `room ${index}` }, index === 0), context);
    const memory: unknown = JSON.parse(JSON.stringify(one.snapshots?.take()));
    const other = playerOf(model);
    other.snapshots?.restore(memory as never);
    const asked = model.asked.length;
    await one.act(turnOf({ observation: 'room 5' }, false), context);
    await other.act(turnOf({ observation: 'room 5' }, false), context);
    expect(shown(model.asked[asked + 1]?.messages)).toEqual(shown(model.asked[asked]?.messages));
    expect(model.asked).toHaveLength(asked + 2);
  });
});

describe('prompt of a text agent', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 });
  const steps = fc.array(
    fc.record({
      observation: text,
      actions: fc.option(fc.array(text, { maxLength: 5 }), { nil: undefined }),
      reply: text,
      feedback: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  );
  const views = fc.record({
    history: fc.oneof(fc.constantFrom('all' as const, { chunk: 2, carried: 1 }), fc.nat(3)),
    admissible: fc.boolean(),
  });

  /** All messages of an episode, as one text. */
  const transcript = async (
    told: readonly {
      readonly observation: string;
      readonly actions: readonly string[] | undefined;
      readonly reply: string;
      readonly feedback: boolean;
    }[],
    setting: Setting,
    over: (index: number) => object,
  ): Promise<readonly ChatRequest[]> => {
    const model = scriptedModel((_, number) => said(told[number]?.reply ?? ''));
    const player = playerOf(model, setting);
    for (const [index, { observation, actions, feedback }] of told.entries()) {
      const turn = turnOf(
        { observation, ...(actions === undefined ? {} : { actions }), over: over(index) },
        index === 0,
      );
      await player.act(turn, context, index > 0 && feedback ? 'no.' : undefined);
    }
    return model.asked;
  };

  it('does not depend on anything hidden from the agent', async () => {
    await fc.assert(
      fc.asyncProperty(steps, views, async (told, view) => {
        const canary = (index: number): object => ({
          stateKey: `hidden world ${index}`,
          anchorKey: `hidden decision ${index}`,
          stepsLeft: 77_000 + index,
          seat: 5,
          ...(index === 0
            ? {}
            : {
                reward: reward({ 'hidden term': 88_000 + index }),
                inadmissible: true,
                metrics: { 'hidden metric': 99_000 },
              }),
        });
        const plain = await transcript(told, { view }, () => ({}));
        expect(await transcript(told, { view }, canary)).toEqual(plain);
        if (view.admissible) return;
        const others = told.map((step) => ({ ...step, actions: ['other actions'] }));
        expect(await transcript(others, { view }, () => ({}))).toEqual(plain);
      }),
    );
  });

  it('always contains the whole task, in messages of alternating roles', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        views,
        fc.string({ unit: 'grapheme', maxLength: 1_000 }),
        async (told, view, instruction) => {
          for (const { messages } of await transcript(told, { view, instruction }, () => ({}))) {
            expect(
              messages.some(
                ({ role, text: message }) =>
                  role === 'user' && message.startsWith(`TASK ${instruction} SEEN `),
              ),
            ).toBe(true);
            const roles = messages.map(({ role }) => role);
            expect(roles).toEqual(
              roles.map((_, index) => (index === 0 ? 'system' : index % 2 === 1 ? 'user' : 'assistant')),
            );
            expect(roles.at(-1)).toBe('user');
          }
        },
      ),
    );
  });

  it('counts every earlier step, shown or left out', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.nat(8), async (length, history) => {
        const told = Array.from({ length }, (_, index) => ({
          observation: `room ${index}`,
          actions: undefined,
          reply: 'go',
          feedback: false,
        }));
        for (const [past, { messages }] of (
          await transcript(told, { view: { history } }, () => ({}))
        ).entries()) {
          const replies = messages.filter(({ role }) => role === 'assistant').length;
          const leftOut = Number(/\((\d+) LEFT OUT\)/.exec(shown(messages).join('\n'))?.[1] ?? 0);
          expect([replies, replies + leftOut]).toEqual([Math.min(past, history), past]);
        }
      }),
    );
  });
});

describe('text agent in the episode loop', () => {
  it('plays, sees why replies were malformed, and pays for them', async () => {
    const host = await openEnv(corridor, { slip: 0 }, context);
    await using envs = createEnvPool(host);
    const model = scriptedModel((_, number) => said(number === 0 ? 'walk' : 'go right'));
    const agent = createTextAgent({
      id: 'writer',
      model,
      prompt: parsePrompt(smallPrompt, 'test'),
      text: corridor.text,
      view: { admissible: true, history: 'all' },
    });
    const trajectory = await runEpisode(
      {
        path: 'one',
        envs,
        env: { id: 'corridor-v1', config: {} },
        agent,
        task: { panel: 'train', index: 0 },
        family: 'rooms-3',
        limits: episodeLimitsSchema.parse({}),
      },
      context,
    );
    expect(trajectory.stop).toEqual({ kind: 'terminated', outcome: 'solved' });
    expect(trajectory.steps.map(({ verdict, penalty }) => [verdict, penalty])).toEqual([
      ['malformed', 0.1],
      ['admissible', undefined],
      ['admissible', undefined],
    ]);
    expect(shown(model.asked[1]?.messages).at(-1)).toBe(
      'user: SEEN You stand in room 1 of 3.\n\nAGAIN "walk" is no move\n\nCAN go left\ngo right\ngo wait',
    );
  });
});

describe('text agent with an env that reads thoughts', () => {
  const reading: Textual<string, string> = { ...words, readsThoughts: true };
  const reply = '<think>hm</think><search>x</search>';

  it.each([
    ['reply', reply],
    ['action', '<search>x</search>'],
  ] as const)('passes the thought on and remembers what the prompt says: %s', async (remember, kept) => {
    const model = scriptedModel(() => said(reply));
    const player = playerOf(model, { text: reading, prompt: { remember } });
    const first = await player.act(turnOf({ observation: 'one' }, true), context);
    expect(first.reply).toEqual({ kind: 'action', action: reply });
    await player.act(turnOf({ observation: 'two' }, false), context);
    const answers = model.asked[1]?.messages.filter(({ role }) => role === 'assistant') ?? [];
    expect(answers.map(({ text }) => text)).toEqual([kept]);
  });
});
