import { afterEach, describe, expect, it } from 'vitest';
import { createTokenAgent } from '../../../../agents/policy/token.ts';
import type { SampledTokens, TokenDecoding, TokenRequest } from '../../../../agents/core/token-sampler.ts';
import { parsePrompt } from '../../../../agents/prompt/prompt.ts';
import { Secret } from '../../../../agents/servers/secret.ts';
import { findTokenServer, type TokenServerKind } from '../../../../agents/servers/tokens/list.ts';
import type { RemoteSampler } from '../../../../agents/servers/tokens/remote-sampler.ts';
import { rowsOf } from '../../../../agents/render/rows.ts';
import { runEpisode } from '../../../../agents/rollout/episode.ts';
import type { Context } from '../../../../envs/core/context.ts';
import { FaultError, RunError, UsageError } from '../../../../envs/core/errors.ts';
import { corridorText } from '../../../support/corridor.ts';
import { corridorStage, episodePlan, testContext } from '../../../support/rollout.ts';
import type { TokenAnswer } from '../../../support/stub-token-server.ts';
import { stubProtocols } from '../../../support/token-servers/list.ts';
import { stubLogprob } from '../../../support/token-servers/stub-protocol.ts';
import { byteCodec, byteGuard, endToken, otherEndToken, templates } from '../../../support/token-play.ts';
import { smallPrompt } from '../../prompt/small-prompt.ts';
import { bytes, kinds, openStage as open, request, write, type Stage } from './open-sampler.ts';

const soon = { timeout: 240_000 };
const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

async function openStage(...how: Parameters<typeof open>): Promise<Stage> {
  const stage = await open(...how);
  closing.push(stage);
  return stage;
}

const sample = (
  sampler: RemoteSampler,
  over: Partial<TokenRequest> = {},
  context: Context = testContext(),
): Promise<SampledTokens> => sampler.begin().sample(request(over), context);
const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it was answered',
    (thrown: unknown) => thrown,
  );
const error = (
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): TokenAnswer => ({ kind: 'json', status, headers, body: { error: { message } } });

describe.each(kinds)('remote sampler over %s', (kind) => {
  it('returns the server’s ids and log-probabilities, with the version of its weights', async () => {
    const { sampler, stub } = await openStage(kind, [write('go')]);
    expect([sampler.version, sampler.contextLength]).toEqual([4, 1000]);
    const written = await sample(sampler);
    const tokens = [...bytes('go'), endToken];
    expect(written).toMatchObject({ tokens, finish: 'stop', version: 4 });
    for (const [place, token] of tokens.entries())
      expect(written.logprobs[place]).toBeCloseTo(stubLogprob(token), 9);
    expect(stub.asked[0]).toMatchObject({ prompt: [1, 2, 3], most: 20 });
  });

  it('sends a seed of its context, a new one for each request of a step, and none when decoding is greedy', async () => {
    const { sampler, stub } = await openStage(kind, [write('go')]);
    const seedOf = (place: number): unknown => stub.asked[place]?.seed;
    const context = testContext({ seed: 1 });
    await sample(sampler, {}, context);
    await sample(sampler, {}, context);
    await sample(sampler, {}, testContext({ seed: 1 }));
    await sample(sampler, { decoding: { temperature: 0 } });
    expect([typeof seedOf(0), seedOf(1) === seedOf(0), seedOf(2), seedOf(3)]).toEqual([
      'number',
      false,
      seedOf(0),
      undefined,
    ]);
  });

  it('ends with the stop token or text, inclusive, whatever the server wrote after it', async () => {
    const { sampler } = await openStage(
      kind,
      ({ number }) =>
        [
          write('go'),
          write('go', [endToken, 65]),
          write('go on', []),
          { ...write('ab\nObservation: x', []), ending: 'length' },
        ][number] as TokenAnswer,
    );
    expect(await sample(sampler, { maxTokens: 3 })).toMatchObject({
      tokens: [...bytes('go'), endToken],
      finish: 'stop',
    });
    expect(await sample(sampler, { maxTokens: 4 })).toMatchObject({
      tokens: [...bytes('go'), endToken],
      finish: 'stop',
      logprobs: { length: 3 },
    });
    expect(await sample(sampler, { maxTokens: 5 })).toMatchObject({
      tokens: bytes('go on'),
      finish: 'length',
    });
    expect(await sample(sampler, { stopTexts: ['Nothing', 'Observation:'] })).toMatchObject({
      tokens: bytes('ab\nObservation:'),
      finish: 'stop',
      logprobs: { length: 15 },
    });
  });

  it('returns log-probabilities of 0 when decoding is deterministic', async () => {
    const { sampler } = await openStage(kind, [write('go')]);
    for (const decoding of [{ temperature: 0 }, { temperature: 1, topK: 1 }])
      expect((await sample(sampler, { decoding })).logprobs).toEqual([0, 0, 0]);
  });

  it.each<[string, (kind: TokenServerKind) => TokenAnswer]>([
    ['a busy server', () => error(429, 'slow down')],
    ['a server error', () => error(500, 'oops')],
    ['a reset connection', () => ({ kind: 'reset' })],
    ['a cut answer', () => ({ kind: 'half-body' })],
    ['a slow server', () => ({ ...write('go'), delayMs: 2_000 })],
    ['an answer that never ends', () => ({ kind: 'drip' })],
    ['an id out of range', () => ({ kind: 'write', tokens: [259, endToken] })],
    ['a negative id', () => ({ kind: 'write', tokens: [-1, endToken] })],
    [
      'too few log-probabilities',
      (at) => ({ ...write('go'), logprobs: stubProtocols[at].incompleteLogprobs }),
    ],
    ['too many log-probabilities', () => ({ ...write('go'), logprobs: [-1, -1, -1, -1] })],
    ['a missing log-probability', () => ({ ...write('go'), logprobs: [-1, null, -1] })],
    ['a log-probability above 0', () => ({ ...write('go'), logprobs: [-1, 0.1, -1] })],
    ['the placeholder log-probability -9999', () => ({ ...write('go'), logprobs: [-1, -9999, -1] })],
    [
      'NaN',
      () => ({
        kind: 'text',
        type: 'application/json',
        body: '{"choices": [{"logprobs": {"token_logprobs": [NaN]}}]}',
      }),
    ],
    [
      'no log-probabilities',
      () => ({
        kind: 'json',
        body: {
          model: 'stub-model',
          choices: [{ text: 'go', logprobs: null, finish_reason: 'stop' }],
          tokens: [],
          meta_info: {},
        },
      }),
    ],
    ['no tokens', () => ({ kind: 'write', tokens: [] })],
    ['more tokens than requested', () => write('x'.repeat(21), [])],
    ['an aborted reply', () => ({ ...write('go'), ending: 'abort' })],
    [
      'an error with a success status',
      () => ({ kind: 'json', body: { error: { message: 'out of memory' } } }),
    ],
  ])('retries after %s', async (_, answer) => {
    const { sampler, stub } = await openStage(kind, [answer(kind), write('go')], {
      limits: { requestMs: 500 },
    });
    expect(await sample(sampler)).toMatchObject({ tokens: [...bytes('go'), endToken], finish: 'stop' });
    expect(stub.asked).toHaveLength(2);
    expect(stub.asked[1]?.body).toEqual(stub.asked[0]?.body);
  });

  it('faults the episode when the failure lasts', async () => {
    const { sampler } = await openStage(kind, [write('go'), { kind: 'write', tokens: [259] }], {
      limits: { tries: 3 },
    });
    await sample(sampler);
    const thrown = await caught(sample(sampler));
    expect(FaultError.is(thrown) && thrown.fault).toMatchObject({
      kind: 'sampler-failed',
      message: expect.stringMatching(
        /in 3 attempts; the last problem: it returned the token 259, and ids must be below 259/,
      ) as string,
    });
  });

  it('waits as long as the server asks', async () => {
    const times: number[] = [];
    const { sampler } = await openStage(kind, ({ number }) => {
      times.push(performance.now());
      return number === 0 ? error(429, 'later', { 'retry-after': '0.2' }) : write('go');
    });
    await sample(sampler);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(195);
  });

  it('hangs up when the caller aborts or the episode ends', async () => {
    const { sampler, stub } = await openStage(kind, () => ({ kind: 'silence' }), {
      limits: { requestMs: 60_000, totalMs: 60_000 },
    });
    const stop = new AbortController();
    const givenUp = caught(sample(sampler, {}, testContext({ signal: stop.signal })));
    const session = sampler.begin();
    const ended = caught(session.sample(request(), testContext()));
    await expect.poll(() => stub.underWay.now, soon).toBe(2);
    const reason = new Error('enough');
    stop.abort(reason);
    session.end();
    expect(await givenUp).toBe(reason);
    expect(String(await ended)).toMatch(/its episode has ended/);
    await expect.poll(() => stub.underWay.now, soon).toBe(0);
  });

  it('refuses an answer to another prompt, and a context longer than the server’s', async () => {
    const other = await openStage(kind, [{ ...write('go'), promptTokens: 4 }]);
    const thrown = await caught(sample(other.sampler));
    expect(UsageError.is(thrown) && thrown.message).toMatch(
      /it reports 4 prompt tokens, and 3 were sent\. Configure the server to use prompts unchanged/,
    );
    const short = await openStage(kind, [{ ...write('go', []), ending: 'length' }]);
    expect(String(await caught(sample(short.sampler)))).toMatch(
      /it cut a reply off after 2 of 20 tokens\. Start the server with a longer context/,
    );
    const refused = await openStage(kind, [error(400, "This model's maximum context length is 10 tokens.")]);
    expect(String(await caught(sample(refused.sampler)))).toMatch(
      /contextLength for stub-model .*: 3 prompt tokens and 20 more exceed the context of the server: This model's maximum context length is 10 tokens/,
    );
    expect(String(await caught(sample(refused.sampler, { maxTokens: 998 })))).toMatch(
      /3 prompt tokens and 998 more exceed the context of 1000/,
    );
  });

  it('refuses a reply that ended with an unknown end token, and options that no server supports', async () => {
    const { sampler, stub } = await openStage(kind, [write('go', [otherEndToken])]);
    const thrown = await caught(sample(sampler));
    expect(UsageError.is(thrown) && thrown.message).toMatch(
      /it ended a reply with the token 258, which is neither a stop token.* Add the token to the stop tokens/,
    );
    expect(String(await caught(sample(sampler, { allowed: [[1, endToken]] })))).toMatch(
      /allowed for stub-model/,
    );
    expect(stub.asked).toHaveLength(1);
  });

  it('shows its key in no error', async () => {
    const key = new Secret('canary-77aa01', 'STUB_KEY');
    const { sampler, stub } = await openStage(
      kind,
      [
        { ...write('go'), ending: 'canary-77aa01' },
        error(401, 'not canary-77aa01'),
        { ...write('go'), name: 'canary-77aa01' },
        { kind: 'json', body: { error: { message: 'canary-77aa01' } } },
      ],
      { key, limits: { tries: 1 } },
    );
    const seen: unknown[] = [];
    for (let number = 0; number < 4; number += 1) seen.push(await caught(sample(sampler)));
    seen.push(await caught(sampler.adopt({ version: 5, folder: '/tmp/canary-77aa01' }, testContext())));
    expect(stub.requests[0]?.headers).toMatchObject({ authorization: 'Bearer canary-77aa01' });
    const shown = seen
      .map(
        (thrown) =>
          `${String(thrown)} ${JSON.stringify(thrown)} ${thrown instanceof Error ? `${thrown.stack} ${String(thrown.cause)}` : ''}`,
      )
      .join('\n');
    expect(shown.replaceAll('/tmp/canary-77aa01', '')).not.toContain('canary-77aa01');
  });
});

describe('log-probabilities of another distribution', () => {
  const raw = ['vllm', { logprobs: 'raw' }] as const;
  const processed = ['vllm', { logprobs: 'processed' }] as const;
  const original = ['sglang', { logprobs: 'raw' }] as const;
  const tempered = ['sglang', { logprobs: 'tempered' }] as const;
  const llamaCpp = ['llama-cpp', {}] as const;
  it.each<[readonly [TokenServerKind, object], TokenDecoding, RegExp | undefined]>([
    [raw, { temperature: 1 }, undefined],
    [raw, { temperature: 0 }, undefined],
    [raw, { temperature: 0.7 }, /before temperature and filters.*--logprobs-mode processed_logprobs/],
    [raw, { temperature: 1, topP: 0.9 }, /before temperature and filters/],
    [processed, { temperature: 0.7, topP: 0.9, topK: 5, minP: 0.1 }, undefined],
    [tempered, { temperature: 0.7 }, undefined],
    [tempered, { temperature: 0.7, topP: 1, minP: 0 }, undefined],
    [tempered, { temperature: 1, topK: 5 }, /before topK, topP and minP/],
    [tempered, { temperature: 1, minP: 0.1 }, /before topK, topP and minP/],
    [original, { temperature: 1 }, undefined],
    [original, { temperature: 0.7 }, /SGLANG_RETURN_ORIGINAL_LOGPROB/],
    [llamaCpp, { temperature: 0.7, topP: 0.9 }, undefined],
  ])(
    'fail before any request when they do not match the decoding: %o at %o',
    async ([kind, serverConfig], decoding, message) => {
      const { sampler, stub } = await openStage(kind, [write('go')], { serverConfig: { ...serverConfig } });
      const came = await caught(sample(sampler, { decoding }));
      if (message === undefined) expect([came, stub.asked.length]).toEqual(['it was answered', 1]);
      else
        expect([UsageError.is(came), String(came), stub.asked.length]).toEqual([
          true,
          expect.stringMatching(message),
          0,
        ]);
    },
  );

  it('cause a retry when llama.cpp returns those of other tokens', async () => {
    const of = (...ids: readonly number[]): TokenAnswer => ({
      kind: 'json',
      body: {
        tokens: [103, endToken],
        stop_type: 'eos',
        completion_probabilities: ids.map((id) => ({ id, prob: 0.5 })),
      },
    });
    const { sampler, stub } = await openStage('llama-cpp', [
      of(104, endToken),
      of(103, endToken, 103),
      of(103, endToken),
    ]);
    expect(await sample(sampler)).toMatchObject({
      tokens: [103, endToken],
      logprobs: [Math.log(0.5), Math.log(0.5)],
    });
    expect(stub.asked).toHaveLength(3);
  });

  it('become null for all but the last part of a character, where llama.cpp returns none', async () => {
    const { sampler, stub } = await openStage('llama-cpp', [
      write('gé!'),
      { kind: 'write', tokens: bytes('é').slice(0, 1) },
    ]);
    const [go, first = 0, last = 0, bang] = [...bytes('gé!')].map(stubLogprob);
    expect(first).not.toBe(last);
    expect(await sample(sampler)).toMatchObject({
      tokens: [...bytes('gé!'), endToken],
      logprobs: [go, null, last, bang, stubLogprob(endToken)].map((logprob) =>
        logprob === null ? null : (expect.closeTo(logprob ?? Number.NaN, 12) as number),
      ),
    });
    expect(await sample(sampler, { maxTokens: 1 })).toMatchObject({
      tokens: bytes('é').slice(0, 1),
      logprobs: [null],
      finish: 'length',
    });
    expect(stub.asked).toHaveLength(2);
  });
});

describe('sampling request', () => {
  const decoding = { temperature: 0.5, topK: 9, topP: 0.8, minP: 0.1 };
  it('sends vLLM every setting that would otherwise have a default', async () => {
    const { sampler, stub } = await openStage('vllm', [write('go')]);
    await sample(sampler, { decoding, stopTexts: ['\nObs'] });
    expect(stub.asked[0]?.body).toEqual({
      model: 'stub-model',
      prompt: [1, 2, 3],
      max_tokens: 20,
      temperature: 0.5,
      top_k: 9,
      top_p: 0.8,
      min_p: 0.1,
      repetition_penalty: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
      seed: expect.any(Number) as number,
      stop: ['\nObs'],
      stop_token_ids: [endToken],
      include_stop_str_in_output: true,
      ignore_eos: true,
      skip_special_tokens: false,
      spaces_between_special_tokens: false,
      logprobs: 1,
      return_tokens_as_token_ids: true,
      stream: false,
    });
  });

  it('sends SGLang every setting that would otherwise have a default', async () => {
    const { sampler, stub } = await openStage('sglang', [write('go')]);
    await sample(sampler, { decoding: { temperature: 0.5 }, stopTexts: ['\nObs'] });
    expect(stub.asked[0]?.body).toEqual({
      input_ids: [1, 2, 3],
      return_logprob: true,
      stream: false,
      sampling_params: {
        max_new_tokens: 20,
        temperature: 0.5,
        top_k: -1,
        top_p: 1,
        min_p: 0,
        repetition_penalty: 1,
        presence_penalty: 0,
        frequency_penalty: 0,
        sampling_seed: expect.any(Number) as number,
        stop: ['\nObs'],
        stop_token_ids: [endToken],
        no_stop_trim: true,
        skip_special_tokens: false,
        spaces_between_special_tokens: false,
      },
    });
  });

  it('sends llama.cpp its list of samplers, and no stop texts, whose tokens would lack probabilities', async () => {
    const { sampler, stub } = await openStage('llama-cpp', [write('go')]);
    await sample(sampler, { decoding, stopTexts: ['\nObs'] });
    expect(stub.asked[0]?.body).toEqual({
      model: 'stub-model',
      prompt: [1, 2, 3],
      n_predict: 20,
      samplers: ['temperature', 'top_k', 'top_p', 'min_p'],
      temperature: 0.5,
      top_k: 9,
      top_p: 0.8,
      min_p: 0.1,
      dynatemp_range: 0,
      mirostat: 0,
      seed: expect.any(Number) as number,
      n_probs: 1,
      post_sampling_probs: true,
      return_tokens: true,
      stream: false,
    });
  });

  it('fails when another model answers', async () => {
    const first = await openStage('vllm', [{ ...write('go'), name: 'other' }]);
    const thrown = await caught(sample(first.sampler));
    expect(UsageError.is(thrown) && thrown.message).toMatch(
      /it answered as other, and stub-model was requested\. Use the first name/,
    );
    const later = await openStage('vllm', [write('go'), { ...write('go'), name: 'other' }, write('on')]);
    await sample(later.sampler);
    expect(await sample(later.sampler)).toMatchObject({ tokens: [...bytes('on'), endToken] });
  });

  it('fails with the status when the server is of another kind', async () => {
    const { sampler } = await openStage('vllm', [write('go')], {
      server: findTokenServer('sglang'),
      serverConfig: { logprobs: 'tempered' },
    });
    const thrown = await caught(sample(sampler));
    expect(UsageError.is(thrown) && thrown.message).toMatch(/status 404: Not Found/);
    const { sampler: lost } = await openStage('vllm', [error(500, 'oops')], { limits: { tries: 1 } });
    expect(RunError.is(await caught(sample(lost)))).toBe(true);
  });
});

describe.each(kinds)('episode played over %s', (kind) => {
  it('keeps the server’s ids and log-probabilities in its rows', async () => {
    const { sampler, stub } = await openStage(kind, ({ number }) =>
      write(['go right', 'what?', 'go wait'][number] ?? 'go right'),
    );
    const stage = await corridorStage({ config: { slip: 0, turns: 6 } });
    const agent = createTokenAgent({
      id: 'writer',
      sampler,
      codec: byteCodec,
      guard: byteGuard,
      template: templates.plain,
      prompt: parsePrompt(smallPrompt, 'test'),
      text: corridorText,
      view: { admissible: false, history: 'all' },
      decoding: { temperature: 1 },
      maxTokens: 30,
      stopTokens: [endToken],
    });
    try {
      const trajectory = await runEpisode(episodePlan(stage, { agent }), testContext());
      const [row, ...more] = rowsOf(trajectory);
      expect(more).toEqual([]);
      const sampled = [...(row?.sampled ?? [])].flatMap((mark, place) => (mark === 1 ? [place] : []));
      const written = stub.asked.flatMap((_, number) => [
        ...bytes(['go right', 'what?', 'go wait'][number] ?? 'go right'),
        endToken,
      ]);
      expect(sampled.map((place) => row?.tokens[place])).toEqual(written);
      for (const [index, place] of sampled.entries())
        expect(row?.logprobs[place]).toBeCloseTo(stubLogprob(written[index] ?? Number.NaN), 6);
      expect(trajectory.steps.map(({ policyVersion }) => policyVersion)).toEqual(
        trajectory.steps.map(() => 4),
      );
      expect(trajectory.steps.length).toBeGreaterThan(2);
      const lastPrompt = stub.asked.at(-1)?.prompt ?? [];
      expect([...(row?.tokens ?? [])].slice(0, lastPrompt.length)).toEqual(lastPrompt);
    } finally {
      await stage.envs.close();
    }
  });
});
