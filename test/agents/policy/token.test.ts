import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TokenDecision } from '../../../agents/core/agent.ts';
import type { ActingTurn } from '../../../envs/core/step.ts';
import { createTokenAgent, type TokenAgentOptions } from '../../../agents/policy/token.ts';
import { allowedNext, type TokenSampler } from '../../../agents/core/token-sampler.ts';
import { loadPrompt } from '../../../agents/prompt/load-prompt.ts';
import { parsePrompt } from '../../../agents/prompt/prompt.ts';
import { createEnvPool } from '../../../agents/rollout/env-pool.ts';
import { runEpisode } from '../../../agents/rollout/episode.ts';
import { episodeLimitsSchema } from '../../../agents/rollout/limits.ts';
import { isSolved } from '../../../agents/rollout/trajectory.ts';
import { FaultError, RunError, UsageError } from '../../../envs/core/errors.ts';
import type { Json } from '../../../envs/core/json.ts';
import { reward } from '../../../envs/core/step.ts';
import type { Reply, Textual } from '../../../envs/core/textual.ts';
import { openEnv } from '../../../envs/open.ts';
import { lightsOutEnv } from '../../../envs/puzzle/lights-out.ts';
import { corridorText } from '../../support/corridor.ts';
import { corridorStage, episodePlan, testContext } from '../../support/rollout.ts';
import {
  anyReply,
  byteCodec,
  byteGuard,
  endToken,
  scriptedSampler,
  templates,
  type Exchanged,
} from '../../support/token-play.ts';
import { smallPrompt } from '../prompt/small-prompt.ts';

const context = testContext();
const words: Textual<string, string> = {
  observation: (observation) => observation,
  action: (action) => action,
  parse: (text): Reply<string> =>
    text === 'bad' ? { kind: 'malformed', why: 'it is bad.', text } : { kind: 'action', action: text },
};
type Options = TokenAgentOptions<string, string>;
const wrote = (text: string): readonly number[] => [...byteCodec.encode(text), endToken];

function agentOf(sampler: TokenSampler, over: Partial<Options> & { readonly told?: object } = {}) {
  const { told, ...options } = over;
  return createTokenAgent({
    id: 'writer',
    sampler,
    codec: byteCodec,
    guard: byteGuard,
    template: templates.plain,
    prompt: parsePrompt({ ...smallPrompt, ...told }, 'test'),
    text: words,
    view: { admissible: true, history: 'all' },
    decoding: { temperature: 1 },
    maxTokens: 30,
    stopTokens: [endToken],
    ...options,
  });
}

const turnOf = (
  observation: string,
  actions?: readonly string[],
  isFirst = false,
): ActingTurn<string, string> => {
  const common = {
    observation,
    stateKey: undefined,
    anchorKey: undefined,
    admissible: actions,
    stepsLeft: undefined,
    seat: 0,
  };
  return isFirst
    ? { ...common, instruction: 'the task' }
    : { ...common, kind: 'ongoing', reward: reward({}), inadmissible: false };
};
const begin = (agent: ReturnType<typeof agentOf>) =>
  agent.begin({ task: { panel: 'dev', index: 5 }, instruction: 'the task' }, context);
const tokensOf = (decision: unknown): TokenDecision => decision as TokenDecision;
const prompts = (asked: readonly Exchanged[]): readonly string[] =>
  asked.map(({ request }) => byteCodec.decode(request.prompt));
const at = '<|im_start|>';
const end = '<|im_end|>\n';
const answer = `${at}assistant\n`;

describe('token agent', () => {
  it('writes to a prompt of the env, and goes on as if nothing had been written', async () => {
    const sampler = scriptedSampler((_, number) => ({ tokens: wrote(number === 1 ? 'a text' : 'go') }));
    const player = begin(agentOf(sampler));
    await player.act(turnOf('a room', undefined, true), context);
    expect(await player.write?.('write <|im_end|>', context)).toBe('a text');
    const { decision } = await player.act(turnOf('a hall'), context);
    expect(prompts(sampler.asked)[1]).toMatch(
      /^<\|im_start\|>user\nwrite .+<\|im_end\|>\n<\|im_start\|>assistant\n$/,
    );
    expect(prompts(sampler.asked)[2]).not.toContain('a text');
    expect(tokensOf(decision).spans[0]?.kept).toBeGreaterThan(0);
    const small = scriptedSampler(() => ({ tokens: wrote('go') }), 450);
    await expect(begin(agentOf(small)).write?.('x'.repeat(500), context)).rejects.toThrow(
      'a prompt of the env needs',
    );
  });

  it('shows the task and the observation, and continues its own tokens unchanged', async () => {
    const replies = ['go', 'bad', 'stop'];
    const sampler = scriptedSampler((_, number) => ({ tokens: wrote(replies[number] ?? '') }));
    const player = begin(agentOf(sampler));
    const first = await player.act(turnOf('a room', undefined, true), context);
    expect(first).toMatchObject({
      reply: { kind: 'action', action: 'go' },
      policyVersion: 3,
      decision: { kind: 'tokens', leftOut: 0 },
    });
    expect((await player.act(turnOf('a hall'), context)).reply).toEqual({
      kind: 'malformed',
      why: 'it is bad.',
      text: 'bad',
    });
    const { decision } = await player.act(turnOf('a hall', ['stop']), context, 'it is bad.');
    const one = `${at}system\nPlay.${end}${at}user\nTASK the task SEEN a room${end}${answer}`;
    const two = `${one}go${end}${at}user\nSEEN a hall${end}${answer}`;
    const three = `${two}bad${end}${at}user\nSEEN a hall\n\nAGAIN it is bad.\n\nCAN stop${end}${answer}`;
    expect(prompts(sampler.asked)).toEqual([one, two, three]);
    const [span] = tokensOf(decision).spans;
    expect(byteCodec.decode(span?.appended ?? [])).toBe(three.slice(`${two}bad<|im_end|>`.length)); // the end of the turn was sampled
    expect([span?.sampled, span?.logprobs]).toEqual([wrote('stop'), sampler.asked[2]?.written.logprobs]);
  });

  it('remembers whole replies or their actions alone, as the prompt says', async () => {
    const shown = async (told: object, history: 'all' | number): Promise<string> => {
      const sampler = scriptedSampler(() => ({ tokens: wrote('<think>so</think> <action>go</action>') }));
      const player = begin(
        agentOf(sampler, {
          told: { grammar: 'tags', ...told },
          view: { admissible: false, history },
          maxTokens: 60,
        }),
      );
      expect((await player.act(turnOf('a room', undefined, true), context)).reply).toEqual({
        kind: 'action',
        action: 'go',
      });
      await player.act(turnOf('a hall'), context);
      return /assistant\n(.*)<\|im_end\|>/.exec(prompts(sampler.asked)[1] ?? '')?.[1] ?? '';
    };
    expect(await shown({ remember: 'reply' }, 'all')).toBe('<think>so</think> <action>go</action>');
    expect(await shown({ remember: 'action' }, 'all')).toBe('<action>go</action>');
    expect(await shown({ remember: 'reply' }, 3)).toBe('<action>go</action>');
  });

  it('reads a reply up to its stop text, and rejects one that was cut off', async () => {
    const replies = [
      { tokens: byteCodec.encode('go\nSEEN more') },
      { tokens: byteCodec.encode('go on and on') },
    ];
    const sampler = scriptedSampler((_, number) => replies[number] ?? { tokens: [] });
    const player = begin(agentOf(sampler, { told: { stop: ['\n'] }, maxTokens: 12 }));
    expect((await player.act(turnOf('a room', undefined, true), context)).reply).toEqual({
      kind: 'action',
      action: 'go',
    });
    expect((await player.act(turnOf('a room'), context)).reply).toMatchObject({
      kind: 'malformed',
      why: 'it was cut off.',
      text: 'go on and on',
    });
    expect(sampler.asked[0]?.request.stopTexts).toEqual(['\n']);
    expect(prompts(sampler.asked)[1]).toContain(`${answer}go\nSEEN more${end}`);
  });

  it('drops the oldest exchanges, then shortens the observation and the list, keeps the task and the newest turn, and reports it', async () => {
    const sampler = scriptedSampler(() => ({ tokens: wrote('go') }), 450);
    const player = begin(
      agentOf(sampler, {
        told: { observationCharacters: 1_000, actions: { ...smallPrompt.actions, most: 100 } },
      }),
    );
    const made = [];
    for (const [number, length] of [10, 180, 90, 60, 500].entries()) {
      const actions =
        length === 500 ? Array.from({ length: 60 }, (_, action) => `do ${action + 10}`) : undefined;
      made.push(
        tokensOf(
          (await player.act(turnOf(`${number}`.repeat(length), actions, number === 0), context)).decision,
        ),
      );
    }
    expect(
      made.map(({ leftOut, charactersCut, actionsLeftOut }) => [leftOut, charactersCut, actionsLeftOut]),
    ).toEqual([
      [0, undefined, undefined],
      [0, undefined, undefined],
      [0, undefined, undefined],
      [2, undefined, undefined],
      [4, 375, 44],
    ]);
    for (const prompt of prompts(sampler.asked)) expect(prompt).toContain('TASK the task');
    const last = prompts(sampler.asked).at(-1) ?? '';
    expect([
      last.includes(`${'4'.repeat(75)}\n[375 of 500 characters`),
      last.includes('(44 more are left out here)'),
    ]).toEqual([true, true]);
  });

  it('names the option to raise when a prompt does not fit', async () => {
    const player = begin(agentOf(scriptedSampler(() => ({ tokens: [] }), 64)));
    const failure = await player
      .act(turnOf('a room', undefined, true), context)
      .catch((thrown: unknown) => thrown);
    expect(FaultError.is(failure) && failure.fault).toEqual({
      kind: 'sampler-failed',
      retryable: false,
      message:
        'agent writer, task 5 of dev: the task and one turn need at least 59 tokens, and a context of 64 leaves 34 for them with replies of 30: raise contextLength up to the limit of the model, lower maxTokens, or use a shorter prompt',
    });
  });

  it('drops replies that the template refuses, and fails when it refuses the task', async () => {
    const picky = (refused: string): Options['template'] => ({
      render: (messages, options) => {
        if (messages.some(({ text }) => text === refused))
          throw new UsageError({
            where: 'template',
            what: `it does not take "${refused}".`,
            fix: 'Take another.',
          });
        return templates.plain.render(messages, options);
      },
    });
    const play = async (refused: string): Promise<readonly number[]> => {
      const replies = ['go', '', 'go', 'go'];
      const player = begin(
        agentOf(
          scriptedSampler((_, number) => ({ tokens: wrote(replies[number] ?? '') })),
          { template: picky(refused) },
        ),
      );
      const made = [];
      for (const number of replies.keys())
        made.push(
          tokensOf((await player.act(turnOf('a room', undefined, number === 0), context)).decision).leftOut,
        );
      return made;
    };
    expect(await play('')).toEqual([0, 0, 2, 2]);
    await expect(play('Play.')).rejects.toThrow('template: it does not take "Play.".');
  });

  it('writes long replies in bounded contexts, each after the prompt and the last tokens written', async () => {
    const whole = byteCodec.encode('abcdefghijklmnopqrstuvwxyz');
    const sampler = scriptedSampler(({ prompt, maxTokens }) => {
      const from = whole.indexOf(prompt.at(-1) ?? 0) + 1; // 0 behind the prompt itself, which ends with a line feed
      const tokens = whole.slice(from, from + maxTokens);
      return {
        tokens: tokens.length < maxTokens ? [...tokens, endToken] : tokens,
        version: 9 - sampler.asked.length,
      };
    });
    const { reply, decision, policyVersion } = await begin(
      agentOf(sampler, { maxTokens: 10, reset: { carriedTokens: 4, contexts: 9 } }),
    ).act(turnOf('a room', undefined, true), context);
    expect(reply).toEqual({ kind: 'action', action: 'abcdefghijklmnopqrstuvwxyz' });
    const prompt = prompts(sampler.asked)[0] ?? '';
    expect(prompts(sampler.asked)).toEqual([prompt, `${prompt}ghij`, `${prompt}mnop`, `${prompt}stuv`]);
    expect(sampler.asked.map(({ request }) => request.maxTokens)).toEqual([10, 6, 6, 6]);
    const shown = byteCodec.encode(prompt).length;
    expect(tokensOf(decision).spans.map(({ kept, appended }) => [kept, byteCodec.decode(appended)])).toEqual([
      [0, prompt],
      [shown, 'ghij'],
      [shown, 'mnop'],
      [shown, 'stuv'],
    ]);
    expect(policyVersion).toBe(6); // the oldest of the weights that wrote it
  });

  it('writes admissible actions only when restricted to them', async () => {
    const sampler = scriptedSampler(({ allowed = [] }, number) => ({ tokens: allowed[number] ?? [] }));
    const player = begin(agentOf(sampler, { restricted: true, told: { grammar: 'react', stop: ['\n'] } }));
    await player.act(turnOf('a room', ['go', 'stop'], true), context);
    const { reply, decision } = await player.act(turnOf('a room', ['go', 'stop']), context);
    expect(reply).toEqual({ kind: 'action', action: 'stop' });
    expect(tokensOf(decision).allowed).toEqual([wrote('Action: go'), wrote('Action: stop')]);
    expect(sampler.asked[1]?.request.stopTexts).toEqual([]);
    await expect(player.act(turnOf('a room'), context)).rejects.toThrow(UsageError);
    await expect(player.act(turnOf('a room', ['x'.repeat(30)]), context)).rejects.toThrow(
      /maxTokens of agent writer: an admissible action has 39 tokens, and a reply may have 30\. Raise it to at least 39/,
    );
  });

  it('encodes each admissible action once for all its episodes', async () => {
    const encoded: string[] = [];
    const codec = { ...byteCodec, encode: (text: string) => (encoded.push(text), byteCodec.encode(text)) };
    const agent = agentOf(
      scriptedSampler(({ allowed = [] }) => ({ tokens: allowed.at(-1) ?? [] })),
      { restricted: true, codec, told: { grammar: 'react', stop: ['\n'] } },
    );
    for (const actions of [
      ['go', 'stop'],
      ['stop', 'look'],
    ]) {
      const { reply, decision } = await begin(agent).act(turnOf('a room', actions, true), context);
      expect(reply).toEqual({ kind: 'action', action: actions[1] });
      expect(tokensOf(decision).allowed).toEqual(actions.map((action) => wrote(`Action: ${action}`)));
    }
    expect(encoded.filter((text) => text.startsWith('Action: '))).toEqual([
      'Action: go',
      'Action: stop',
      'Action: look',
    ]);
  });

  it.each<[string, object, RegExp]>([
    ['no log-probabilities', { logprobs: [] }, /2 tokens and 0 log-probabilities/],
    [
      'an invalid log-probability',
      { logprobs: [-1, Number.NaN] },
      /the invalid log-probability NaN\. The weights have diverged/,
    ],
    [
      'too many tokens',
      { tokens: Array.from({ length: 31 }, () => 1), logprobs: Array.from({ length: 31 }, () => 0) },
      /31 tokens, and the limit was 30/,
    ],
    ['an invalid token', { tokens: [0.5, 1] }, /the invalid token 0\.5/],
  ])('refuses a sampler that returns %s', async (_, change, message) => {
    const honest = scriptedSampler(() => ({ tokens: [65, endToken] }));
    const lying: TokenSampler = {
      ...honest,
      begin: () => ({
        sample: async (request, given) => ({ ...(await honest.begin().sample(request, given)), ...change }),
        end: () => undefined,
      }),
    };
    const failure = await begin(agentOf(lying))
      .act(turnOf('a room', undefined, true), context)
      .catch((thrown: unknown) => thrown);
    expect(RunError.is(failure) && failure.message).toMatch(message);
  });

  it('accepts a token without a log-probability from a server that returns none', async () => {
    const { decision } = await begin(
      agentOf(
        scriptedSampler(() => ({
          tokens: wrote('stop'),
          logprobs: wrote('stop').map((_, place) => (place === 1 ? null : -1)),
        })),
      ),
    ).act(turnOf('a room', undefined, true), context);
    expect(tokensOf(decision).spans.map(({ logprobs }) => logprobs)).toEqual([[-1, null, -1, -1, -1]]);
  });

  it.each([
    ['an action that was not allowed', { tokens: wrote('fly') }],
    ['only a part of an allowed action', { tokens: byteCodec.encode('go') }],
    ['an allowed action, cut off', { tokens: wrote('go'), finish: 'length' as const }],
  ])('refuses a sampler that wrote %s', async (_, written) => {
    const player = begin(
      agentOf(
        scriptedSampler(() => written),
        { restricted: true },
      ),
    );
    await expect(player.act(turnOf('a room', ['go'], true), context)).rejects.toThrow(
      /restricted to a list of actions and wrote none of them/,
    );
  });

  it.each<[string, Partial<Options>, RegExp]>([
    [
      'a reply that fills the context',
      { maxTokens: 100 },
      /maxTokens of agent writer: 100 is invalid with a context of 100 tokens/,
    ],
    ['a temperature below 0', { decoding: { temperature: -1 } }, /temperature/],
    ['a topK of 0', { decoding: { temperature: 1, topK: 0 } }, /topK/],
    ['a topP of 0', { decoding: { temperature: 1, topP: 0 } }, /topP/],
    ['a minP above 1', { decoding: { temperature: 1, minP: 2 } }, /minP/],
    ['no stop tokens', { stopTokens: [] }, /stopTokens/],
    [
      'a context reset that carries everything over',
      { reset: { carriedTokens: 30, contexts: 2 } },
      /reset\.carriedTokens of agent writer: 30 is invalid with 30 tokens .* or raise maxTokens of agent writer/,
    ],
    [
      'a context reset with a single context',
      { reset: { carriedTokens: 3, contexts: 1 } },
      /reset\.contexts of agent writer: 1 is invalid/,
    ],
    [
      'a context reset together with restricted actions',
      { restricted: true, reset: { carriedTokens: 3, contexts: 2 } },
      /reset of agent writer/,
    ],
  ])('refuses %s', (_, over, message) => {
    expect(() =>
      agentOf(
        scriptedSampler(() => ({ tokens: [] }), 100),
        over,
      ),
    ).toThrow(message);
  });

  it('continues from a snapshot as if never interrupted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyReply(['go', 'stop']), { minLength: 6, maxLength: 6 }),
        fc.constantFrom(...Object.values(templates)),
        fc.constantFrom('all' as const, 0, 2, { chunk: 2, carried: 1 }),
        fc.integer({ min: 1, max: 5 }),
        async (replies, template, history, cut) => {
          const play = async (restoredAt: number): Promise<readonly unknown[]> => {
            const sampler = scriptedSampler((_, number) => ({ tokens: replies[number] ?? [] }));
            const agent = agentOf(sampler, { template, view: { admissible: false, history } });
            let player = begin(agent);
            const answers: unknown[] = [];
            for (let number = 0; number < replies.length; number += 1) {
              if (number === restoredAt) {
                const memory = JSON.stringify(player.snapshots?.take());
                player = begin(agent);
                player.snapshots?.restore(JSON.parse(memory) as Json);
              }
              answers.push(await player.act(turnOf(`room ${number}`, undefined, number === 0), context));
            }
            return answers;
          };
          expect(await play(cut)).toEqual(await play(-1));
        },
      ),
    );
  });
});

describe('episode of a token agent', () => {
  it('plays by the terse prompt, solves the task, and releases the sampler session', async () => {
    const host = await openEnv(lightsOutEnv, { size: 3 }, context);
    await using envs = createEnvPool(host);
    const task = { panel: 'train', index: 0 };
    const presses = host.experts?.planner?.(task) ?? [];
    const sampler = scriptedSampler((_, number) => ({
      tokens: wrote(lightsOutEnv.text.action(presses[number] ?? { row: 1, column: 1 })),
    }));
    const agent = createTokenAgent({
      id: 'writer',
      sampler,
      codec: byteCodec,
      guard: byteGuard,
      template: templates.plain,
      prompt: await loadPrompt('terse'),
      text: lightsOutEnv.text,
      view: { admissible: false, history: 'all' },
      decoding: { temperature: 1 },
      maxTokens: 40,
      stopTokens: [endToken],
    });
    const trajectory = await runEpisode(
      {
        path: 'one',
        envs,
        env: { id: 'lights-out-v1', config: { size: 3 } },
        agent,
        task,
        family: 'short',
        limits: episodeLimitsSchema.parse({}),
      },
      context,
    );
    expect([isSolved(trajectory), trajectory.steps.length, sampler.ended()]).toEqual([
      true,
      presses.length,
      1,
    ]);
  });

  it('draws all chance from the context, and ends its session after a fault too', async () => {
    const play = async (failAt: number) => {
      const stage = await corridorStage();
      const sampler = scriptedSampler((_, number, given) => {
        if (number === failAt)
          throw new FaultError({ kind: 'sampler-failed', message: 'the GPU is gone', retryable: true });
        return { tokens: wrote(given.rng.pick(['go left', 'go right', 'go wait'])) };
      });
      const agent = createTokenAgent({
        id: 'writer',
        sampler,
        codec: byteCodec,
        guard: byteGuard,
        template: templates.plain,
        prompt: parsePrompt(smallPrompt, 'test'),
        text: corridorText,
        view: { admissible: true, history: 2 },
        decoding: { temperature: 1 },
        maxTokens: 40,
        stopTokens: [endToken],
      });
      try {
        const trajectory = await runEpisode(episodePlan(stage, { agent }), context);
        expect(sampler.ended()).toBe(1);
        return trajectory;
      } finally {
        await stage.envs.close();
      }
    };
    expect(await play(-1)).toEqual(await play(-1));
    expect(await play(2)).toMatchObject({
      steps: { length: 2 },
      stop: { kind: 'faulted', fault: { message: 'the GPU is gone' } },
    });
  });
});

describe('allowedNext', () => {
  it('returns exactly the tokens that continue an allowed sequence', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.nat(3), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat()),
        (sequences, picks) => {
          const allowed = sequences.map((tokens) => [...tokens, 9]); // ended, as replies are
          const written: number[] = [];
          for (const pick of [...picks, 0, 0, 0, 0, 0, 0]) {
            const next = allowedNext(allowed, written);
            if (next.length === 0) break;
            expect(next).toEqual([...new Set(next)]);
            written.push(next[pick % next.length] ?? -1);
          }
          expect(allowed).toContainEqual(written);
        },
      ),
    );
  });
});
