import { afterAll, describe, expect, it } from 'vitest';
import { startStub, type StubAnswer, type StubRequest } from '../../support/stub-chat-server.ts';
import { writeTau2Folder } from '../../support/tau2-folder.ts';
import { playTau2 } from './play-tau2.ts';

const data = writeTau2Folder();
afterAll(data.remove);
const say = (text: string): StubAnswer => ({ kind: 'say', text });
const toolCall = (name: string, given: string): StubAnswer => ({
  kind: 'say',
  text: null,
  message: { tool_calls: [{ id: 't1', type: 'function', function: { name, arguments: given } }] },
});

async function playWith(
  script: (request: StubRequest, turn: number) => StubAnswer,
  { domain = 'retail', index = 0, ...user }: { domain?: string; index?: number; keyName?: string } = {},
) {
  let turn = 0;
  const server = await startStub((request) => script(request, turn++));
  const playing = await playTau2(
    { data: data.folder, domain, user: { url: server.url, model: 'stub-model', ...user } },
    { panel: 'base', index },
  );
  return {
    ...playing,
    server,
    [Symbol.asyncDispose]: async () => {
      await playing[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describe('a user that a model plays', () => {
  it('gets scenario and conversation, and ends the episode by its token', async () => {
    const seen: StubRequest[] = [];
    await using playing = await playWith((request, turn) => {
      seen.push(request);
      return say(turn === 0 ? 'I want to cancel an order.' : 'Thanks. ###STOP###');
    });
    expect(playing.opening.observation).toMatchObject({ user: 'I want to cancel an order.' });
    await playing.call('cancel_pending_order', { order_id: '#W1', reason: 'no longer needed' });
    expect(await playing.say('It is cancelled.')).toMatchObject({ outcome: 'solved' });
    const [first, second] = seen.map(({ body }) => body.messages.map(({ role, content }) => [role, content]));
    expect(first?.[0]?.[1]).toContain('Reason for call:\n\t\tTask cancel');
    expect(second?.slice(1)).toEqual([
      ['user', 'Hi! How can I help you today?'],
      ['assistant', 'I want to cancel an order.'],
      ['user', 'It is cancelled.'],
    ]);
  });

  it('uses its own tools with arguments', async () => {
    await using playing = await playWith(
      (_, turn) =>
        turn === 1 ? toolCall('dismiss_notification', '{"notification_id": "n2"}') : say(`message ${turn}`),
      { domain: 'mock', index: 2 },
    );
    expect((await playing.say('Please dismiss it.')).observation.user).toBe('message 2');
    await playing.call('update_task_status', { task_id: 'task_1', status: 'completed' });
    expect(await playing.step({ kind: 'done' })).toMatchObject({ outcome: 'solved' });
  });

  it('counts an end out of scope as a mistake of the user', async () => {
    await using playing = await playWith((_, turn) => say(turn === 0 ? 'Hello.' : '###OUT-OF-SCOPE###'));
    expect(await playing.say('What is your order?')).toMatchObject({
      outcome: 'failed',
      metrics: { userMistakes: 1 },
    });
  });

  it('a user causes a fault of the world where it does not end a conversation that is done', async () => {
    await using playing = await playWith(() => say('And then?'));
    await playing.call('cancel_pending_order', { order_id: '#W1', reason: 'no longer needed' });
    for (let turn = 0; turn < 10; turn += 1) await playing.say('It is done.');
    await expect(playing.say('It is done.')).rejects.toThrow(/did not end the conversation in 10 messages/);
  });

  it('a user causes a fault of the world where it only calls tools, or answers with nothing', async () => {
    await using calling = await playWith(
      (_, turn) => (turn === 0 ? say('Hello.') : toolCall('check_notifications', '{}')),
      { domain: 'mock' },
    );
    await expect(calling.say('Hello?')).rejects.toThrow(/called tools 10 times without a message/);
    await using silent = await playWith((_, turn) => say(turn === 0 ? 'Hello.' : ' '));
    await expect(silent.say('Hello?')).rejects.toThrow(/answered with nothing/);
  });

  it('a failing server causes a fault of the world, and the key is in no message', async () => {
    const opening = playWith(() => ({ kind: 'json', status: 401, body: 'bad key sesame-123' }), {
      keyName: 'USER_KEY',
    });
    await expect(opening).rejects.toThrow(/user simulator.*answered 401: \W*bad key \[secret\]/s);
  });

  it('a config is refused where the variable of the key is not set', async () => {
    await expect(playWith(() => say(''), { keyName: 'NO_SUCH_KEY' })).rejects.toThrow(
      /the environment variable NO_SUCH_KEY is not set/,
    );
  });
});
