import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ChatReply } from '../../../agents/prompt/chat-model.ts';
import { openChatClient, type ChatClient } from '../../../agents/servers/client.ts';
import { defaultChatLimits, type ChatClientOptions } from '../../../agents/servers/client-options.ts';
import { parseEndpoint } from '../../../agents/servers/endpoint.ts';
import { createContext, type Context } from '../../../envs/core/context.ts';
import { startStub, type StubAnswer, type StubServer } from '../../support/stub-chat-server.ts';

const sentSchema = z.object({ messages: z.array(z.object({ content: z.string() })) });
const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const open of closing.splice(0).toReversed()) await open[Symbol.asyncDispose]();
});

async function stubOf(script: readonly StubAnswer[]): Promise<StubServer> {
  const stub = await startStub(({ number }) => script[Math.min(number, script.length - 1)] as StubAnswer);
  closing.push(stub);
  return stub;
}
async function clientOf(url: string, over: Partial<ChatClientOptions> = {}): Promise<ChatClient> {
  const client = await openChatClient({
    model: 'stub-model',
    endpoint: parseEndpoint(url, 'test'),
    key: undefined,
    keyName: 'STUB_KEY',
    maxTokens: 64,
    maxTokensField: 'max_tokens',
    temperature: 0,
    limits: { ...defaultChatLimits, backoff: { firstMs: 1, capMs: 4 } },
    ...over,
  });
  closing.push(client);
  return client;
}
const contextOf = (): Context => createContext({ seed: 1, now: () => performance.now() });
const ask = (client: ChatClient): Promise<ChatReply> =>
  client.complete({ messages: [{ role: 'user', text: 'Hello' }], stop: [] }, contextOf());
const say = (text: string): StubAnswer => ({ kind: 'say', text });
const caught = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it was answered',
    (thrown: unknown) => thrown,
  );

describe('chat request to a strict server', () => {
  it.each(['seed', 'stream', 'temperature', 'max_tokens'] as const)(
    'leaves out the field %s if omitFields names it',
    async (field) => {
      const stub = await stubOf([say('Hi')]);
      await ask(await clientOf(stub.url, { temperature: 0.7 }));
      await ask(await clientOf(stub.url, { temperature: 0.7, omitFields: [field] }));
      const [whole, without] = stub.requests.map(({ body }) => Object.keys(body ?? {}));
      expect(whole?.filter((name) => !without?.includes(name))).toEqual([field]);
    },
  );

  it.each([
    ['seed', 'Unrecognized request argument supplied: seed'],
    ['seed', 'body.seed: Extra inputs are not permitted'],
    ['stream', 'property stream is not supported'],
    ['max_tokens', 'Unknown field: max_tokens'],
  ])('names the flag that leaves %s out where a server says %j', async (field, message) => {
    const stub = await stubOf([{ kind: 'json', status: 400, body: { error: { message } } }]);
    const refused = await caught(ask(await clientOf(stub.url, { temperature: 0.7 })));
    expect(String(refused)).toContain(`Leave it out with --omit-field ${field}.`);
  });

  it('shows a message that stands alone in the answer, and names the flag', async () => {
    const message = "property 'stream' is unsupported";
    const stub = await stubOf([{ kind: 'json', status: 400, body: { message } }]);
    const refused = await caught(ask(await clientOf(stub.url, { temperature: 0.7 })));
    expect(String(refused)).toContain(message);
    expect(String(refused)).toContain('--omit-field stream');
  });

  it.each([
    [{ code: 401, message: 'invalid api key' }, 'Give the right key'],
    [
      { choices: [{ finish_reason: 'error', error: { code: 402, message: 'no credits' } }] },
      'Check the account of the key',
    ],
  ])('asks once where an answer of status 200 is the error %j', async (body, fix) => {
    const stub = await stubOf([{ kind: 'json', status: 200, body }]);
    const refused = await caught(ask(await clientOf(stub.url)));
    expect(String(refused)).toContain(fix);
    expect(stub.requests).toHaveLength(1);
  });

  it('sends no empty message of the assistant', async () => {
    const stub = await stubOf([say('Hi')]);
    const client = await clientOf(stub.url);
    const replies = ['', '  \n\t', '\ud800', '\u200b\u00ad\0', 'x\ud800y', 'look'];
    const messages = replies.flatMap((text) => [
      { role: 'user' as const, text: 'What do you do?' },
      { role: 'assistant' as const, text },
    ]);
    await client.complete({ messages, stop: [] }, contextOf());
    const { messages: sent } = sentSchema.parse(stub.requests[0]?.body);
    expect(sent.map(({ content }) => content).filter((_, at) => at % 2 === 1)).toEqual([
      '(empty reply)',
      '(empty reply)',
      '(empty reply)',
      '(empty reply)',
      'x\ufffdy',
      'look',
    ]);
  });

  it.each([
    [
      { message: 'Incorrect API key provided: sk-1', type: 'invalid_request_error', code: 'invalid_api_key' },
      'Give the right key',
    ],
    [{ message: 'User not found.', code: 401 }, 'Give the right key'],
    [{ message: 'Insufficient credits. Add more.', code: 402 }, 'Check the account of the key'],
    [
      { message: 'You exceeded your current quota', type: 'insufficient_quota' },
      'Check the account of the key',
    ],
  ])('asks once where an answer of status 200 has the error %j', async (error, fix) => {
    const stub = await stubOf([{ kind: 'json', status: 200, body: { error } }]);
    const refused = await caught(ask(await clientOf(stub.url)));
    expect(String(refused)).toContain(fix);
    expect(stub.requests).toHaveLength(1);
  });
});
