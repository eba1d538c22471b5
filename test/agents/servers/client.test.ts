import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChatReply } from '../../../agents/prompt/chat-model.ts';
import { openChatClient, type ChatClient } from '../../../agents/servers/client.ts';
import {
  defaultChatLimits,
  type ChatClientOptions,
  type ChatLimits,
} from '../../../agents/servers/client-options.ts';
import { parseEndpoint } from '../../../agents/servers/endpoint.ts';
import { Secret } from '../../../agents/servers/secret.ts';
import { createContext, type Context } from '../../../envs/core/context.ts';
import { FaultError, RunError, UsageError } from '../../../envs/core/errors.ts';
import {
  startStub,
  type StubAnswer,
  type StubRequest,
  type StubServer,
} from '../../support/stub-chat-server.ts';

const soon = { timeout: 240_000 };
const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const open of closing.splice(0).toReversed()) await open[Symbol.asyncDispose]();
});

async function stubOf(
  script: readonly StubAnswer[] | ((request: StubRequest) => StubAnswer),
  models?: readonly string[],
): Promise<StubServer> {
  const list =
    typeof script === 'function'
      ? script
      : ({ number }: StubRequest) => script[Math.min(number, script.length - 1)] as StubAnswer;
  const stub = await startStub(list, models);
  closing.push(stub);
  return stub;
}

type Over = Partial<Omit<ChatClientOptions, 'limits'>> & { readonly limits?: Partial<ChatLimits> };

async function clientOf(url: string, { limits, ...over }: Over = {}): Promise<ChatClient> {
  const client = await openChatClient({
    model: 'stub-model',
    endpoint: parseEndpoint(url, 'test'),
    key: undefined,
    keyName: 'STUB_KEY',
    maxTokens: 64,
    maxTokensField: 'max_tokens',
    temperature: 0,
    ...over,
    limits: {
      ...defaultChatLimits,
      requestMs: 2_000,
      totalMs: 10_000,
      backoff: { firstMs: 1, capMs: 4 },
      replyBytes: 100_000,
      ...limits,
    },
  });
  closing.push(client);
  return client;
}

const contextOf = (signal?: AbortSignal, seed = 1): Context =>
  createContext({ seed, now: () => performance.now(), ...(signal === undefined ? {} : { signal }) });
const hello = { messages: [{ role: 'user', text: 'Hello' }], stop: [] } as const;
const ask = (client: ChatClient, context = contextOf()): Promise<ChatReply> =>
  client.complete(hello, context);
const say = (text: string): StubAnswer => ({ kind: 'say', text });
const text = (words: string): object => ({ type: 'text', text: words });
const parts = (...content: readonly unknown[]): StubAnswer => ({
  kind: 'json',
  body: { choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] },
});
const error = (status: number, message: string, more: object = {}): StubAnswer => ({
  kind: 'json',
  status,
  body: { error: { message, ...more } },
});
const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it was answered',
    (thrown: unknown) => thrown,
  );

describe('chat request', () => {
  it('contains the conversation and the set options, and nothing else', async () => {
    const stub = await stubOf([say('Hi')]);
    const client = await clientOf(stub.url, { key: new Secret('key-of-nobody', 'STUB_KEY') });
    const messages = [
      { role: 'system', text: 'Be short.' },
      { role: 'user', text: 'Half of a pair: \ud83d' },
    ] as const;
    expect(await client.complete({ messages, stop: ['\nObservation:'] }, contextOf())).toEqual({
      kind: 'said',
      text: 'Hi',
      cut: false,
      usage: undefined,
      reasoningCharacters: 0,
    });
    const [request] = stub.requests;
    expect(request?.path).toBe('/v1/chat/completions');
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer key-of-nobody',
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    });
    expect(request?.body).toEqual({
      model: 'stub-model',
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Half of a pair: \ufffd' },
      ],
      max_tokens: 64,
      temperature: 0,
      stop: ['\nObservation:'],
      stream: false,
    });
    expect(client.served).toEqual(['stub-model']);
  });

  it('sends the user’s extra fields, none in place of its own', async () => {
    const stub = await stubOf([say('Hi')]);
    await ask(
      await clientOf(stub.url, { fields: { top_p: 0.9, chat_template_kwargs: { enable_thinking: false } } }),
    );
    expect(stub.requests[0]?.body).toMatchObject({
      model: 'stub-model',
      top_p: 0.9,
      chat_template_kwargs: { enable_thinking: false },
      stream: false,
    });
    await expect(clientOf(stub.url, { fields: { stream: true } })).rejects.toThrow('request field stream');
    await expect(clientOf(stub.url, { fields: { tools: [] } })).rejects.toThrow(
      '--prompt tools offers the actions as tools',
    );
    await ask(await clientOf(stub.url, { fields: { toString: 1 } }));
    expect(stub.requests[1]?.body).toHaveProperty('toString', 1);
    const unknown = await stubOf([
      {
        kind: 'json',
        status: 400,
        body: { error: { message: 'Unrecognized request argument supplied: stop_at' } },
      },
    ]);
    const refused = await caught(ask(await clientOf(unknown.url, { fields: { stop_at: 1 } })));
    expect(String(refused)).toContain(
      'Remove it, or give a value that the server accepts: --request-field stop_at.',
    );
  });

  it('supports both dialects, and samples with a seed of its own context', async () => {
    const stub = await stubOf([say('Hi')]);
    const sampled = await clientOf(stub.url, { temperature: 0.7, maxTokensField: 'max_completion_tokens' });
    await ask(sampled, contextOf(undefined, 1));
    await ask(sampled, contextOf(undefined, 1));
    await ask(sampled, contextOf(undefined, 2));
    await ask(await clientOf(stub.url, { temperature: undefined }));
    const bodies = stub.requests.map(({ body }) => body);
    expect(bodies[0]).toMatchObject({ max_completion_tokens: 64, temperature: 0.7 });
    expect(bodies[0]).not.toHaveProperty('max_tokens');
    expect(stub.requests[0]?.headers).not.toHaveProperty('authorization');
    expect([bodies[1]?.['seed'], bodies[2]?.['seed'] === bodies[0]?.['seed']]).toEqual([
      bodies[0]?.['seed'],
      false,
    ]);
    expect(Object.keys(bodies[3] ?? {})).toEqual(['model', 'messages', 'max_tokens', 'stream']);
  });

  it('opens few connections, and reuses them', async () => {
    const stub = await stubOf(() => ({ kind: 'say', text: 'Hi', delayMs: 5 }));
    const client = await clientOf(stub.url, { limits: { connections: 3 } });
    await Promise.all(Array.from({ length: 20 }, () => ask(client)));
    expect([stub.requests.length, stub.connections.most, stub.underWay.most]).toEqual([20, 3, 3]);
    await client[Symbol.asyncDispose]();
    await expect.poll(() => stub.connections.now, soon).toBe(0);
  });
});

describe('chat reply', () => {
  const usage = { prompt_tokens: 90, completion_tokens: 7, total_tokens: 97 };
  it.each<[string, StubAnswer, Partial<ChatReply>]>([
    [
      'reports token counts of the server',
      { kind: 'say', text: 'a', usage },
      { usage: { prompt: 90, completion: 7 } },
    ],
    [
      'reports cached tokens and reasoning',
      {
        kind: 'say',
        text: 'a',
        usage: {
          ...usage,
          prompt_tokens_details: { cached_tokens: 64 },
          completion_tokens_details: { reasoning_tokens: 5 },
        },
      },
      { usage: { prompt: 90, completion: 7, cached: 64, reasoning: 5 } },
    ],
    [
      'accepts details that are null',
      { kind: 'say', text: 'a', usage: { ...usage, prompt_tokens_details: null } },
      { usage: { prompt: 90, completion: 7 } },
    ],
    [
      'ignores a count below 0',
      { kind: 'say', text: 'a', usage: { ...usage, completion_tokens: -7 } },
      { text: 'a', usage: undefined },
    ],
    [
      'ignores an impossibly large count',
      { kind: 'say', text: 'a', usage: { ...usage, prompt_tokens: 1e15 } },
      { text: 'a', usage: undefined },
    ],
    [
      'ignores a count given as text',
      { kind: 'say', text: 'a', usage: { ...usage, prompt_tokens: '90' } },
      { text: 'a', usage: undefined },
    ],
    [
      'ignores more cached tokens than were sent',
      { kind: 'say', text: 'a', usage: { ...usage, prompt_tokens_details: { cached_tokens: 91 } } },
      { usage: undefined },
    ],
    ['reports that it was cut off', { kind: 'say', text: 'a', finish: 'length' }, { cut: true }],
    ['reports that a filter cut it off', { kind: 'say', text: 'a', finish: 'content_filter' }, { cut: true }],
    [
      'leaves reasoning out and counts it',
      { kind: 'say', text: 'a', message: { reasoning_content: 'Let me see' } },
      { text: 'a', reasoningCharacters: 10 },
    ],
    [
      'reads the newer name of reasoning',
      { kind: 'say', text: 'a', message: { reasoning: 'Hm' } },
      { text: 'a', reasoningCharacters: 2 },
    ],
    [
      'may come in parts',
      parts(text('go to '), { ...text('desk 1'), annotations: [] }),
      { text: 'go to desk 1', cut: false },
    ],
    ['may come in no parts', parts(), { text: '' }],
    ['may have no content at all', { kind: 'json', body: { choices: [{ message: {} }] } }, { text: '' }],
    ['may be empty', { kind: 'say', text: null }, { text: '' }],
    ...['', null, {}, { message: '', type: null, code: null }].map(
      (none): [string, StubAnswer, Partial<ChatReply>] => [
        `may have an empty error beside it: ${JSON.stringify(none)}`,
        {
          kind: 'json',
          body: { error: none, choices: [{ message: { content: 'look' } }] },
          headers: { 'content-encoding': 'identity' },
        },
        { text: 'look' },
      ],
    ),
    [
      'may be a refusal',
      { kind: 'say', text: null, message: { refusal: 'I will not' } },
      { text: 'I will not' },
    ],
  ])('%s', async (_, answer, wanted) => {
    const stub = await stubOf([answer]);
    expect(await ask(await clientOf(stub.url))).toMatchObject({ kind: 'said', ...wanted });
    expect(stub.requests).toHaveLength(1);
  });

  it('may name another model than was requested', async () => {
    const stub = await stubOf([{ kind: 'say', text: 'a', model: 'other.gguf' }]);
    const client = await clientOf(stub.url);
    await ask(client);
    expect(client.served).toEqual(['other.gguf']);
  });
});

describe('passing failure', () => {
  it.each<[string, StubAnswer]>([
    ['a busy server', error(429, 'slow down')],
    ['a server error', error(500, 'oops')],
    ['a gateway’s page', { kind: 'text', status: 502, type: 'text/html', body: '<h1>Bad gateway</h1>' }],
    ['a timeout inside the server', error(408, 'too slow')],
    ['a reset connection', { kind: 'reset' }],
    ['half a body', { kind: 'half-body' }],
    ['half a JSON', { kind: 'text', type: 'application/json', body: '{"choices": [{"message": {"con' }],
    ['an empty body', { kind: 'text', type: 'application/json', body: '' }],
    ['no choices', { kind: 'json', body: { choices: [] } }],
    ['an aborted reply', { kind: 'say', text: 'go to de', finish: 'abort' }],
    ['an impossibly long reply', { kind: 'say', text: 'x'.repeat(64 * 80 + 1) }],
    ['a part without its text', parts({ type: 'text' })],
    ['another document', { kind: 'json', body: ['choices'] }],
    [
      'an error beside a choice',
      { kind: 'json', body: { error: { code: 500 }, choices: [{ message: { content: 'look' } }] } },
    ],
    ['an empty error object', { kind: 'json', body: { error: {} } }],
    ['an error with a success status', { kind: 'json', body: { error: { message: 'out of memory' } } }],
    ['an answer that never ends', { kind: 'drip' }],
    ['no answer', { kind: 'silence' }],
    ['a flood', { kind: 'flood' }],
  ])('causes a retry: %s', async (_, answer) => {
    const stub = await stubOf([answer, answer, say('Hi')]);
    expect(await ask(await clientOf(stub.url, { limits: { requestMs: 500 } }))).toMatchObject({ text: 'Hi' });
    expect(stub.requests).toHaveLength(3);
  });

  it('faults the episode when it lasts, once the server has worked', async () => {
    const stub = await stubOf([say('Hi'), error(503, 'loading \u001b[2Jthe model')]);
    const client = await clientOf(stub.url, { limits: { tries: 3 } });
    await ask(client);
    const thrown = await caught(ask(client));
    expect(FaultError.is(thrown) && thrown.fault).toEqual({
      kind: 'sampler-failed',
      message: `stub-model at ${stub.host}: no usable answer in 3 attempts; the last problem: it answered with status 503: loading the model`,
      retryable: true,
    });
    expect(stub.requests).toHaveLength(4);
  });

  it('stops the run when the server never gave, or no longer gives, a usable answer', async () => {
    const never = await stubOf([{ kind: 'json', body: { hello: 'world' } }]);
    const thrown = await caught(ask(await clientOf(never.url, { limits: { tries: 2 } })));
    expect(RunError.is(thrown) && thrown.message).toMatch(
      /stub-model at 127\.0\.0\.1:\d+: no usable answer in 2 attempts; the last problem: its answer is not a chat completion \(choices: .*\)\. Check that this is a server/,
    );
    const gone = await stubOf([say('Hi'), error(500, '')]);
    const client = await clientOf(gone.url, { limits: { tries: 1, connections: 2 } });
    await ask(client);
    const ends = [await caught(ask(client)), await caught(ask(client)), await caught(ask(client))];
    expect(ends.map((end) => (RunError.is(end) ? 'run' : FaultError.is(end) ? 'fault' : end))).toEqual([
      'fault',
      'fault',
      'run',
    ]);
    expect(String(ends[2])).toContain('it has stopped answering: 3 consecutive requests failed');
  });

  it('reaches onRetry at the first retry, and every half minute while it lasts', async () => {
    let clock = 0;
    const stub = await stubOf(({ number }) => {
      clock += 20_000;
      return number === 7 ? say('Hi') : error(503, 'loading key-of-nobody');
    });
    const heard: unknown[] = [];
    const client = await clientOf(stub.url, {
      key: new Secret('key-of-nobody', 'STUB_KEY'),
      onRetry: (retry) => heard.push(retry),
    });
    await ask(client, createContext({ seed: 1, now: () => clock }));
    const why = 'it answered with status 503: loading [secret]';
    expect(heard).toEqual([2, 4, 6, 8].map((next) => ({ next, tries: 8, why })));
  });

  it('reaches onRetry once, however many requests there are', async () => {
    const stub = await stubOf(({ number }) => (number % 2 === 0 ? error(503, 'busy') : say('Hi')));
    const heard: unknown[] = [];
    const client = await clientOf(stub.url, { onRetry: (retry) => heard.push(retry) });
    const context = createContext({ seed: 1, now: () => 0 });
    for (let request = 0; request < 5; request += 1) await ask(client, context);
    expect([stub.requests.length, heard.length]).toEqual([10, 1]);
  });

  it('pauses all requests for as long as the server asks', async () => {
    const times: number[] = [];
    const stub = await stubOf(({ number }) => {
      times.push(performance.now());
      return number === 0
        ? { kind: 'json', status: 429, headers: { 'retry-after': '0.3' }, body: {} }
        : say('Hi');
    });
    const client = await clientOf(stub.url, { limits: { connections: 4 } });
    const first = ask(client);
    await expect.poll(() => stub.requests.length, soon).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    await Promise.all([first, ask(client), ask(client)]);
    const early = times.slice(1).filter((time) => time - (times[0] ?? 0) < 295);
    expect([times.length, early]).toEqual([4, []]);
  });

  it('causes no wait beyond the time limit', async () => {
    const stub = await stubOf([
      say('Hi'),
      { kind: 'json', status: 429, headers: { 'retry-after': '3600' }, body: {} },
    ]);
    const client = await clientOf(stub.url);
    await ask(client);
    expect(String(await caught(ask(client)))).toMatch(
      /it asks for a pause of 60 minutes, and all attempts of a request may take 10 seconds together; it answered with status 429/,
    );
  });

  it('holds back and stops all other requests when the server asks for a pause beyond the limit', async () => {
    const stub = await stubOf(({ number }) =>
      number === 1
        ? {
            kind: 'json',
            status: 429,
            headers: { 'retry-after': '3600' },
            body: { error: { message: 'enough' } },
          }
        : say('Hi'),
    );
    const client = await clientOf(stub.url, { limits: { connections: 4 } });
    await ask(client);
    const ends = [
      await caught(ask(client)),
      await caught(ask(client)),
      ...(await Promise.all([caught(ask(client)), caught(ask(client))])),
    ];
    expect(ends.map((end) => RunError.is(end) && end.parts)).toEqual(
      ends.map(() => ({
        where: `stub-model at ${stub.host}`,
        what: 'it asks for a pause of 60 minutes, and all attempts of a request may take 10 seconds together; it answered with status 429: enough.',
        fix: expect.stringMatching(
          /^Try again in 60 minutes, with --keep FOLDER to keep finished episodes and resume with the same command/,
        ) as string,
      })),
    );
    expect(stub.requests).toHaveLength(2);
  });

  it('respects the pause that comes with the last try', async () => {
    const times: number[] = [];
    const stub = await stubOf(({ number }) => {
      times.push(performance.now());
      return number === 1
        ? { kind: 'json', status: 429, headers: { 'retry-after': '0.3' }, body: {} }
        : say('Hi');
    });
    const client = await clientOf(stub.url, { limits: { tries: 1 } });
    await ask(client);
    expect(FaultError.is(await caught(ask(client)))).toBe(true);
    await ask(client);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThan(290);
  });

  it('faults only the request that has no time left for a pause', async () => {
    let clock = 0;
    const stub = await stubOf(({ number }) => {
      clock += 9_900;
      return number === 1
        ? { kind: 'json', status: 429, headers: { 'retry-after': '0.2' }, body: {} }
        : say('Hi');
    });
    const client = await clientOf(stub.url);
    const context = createContext({ seed: 1, now: () => clock });
    await ask(client, context);
    const thrown = await caught(ask(client, context));
    expect(FaultError.is(thrown) && thrown.message).toContain('it asks for a pause of 0.2 seconds');
    clock += 1_000;
    expect(await ask(client, context)).toMatchObject({ text: 'Hi' });
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['seconds', { 'retry-after': '7200' }, '2 hours'],
    ['many seconds', { 'retry-after': '864000' }, '10 days'],
    ['an absurd number of seconds', { 'retry-after': '99999999999' }, '1157407 days'],
    [
      'a distant date',
      { 'retry-after': 'Sun, 06 Nov 2094 08:49:37 GMT', date: 'Fri, 05 Nov 2094 07:49:37 GMT' },
      '25 hours',
    ],
  ])(
    'stops the run when a server asks for too long a pause, and says what can be done: %s',
    async (_, headers, words) => {
      const busy: StubAnswer = {
        kind: 'json',
        status: 429,
        headers,
        body: { error: { message: 'tomorrow' } },
      };
      const stub = await stubOf([busy]);
      const thrown = await caught(ask(await clientOf(stub.url)));
      expect(RunError.is(thrown) && thrown.parts).toMatchObject({
        what: `it asks for a pause of ${words}, and all attempts of a request may take 10 seconds together; it answered with status 429: tomorrow.`,
        fix: expect.stringMatching(
          new RegExp(`^Try again in ${words}, with --keep .* raise --request-timeout`),
        ) as string,
      });
      expect(stub.requests).toHaveLength(1);
      const worked = await clientOf((await stubOf([say('Hi'), busy])).url, { limits: { connections: 1 } });
      await ask(worked);
      const later = await caught(ask(worked));
      expect(RunError.is(later) && later.parts.fix).toContain(`Try again in ${words}`);
    },
  );

  it('ends at the total time limit, however many tries are left', async () => {
    const stub = await stubOf([say('Hi'), error(500, 'oops')]);
    const client = await clientOf(stub.url, {
      limits: { totalMs: 200, tries: 1_000_000, backoff: { firstMs: 20, capMs: 20 } },
    });
    await ask(client);
    const thrown = await caught(ask(client));
    expect(FaultError.is(thrown) && thrown.message).toMatch(
      /no usable answer within 200 ms; the last problem: it answered with status 500: oops/,
    );
  });
});

describe('permanent failure', () => {
  const streamed =
    /it streams its answer, although the request has "stream": false\. Configure the server, or the proxy before it, to respect "stream": false/;
  it.each<[string, StubAnswer, RegExp]>([
    [
      'a missing key',
      error(401, 'Unauthorized'),
      /status 401: Unauthorized\. Give the right key\. None was sent: STUB_KEY is not set/,
    ],
    ['a key without rights', error(403, 'no'), /status 403: no\. Give the right key/],
    ['an account without credit', error(402, 'pay'), /Check the account of the key/],
    [
      'an invalid request',
      error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
      /--max-tokens-field max_completion_tokens/,
    ],
    ['an unsupported temperature', error(400, "'temperature' does not support 0"), /--temperature default/],
    [
      'an unknown field',
      { kind: 'json', status: 422, body: { detail: [{ loc: ['body'], msg: 'extra' }] } },
      /status 422: \[\{"loc":\["body"\],"msg":"extra"\}\]/,
    ],
    [
      'an error in another shape',
      { kind: 'json', status: 400, body: { object: 'error', message: 'no such thing', code: 400 } },
      /status 400: no such thing/,
    ],
    ['an error in one word', { kind: 'json', status: 400, body: { error: 'nope' } }, /status 400: nope/],
    [
      'a redirect',
      {
        kind: 'text',
        status: 307,
        type: 'text/plain',
        body: '',
        headers: { location: 'http://elsewhere.example/v1' },
      },
      /status 307: redirects to http:\/\/elsewhere\.example\/v1\. Check the URL/,
    ],
    [
      'a web page',
      { kind: 'text', type: 'text/html', body: '<html>' },
      /it answered with text\/html instead of JSON\. Check the URL/,
    ],
    [
      'an image among the text',
      parts(text('see'), { type: 'image_url\u001b[2J', image_url: {} }),
      /its reply has a part of kind "image_url", and only text is supported\. Configure the server to answer with text only/,
    ],
    ['a stream', { kind: 'text', type: 'text/event-stream', body: 'data: {}\n\n' }, streamed],
    ['a stream that stays open', { kind: 'open-stream' }, streamed],
    [
      'a stream labelled as JSON',
      { kind: 'text', type: 'application/json', body: '\ndata: {"choices": []}\n\n' },
      streamed,
    ],
    [
      'a stream that begins with a comment',
      { kind: 'text', type: 'text/plain', body: ': one moment\n\ndata: {}\n\n' },
      streamed,
    ],
    [
      'a compressed answer',
      { kind: 'json', body: {}, headers: { 'content-encoding': 'gzip' } },
      /its answer is compressed \(gzip\), although the request asks for plain text\. Configure the server, or the proxy before it, to respect "accept-encoding/,
    ],
    [
      'an answer of an unknown encoding',
      { kind: 'json', body: {}, headers: { 'content-encoding': 'zstd, \u00e9' } },
      /its answer is compressed \(zstd, ./,
    ],
    [
      'an error inside a list',
      {
        kind: 'json',
        status: 400,
        body: [{ error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } }],
      },
      /status 400: API key not valid\./,
    ],
    ['a wrong method', error(405, 'GET only'), /status 405: GET only\. Check the URL/],
  ])('throws a UsageError after one request: %s', async (_, answer, message) => {
    const stub = await stubOf([answer]);
    const thrown = await caught(ask(await clientOf(stub.url)));
    expect(UsageError.is(thrown) && thrown.message).toMatch(message);
    expect(stub.requests).toHaveLength(1);
  });

  it('reports an answer that is not UTF-8', async () => {
    const stub = await stubOf([{ kind: 'latin-1' }, say('Hi')]);
    const told: string[] = [];
    const client = await clientOf(stub.url, { onRetry: ({ why }) => void told.push(why) });
    await ask(client);
    expect(told).toEqual([expect.stringContaining('its answer is not UTF-8 text')]);
  });

  it('suggests the intended model, or the only one there is', async () => {
    const missing = error(404, 'The model does not exist.');
    const many = await stubOf([missing], ['Qwen/Qwen3-8B', 'Qwen/Qwen3-32B', 'llama']);
    expect(String(await caught(ask(await clientOf(many.url, { model: 'Qwen/Qwen3-9B' }))))).toMatch(
      /The model does not exist\. Did you mean Qwen\/Qwen3-8B/,
    );
    const one = await stubOf([missing], ['other']);
    expect(String(await caught(ask(await clientOf(one.url))))).toMatch(
      /It has other\. Check the name of the model/,
    );
  });

  it('faults one episode at once when a working server sends a part that is not text', async () => {
    const stub = await stubOf([say('Hi'), parts({ type: 'thinking', thinking: [] }), say('Ho')]);
    const client = await clientOf(stub.url);
    await ask(client);
    const thrown = await caught(ask(client));
    expect(FaultError.is(thrown) && thrown.fault).toMatchObject({
      kind: 'sampler-failed',
      message: expect.stringContaining('a part of kind "thinking"') as string,
      retryable: false,
    });
    expect(stub.requests).toHaveLength(2);
  });

  it.each<[string, StubAnswer]>([
    ['streams', { kind: 'text', type: 'application/json', body: 'data: {}' }],
    ['compresses', { kind: 'json', body: {}, headers: { 'content-encoding': 'br' } }],
  ])('faults one episode at once when a working server %s', async (_, answer) => {
    const stub = await stubOf([say('Hi'), answer, say('Ho')]);
    const client = await clientOf(stub.url);
    await ask(client);
    const thrown = await caught(ask(client));
    expect(FaultError.is(thrown) && thrown.fault).toMatchObject({ kind: 'sampler-failed', retryable: false });
    expect(await ask(client)).toMatchObject({ text: 'Ho' });
  });

  it('faults one episode when the server has worked before', async () => {
    const stub = await stubOf([say('Hi'), error(400, 'bad word'), say('Ho')]);
    const client = await clientOf(stub.url);
    await ask(client);
    const thrown = await caught(ask(client));
    expect(FaultError.is(thrown) && thrown.fault).toMatchObject({ kind: 'sampler-failed', retryable: false });
    expect(await ask(client)).toMatchObject({ text: 'Ho' });
  });

  it.each([401, 403, 404, 405])(
    'causes a retry when it is a stray %d of a working server',
    async (status) => {
      const stub = await stubOf([say('Hi'), error(status, 'stray'), error(status, 'stray'), say('Ho')]);
      const client = await clientOf(stub.url);
      await ask(client);
      expect(await ask(client)).toMatchObject({ text: 'Ho' });
      expect(stub.requests).toHaveLength(4);
    },
  );

  it('faults an episode after a few tries when a good key is refused, and stops the run when all are refused', async () => {
    const stub = await stubOf([say('Hi'), error(401, 'expired')]);
    const client = await clientOf(stub.url, { limits: { connections: 1 } });
    await ask(client);
    const thrown = await caught(ask(client));
    expect(FaultError.is(thrown) && thrown.fault).toEqual({
      kind: 'sampler-failed',
      message: `stub-model at ${stub.host}: no usable answer in 4 attempts; the last problem: it answered with status 401: expired`,
      retryable: true,
    });
    expect(stub.requests).toHaveLength(5);
    const stopped = await caught(ask(client));
    expect(RunError.is(stopped) && stopped.message).toMatch(
      /it has stopped answering: 2 consecutive requests failed; .*status 401: expired\. Give the right key\. None was sent/,
    );
  });

  it('stops the run when the account has no credit', async () => {
    const stub = await stubOf([error(429, 'You exceeded your quota', { code: 'insufficient_quota' })]);
    expect(RunError.is(await caught(ask(await clientOf(stub.url))))).toBe(true);
    expect(stub.requests).toHaveLength(1);
  });

  it('stops the run when the server is absent or speaks no TLS', async () => {
    const closed = await new Promise<number>((resolve) => {
      const server = net.createServer().listen(0, '127.0.0.1', () => {
        const address = server.address();
        server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
      });
    });
    const refused = await caught(ask(await clientOf(`http://127.0.0.1:${closed}/v1`)));
    expect(RunError.is(refused) && refused.message).toMatch(
      /it cannot be reached \(.*ECONNREFUSED.*\)\. Check that the server runs there/,
    );
    const unknown = await caught(ask(await clientOf('http://no-such-host.invalid/v1')));
    expect(RunError.is(unknown) && unknown.message).toMatch(/it cannot be reached/);
    const plain = await stubOf([say('Hi')]);
    const secure = await caught(ask(await clientOf(plain.url.replace('http:', 'https:'))));
    expect(UsageError.is(secure) && secure.message).toMatch(
      /no secure connection is possible .* Use http: if the server has no TLS/,
    );
  });
});

describe('detection of a conversation that is too long', () => {
  it.each<[string, StubAnswer]>([
    ['OpenAI', error(400, 'Too many.', { code: 'context_length_exceeded' })],
    [
      'vLLM',
      error(
        400,
        "'max_tokens' is too large: 64. This model's maximum context length is 8192 tokens and your request has 9000 input tokens",
      ),
    ],
    [
      'vLLM of old',
      {
        kind: 'json',
        status: 400,
        body: {
          object: 'error',
          message: "This model's maximum context length is 2048 tokens.",
          type: 'BadRequestError',
          param: null,
          code: 400,
        },
      },
    ],
    [
      'SGLang',
      error(400, "The input (9000 tokens) is longer than the model's context length (8192 tokens)."),
    ],
    [
      'llama.cpp',
      {
        kind: 'json',
        status: 500,
        body: { error: { code: 500, message: 'too much', type: 'exceed_context_size_error' } },
      },
    ],
    [
      'llama.cpp, with a success status',
      {
        kind: 'json',
        status: 200,
        body: { error: { code: 400, message: 'too much', type: 'exceed_context_size_error' } },
      },
    ],
    [
      'text-generation-inference',
      {
        kind: 'json',
        status: 422,
        body: {
          error:
            'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 1024 `max_new_tokens`',
          error_type: 'validation',
        },
      },
    ],
    [
      'text-generation-inference for short inputs',
      {
        kind: 'json',
        status: 422,
        body: {
          error: 'Input validation error: `inputs` must have less than 1024 tokens. Given: 1168',
          error_type: 'validation',
        },
      },
    ],
    [
      'Gemini, in a list',
      {
        kind: 'json',
        status: 400,
        body: [
          {
            error: {
              code: 400,
              message:
                'The input token count (134123) exceeds the maximum number of tokens allowed (131072).',
              status: 'INVALID_ARGUMENT',
            },
          },
        ],
      },
    ],
    [
      'xAI',
      error(400, "This model's maximum prompt length is 131072 but the request contains 136973 tokens."),
    ],
    ['GitHub Copilot', error(400, 'too many', { code: 'model_max_prompt_tokens_exceeded' })],
    [
      'GitHub Copilot, without a code',
      error(400, 'prompt token count of 65446 exceeds the limit of 64000', { code: '' }),
    ],
    [
      'Moonshot',
      error(400, 'Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)', {
        type: 'invalid_request_error',
      }),
    ],
    ['Moonshot of old', error(400, 'model max length exceeded, max length:8192')],
    [
      'DashScope',
      error(400, '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 204800]', {
        code: 'invalid_parameter_error',
      }),
    ],
    ['Groq, without its code', error(400, 'Please reduce the length of the messages or completion.')],
    [
      'Anthropic',
      error(
        400,
        'input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or `max_tokens` and try again',
      ),
    ],
    [
      'LM Studio',
      {
        kind: 'json',
        status: 400,
        body: {
          error:
            'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096).',
        },
      },
    ],
    ['vLLM’s engine', error(400, 'Prompt length of 5016 is longer than the maximum model length of 4096.')],
    ['a proxy', { kind: 'text', status: 413, type: 'text/html', body: '<h1>' }],
  ])('recognises the error of %s', async (_, answer) => {
    const stub = await stubOf([answer]);
    expect(await ask(await clientOf(stub.url))).toMatchObject({ kind: 'too-long' });
  });

  it.each<[string, StubAnswer]>([
    [
      'an exceeded token rate',
      error(429, 'The input token count exceeds the maximum of your quota a minute'),
    ],
    ['a reply limit that is too high', error(422, 'Input validation error: `max_new_tokens` must be <= 192')],
  ])('does not match %s', async (_, answer) => {
    const stub = await stubOf([answer]);
    expect(await caught(ask(await clientOf(stub.url, { limits: { tries: 1 } })))).toBeInstanceOf(Error);
  });
});

describe('abort of a chat request', () => {
  /** Takes connections and says nothing, so that a handshake never ends. */
  const blackHole = async (): Promise<string> => {
    const sockets = new Set<net.Socket>();
    const server = net.createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const close = (): Promise<void> => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => void server.close(() => resolve()));
    };
    closing.push({ [Symbol.asyncDispose]: close });
    const address = server.address();
    return `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
  };

  it.each<[string, StubAnswer]>([
    ['no answer comes', { kind: 'silence' }],
    ['an answer drips in', { kind: 'drip' }],
    ['the server asks to wait', { kind: 'json', status: 429, headers: { 'retry-after': '5' }, body: {} }],
  ])('ends the wait at once when %s, with its reason and its connection', async (_, answer) => {
    const stub = await stubOf([answer]);
    const client = await clientOf(stub.url, { limits: { connections: 1 } });
    const stop = new AbortController();
    const [working, waiting] = [
      caught(ask(client, contextOf(stop.signal))),
      caught(ask(client, contextOf(stop.signal))),
    ];
    await expect.poll(() => stub.requests.length, soon).toBe(1);
    const reason = new Error('enough');
    stop.abort(reason);
    expect([await working, await waiting]).toEqual([reason, reason]);
    await client[Symbol.asyncDispose]();
    await expect.poll(() => stub.connections.now, soon).toBe(0);
  });

  it('frees the connection slot, even of a request that still waits for one', async () => {
    const stub = await stubOf(({ number }) => (number === 0 ? { kind: 'silence' } : say('Hi')));
    const client = await clientOf(stub.url, { limits: { connections: 1 } });
    const stop = new AbortController();
    const gone = [ask(client, contextOf(stop.signal)), ask(client, contextOf(stop.signal))].map(caught);
    await expect.poll(() => stub.requests.length, soon).toBe(1);
    const patient = ask(client);
    stop.abort(new Error('enough'));
    await Promise.all(gone);
    expect(await patient).toMatchObject({ text: 'Hi' });
  });

  it('ends a connection attempt, as the connect timeout does', async () => {
    const client = await clientOf(await blackHole(), { limits: { requestMs: 600_000, connectMs: 600_000 } });
    const stop = new AbortController();
    const connecting = caught(ask(client, contextOf(stop.signal)));
    setTimeout(() => stop.abort(new Error('enough')), 50);
    expect(String(await connecting)).toBe('Error: enough');
    const hasty = await clientOf(await blackHole(), { limits: { requestMs: 100, tries: 2 } });
    expect(String(await caught(ask(hasty)))).toMatch(
      /no usable answer in 2 attempts; the last problem: it did not answer within 100 ms/,
    );
  });
});

describe('reply that calls tools', () => {
  it('counts in toolCallsOnly when it has no text, whatever shape the calls have', async () => {
    const calls = {
      tool_calls: [{ id: '1', type: 'function', function: { name: 'look', arguments: '{}' } }],
    };
    const client = await clientOf(
      (
        await stubOf([
          { kind: 'say', text: null, message: calls },
          { kind: 'say', text: 'Action: look', message: calls },
          { kind: 'say', text: '', message: { tool_calls: 'none' } },
          { kind: 'say', text: '', message: { tool_calls: [] } },
        ])
      ).url,
    );
    const texts = [await ask(client), await ask(client), await ask(client), await ask(client)].map((reply) =>
      reply.kind === 'said' ? reply.text : reply.kind,
    );
    expect([texts, client.toolCallsOnly]).toEqual([['', 'Action: look', '', ''], 1]);
  });
});

describe('API key', () => {
  const key = new Secret('canary-5f2a9c', 'STUB_KEY');

  it('appears in no error, reply or name, whatever the server sends back', async () => {
    const echo = { message: 'key canary-5f2a9c is wrong', code: 'canary-5f2a9c' };
    const stub = await stubOf([
      { kind: 'say', text: 'You sent canary-5f2a9c.', model: 'model canary-5f2a9c' },
      error(400, echo.message),
      { kind: 'json', status: 200, body: { error: echo } },
      error(401, echo.message),
    ]);
    const client = await clientOf(stub.url, { key, limits: { tries: 1 } });
    const seen = [
      await ask(client),
      await caught(ask(client)),
      await caught(ask(client)),
      await caught(ask(client)),
      client.served,
    ];
    expect(seen[0]).toMatchObject({ text: 'You sent [secret].' });
    expect(String(seen[3])).toContain('status 401: key [secret] is wrong');
    const fresh = await clientOf((await stubOf([error(401, echo.message)])).url, { key });
    seen.push(await caught(ask(fresh)));
    expect(String(seen.at(-1))).toContain(
      'status 401: key [secret] is wrong. Give the right key. The key that was sent is STUB_KEY.',
    );
    const shown = seen
      .map(
        (value) =>
          `${String(value)} ${JSON.stringify(value)} ${value instanceof Error ? `${value.stack} ${String(value.cause)}` : ''}`,
      )
      .join('\n');
    expect(shown).not.toContain('canary-5f2a9c');
  });

  it('stays out of errors, names and hints even when short, while the model’s words stay unchanged', async () => {
    const short = new Secret('abc12', 'STUB_KEY');
    const stub = await stubOf(
      (request) =>
        request.number === 0
          ? { kind: 'say', text: 'I open abc12.', model: 'served-abc12' }
          : error(404, 'no abc12 here'),
      ['model-abc12'],
    );
    const client = await clientOf(stub.url, { key: short, limits: { tries: 1 } });
    expect(await ask(client)).toMatchObject({ text: 'I open abc12.' });
    const refused = [
      await caught(ask(client)),
      await caught(ask(await clientOf(stub.url, { key: short }))),
      client.served,
      await caught(
        ask(
          await clientOf((await stubOf([error(401, 'Incorrect API key provided: abc12')])).url, {
            key: short,
          }),
        ),
      ),
    ];
    expect(String(refused[3])).toContain('Incorrect API key provided: [secret]. Give the right key.');
    expect(
      refused.map((value) => `${String(value)} ${value instanceof Error ? value.stack : ''}`).join('\n'),
    ).not.toContain('abc12');
  });
});
