import { performance } from 'node:perf_hooks';
import { expect, it, onTestFinished } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import { openEnv } from '../../../envs/open.ts';
import { toolsEnv } from '../../../envs/tools/definition.ts';
import { startStub } from '../../support/stub-chat-server.ts';

const context = createContext({ seed: 1, now: () => performance.now() });

it('a model that plays the user of tools-v1 gets the facts, and its mistakes are counted apart', async () => {
  let says = '';
  const server = await startStub(() => ({ kind: 'say', text: says }));
  onTestFinished(() => server[Symbol.asyncDispose]());
  const user = { url: `${server.url}/v1`, model: 'stub-model' };
  const host = await openEnv(toolsEnv, { user, listed: false }, context);
  onTestFinished(() => host.close());
  const env = await host.create();
  const size = host.panels.find(({ name }) => name === 'dev')?.size ?? 0;
  const index = Array.from({ length: size }, (_, at) => at).find(
    (at) => host.describeTask({ panel: 'dev', index: at }).family === 'missing-parameter',
  );
  await env.reset({ panel: 'dev', index: index ?? -1 }, context);
  says = 'I do not know.';
  const wrong = await env.step({ kind: 'say', text: 'What is the order id, or the email address?' }, context);
  expect(wrong).toMatchObject({ observation: { user: says }, metrics: { userMistakes: 1 } });
  const [system, request, question] = server.requests[0]?.body.messages ?? [];
  const [, fact = ''] =
    /When asked for the (?:order id|email address): (.*)/.exec(system?.content ?? '') ?? [];
  expect(request?.role).toBe('assistant');
  expect(question).toMatchObject({ role: 'user', content: 'What is the order id, or the email address?' });
  says = `It is ${/"(.*)"/.exec(fact)?.[1]}.`;
  const right = await env.step({ kind: 'say', text: 'Order id? Email address?' }, context);
  expect(right).toMatchObject({ observation: { user: says }, metrics: { userMistakes: 0 } });
});
