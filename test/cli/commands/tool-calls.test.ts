import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import { cairn } from '../../support/command-line.ts';
import { useFolder } from '../../support/own-folder.ts';
import { root } from '../../support/run-program.ts';
import { writeTau2Folder } from '../../support/tau2-folder.ts';
import {
  startStub,
  type StubAnswer,
  type StubRequest,
  type StubServer,
} from '../../support/stub-chat-server.ts';

const inFolder = useFolder();
const stubs: StubServer[] = [];
afterEach(async () => {
  for (const stub of stubs.splice(0)) await stub[Symbol.asyncDispose]();
});
async function stubOf(script: (request: StubRequest) => StubAnswer): Promise<StubServer> {
  const stub = await startStub(script);
  stubs.push(stub);
  return stub;
}

/** The answer of a server whose model calls tools, with text before them. */
const calls = (
  text: string | null,
  ...made: readonly (readonly [name: string, given: unknown])[]
): StubAnswer => ({
  kind: 'say',
  text,
  finish: 'tool_calls',
  message: {
    tool_calls: made.map(([name, given], at) => ({
      id: `made-${at}`,
      type: 'function',
      function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
    })),
  },
});

const play = (stub: StubServer, ...words: readonly string[]): ReturnType<typeof cairn> =>
  cairn(['eval', '--agent', `openai:stub-model@${stub.url}`, '--prompt', 'tools', '--quiet', ...words]);
const lightsOut = ['lights-out', '--set', 'size=3', '--tasks', '1'];

const toolSchema = z.looseObject({
  properties: z.object({ action: z.object({ enum: z.array(z.string()).min(1) }) }),
});
const firstAction = ({ body }: StubRequest): string =>
  toolSchema.parse(body?.tools?.[0]?.function.parameters).properties.action.enum[0] ?? '';

describe('--prompt tools', () => {
  it('offers the listed actions as a tool, and sends calls and their results in the history', async () => {
    const stub = await stubOf((request) => {
      const act: readonly [string, unknown] = ['act', { action: firstAction(request) }];
      if (request.number === 0) return calls('I press the first.', act, ['act', { action: 'never read' }]);
      if (request.number === 1) return { kind: 'say', text: 'Let me think.' };
      if (request.number === 2) return calls(null, act);
      if (request.number === 3) return calls(null, ['jump', {}]);
      if (request.number === 4) return calls(null, act);
      if (request.number === 5) return calls(null, ['act', '{"action": "pre']);
      return calls(null, act);
    });
    const keep = inFolder('kept');
    const { code, err, out } = await play(stub, ...lightsOut, '--keep', keep, '--json');
    expect(code, err).toBe(0);
    const result = parseResult(JSON.parse(out), 'stdout');
    expect(result.reading).toMatchObject({ unreadable: 3 });
    expect(result.reading?.toolCallsOnly).toBeUndefined();

    const [first, second, third, fourth, fifth, , seventh] = stub.requests.map(
      ({ body }) => body?.messages ?? [],
    );
    expect(first?.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(stub.requests[0]?.body?.tools?.map((tool) => tool.function.name)).toEqual(['act']);
    expect(first?.at(-1)?.content).not.toContain('press row'); // the actions are in the tool alone
    const press = {
      type: 'function',
      function: { name: 'act', arguments: '{"action":"press row 1 column 1"}' },
    };
    expect(second?.slice(2)).toEqual([
      { role: 'assistant', content: 'I press the first.', tool_calls: [{ id: 'call00000', ...press }] },
      { role: 'tool', tool_call_id: 'call00000', content: expect.any(String) as string },
    ]);
    expect(third?.slice(4)).toEqual([
      { role: 'assistant', content: 'Let me think.' },
      {
        role: 'user',
        content: expect.stringContaining('no tool was called.\nCall one of the tools.') as string,
      },
    ]);
    expect(fourth?.slice(6)).toEqual([
      { role: 'assistant', content: '', tool_calls: [{ id: 'call00002', ...press }] },
      { role: 'tool', tool_call_id: 'call00002', content: expect.any(String) as string },
    ]);
    expect(fifth?.slice(8)).toEqual([
      { role: 'assistant', content: 'jump({})' },
      {
        role: 'user',
        content: expect.stringContaining('There is no tool "jump". The tools are act.') as string,
      },
    ]);
    expect(seventh?.at(-1)?.content).toContain('The arguments of act are not a JSON object.');

    const shown = await cairn(['inspect', path.join(keep, 'stub-model'), '--group', '0', '--member', '0']);
    expect(shown.out).toContain(
      '  wrote   I press the first.\n          act({"action":"press row 1 column 1"})\n',
    );
  });

  it('derives a tool for each action of a schema whose actions are not listed', async () => {
    let found = '';
    const stub = await stubOf(({ body, number }) => {
      const text = body?.messages.map(({ content }) => content).join('\n') ?? '';
      found = /I am "(\w+)"/.exec(text)?.[1] ?? found;
      return number === 0
        ? calls(null, ['find_orders', { customer: found }])
        : calls(null, [
            'read_order',
            { order: /order_\w/.exec(body?.messages.at(-1)?.content ?? '')?.[0] ?? '' },
          ]);
    });
    const env = path.join(root, 'examples/tools-env.ts');
    const { code, err, out } = await play(stub, 'my-lab/desk', '--env-module', env, '--tasks', '1', '--json');
    expect(code, err).toBe(0);
    expect(stub.requests[0]?.body?.tools?.map((tool) => tool.function)).toMatchObject([
      { name: 'find_orders', description: 'lists the orders of a customer' },
      { name: 'read_order', parameters: { properties: { order: { type: 'string' } } } },
      { name: 'refund' },
      { name: 'say' },
      { name: 'done' },
      { name: 'transfer' },
    ]);
    const { reading, inadmissible } = parseResult(JSON.parse(out), 'stdout');
    expect(reading?.unreadable).toBe(0);
    expect(inadmissible).toMatchObject({ actions: 0 });
  });

  it('does several calls of one reply in order, and answers each with its own result', async () => {
    const stub = await stubOf(({ number }) => {
      if (number === 0)
        return calls('Both.', ['find_orders', { customer: 'Nobody' }], ['read_order', { order: 'order_zz' }]);
      if (number === 1) return calls(null, ['read_order', { order: 5 }]);
      if (number === 2) return calls(null, ['find_orders', {}], ['read_order', '{"order": ']);
      return calls(null, ['done', {}]);
    });
    const env = path.join(root, 'examples/tools-env.ts');
    const { code, err, out } = await play(stub, 'my-lab/desk', '--env-module', env, '--tasks', '1', '--json');
    expect(code, err).toBe(0);
    const [, second, third, fourth] = stub.requests.map(({ body }) => body?.messages ?? []);
    expect(second?.slice(2)).toEqual([
      {
        role: 'assistant',
        content: 'Both.',
        tool_calls: [
          {
            id: 'call00000',
            type: 'function',
            function: { name: 'find_orders', arguments: '{"customer":"Nobody"}' },
          },
          {
            id: 'c00000001',
            type: 'function',
            function: { name: 'read_order', arguments: '{"order":"order_zz"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call00000', content: expect.stringMatching(/^find_orders/) as string },
      {
        role: 'tool',
        tool_call_id: 'c00000001',
        content: 'read_order failed, not_found: There is no order order_zz.',
      },
    ]);
    // an argument of a wrong type reaches the tool, whose answer is its result
    expect(third?.slice(-2)).toMatchObject([
      { role: 'assistant', tool_calls: [{ function: { arguments: '{"order":5}' } }] },
      { role: 'tool', content: expect.stringContaining('bad_argument: The argument order') as string },
    ]);
    // one call that cannot be read makes the reply unreadable: nothing is done
    expect(fourth?.slice(-2)).toMatchObject([
      { role: 'assistant', content: 'find_orders({})\nread_order({"order": )' },
      { role: 'user', content: expect.stringContaining('The arguments of read_order are not') as string },
    ]);
    const { reading, episodes } = parseResult(JSON.parse(out), 'stdout');
    expect(reading?.unreadable).toBe(1);
    expect(episodes[0]?.metrics).toMatchObject({ calls: 3, failedCalls: 3 });
  });

  it('offers the tools that only an opened world knows, with their schemas', async () => {
    const { folder, remove } = writeTau2Folder();
    try {
      const stub = await stubOf(() => calls(null, ['get_users', {}]));
      const set = ['--set', `data=${folder}`, '--set', 'domain=mock', '--tasks', '1'];
      const { code, err } = await play(stub, 'tau2', ...set);
      expect(code, err).toBe(0);
      const tools = stub.requests[0]?.body?.tools?.map((tool) => tool.function) ?? [];
      expect(tools.find(({ name }) => name === 'create_task')).toMatchObject({
        parameters: { required: ['user_id', 'title'], properties: { title: { type: 'string' } } },
      });
      const text = await stubOf(() => ({ kind: 'say', text: '{"name": "get_users", "arguments": {}}' }));
      const agent = `openai:stub-model@${text.url}`;
      const inText = await cairn(['eval', 'tau2', '--agent', agent, ...set]);
      expect(inText.err).toContain('--prompt tools offers them as native tool calls');
      expect(text.requests[0]?.body?.tools).toBeUndefined();
    } finally {
      remove();
    }
  });

  it('says what helps where a server refuses tools', async () => {
    const body = { error: { message: '"auto" tool choice requires --enable-auto-tool-choice' } };
    const stub = await stubOf(() => ({ kind: 'json', status: 400, body }));
    const { code, err } = await play(stub, ...lightsOut);
    expect(code).toBe(2);
    expect(err).toMatch(/Start the server with its parser of tool calls .* --prompt plain/s);
  });

  it('takes the keys of the action where the list is hidden', async () => {
    const stub = await stubOf(() => calls(null, ['act', { row: 1, column: 1 }]));
    const { code, err } = await play(stub, ...lightsOut, '--hide-admissible');
    expect(code, err).toBe(0);
    const [tool] = stub.requests[0]?.body?.tools ?? [];
    expect(tool?.function.parameters).toMatchObject({ required: ['row', 'column'] });
  });

  it('says what helps where a server never returns a call', async () => {
    const stub = await stubOf(() => ({ kind: 'say', text: 'act({"action": "press row 1 column 1"})' }));
    const { code, err } = await play(stub, ...lightsOut);
    expect(code).toBe(1);
    expect(err).toMatch(
      /no reply could be read.*no tool was called.*--tool-call-parser NAME.*tool_choice=required/s,
    );
    const forced = await stubOf((request) => calls(null, ['act', { action: firstAction(request) }]));
    await play(forced, ...lightsOut, '--request-field', 'tool_choice=required');
    expect(forced.requests[0]?.body).toMatchObject({ tool_choice: 'required' });
  });

  it('refuses policies and exports, whose replies are text', async () => {
    const run = ['train', 'lights-out', '--policy', 'token', '--model', path.join(root, 'nowhere')];
    expect((await cairn([...run, '--with', 'policy.prompt=tools', '--dry-run'])).code).toBe(2);
    const kept = inFolder('random');
    await cairn(['eval', ...lightsOut, '--agent', 'random', '--keep', kept, '--quiet']);
    const { code, err } = await cairn([
      'export',
      path.join(kept, 'random'),
      '--what',
      'chat',
      '--prompt',
      'tools',
    ]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(
        /prompt tools: it offers the actions as native tool calls.*such as react or plain/,
      ) as string,
    });
  });
});

describe('--prompt react', () => {
  it('plays an environment that has no prompt of its own, with thoughts in the history', async () => {
    const stub = await stubOf(() => ({
      kind: 'say',
      text: 'Thought: the corner first.\nAction: press row 1 column 1',
    }));
    const { code, err } = await cairn([
      'eval',
      ...lightsOut,
      '--agent',
      `openai:stub-model@${stub.url}`,
      '--prompt',
      'react',
      '--quiet',
    ]);
    expect(code, err).toBe(0);
    const [, second] = stub.requests.map(({ body }) => body?.messages ?? []);
    expect(second?.at(-1)?.content).toContain('You can now do one of these:\n- press row 1 column 1');
    expect(second?.at(2)).toEqual({
      role: 'assistant',
      content: 'Thought: the corner first.\nAction: press row 1 column 1',
    });
  });
});
