import { describe, expect, it } from 'vitest';
import { assertEnv } from '../../envs/check/check-env.ts';
import { loadEnvModule } from '../../envs/load-env-module.ts';
import { parseResult } from '../../trainers/results/parse-result.ts';
import { cairn } from '../support/command-line.ts';
import { startStub } from '../support/stub-chat-server.ts';

const [desk] = await loadEnvModule('examples/tools-env.ts');
if (desk === undefined) throw new Error('examples/tools-env.ts has no env');
const { text: words } = desk;

/** What a model that reads its prompt does: asks for the orders, reads one after the other, and refunds the broken one. */
function nextCall(said: readonly string[]): string {
  const asker = /(\w+) says that/.exec(said.join('\n'))?.[1] ?? '';
  const numbers = /Orders: ([\d, ]+)\./.exec(said.join('\n'))?.[1]?.split(', ') ?? [];
  const answers = said.filter((text) => /^Order \d+: /m.test(text));
  const name =
    numbers.length === 0
      ? 'find_orders'
      : answers.at(-1)?.includes('which arrived broken.') === true
        ? 'refund'
        : 'read_order';
  const order = Number(numbers[name === 'refund' ? answers.length - 1 : answers.length]);
  return JSON.stringify({ name, arguments: name === 'find_orders' ? { customer: asker } : { order } });
}

describe('examples/tools-env.ts', () => {
  it('keeps the laws of envs', async () => {
    const { unchecked } = await assertEnv(desk);
    expect(unchecked.map(({ law }) => law)).toEqual(['secrets']);
  });

  it('reads calls as models write them, and reports what is wrong with others', () => {
    const wanted = { kind: 'action', action: { kind: 'read_order', order: 123 } };
    expect(words.parse(' {"name": "read_order",\n "arguments": {"order": 123}}')).toEqual(wanted);
    expect(words.parse('{"kind": "read_order", "order": 123}')).toEqual(wanted);
    expect(words.parse(words.action(wanted.action))).toEqual(wanted);
    const why = (text: string): unknown => ({ why: '', ...words.parse(text) }).why;
    expect(why('read order 123')).toMatch(/^No action was recognised\. Write a call such as /);
    expect(why('{"name": "fly", "arguments": {}}')).toMatch(/^There is no action of that name\. Write/);
    expect(why('{"name": "read_order", "arguments": {}}')).toMatch(
      /^order: Invalid input: expected number, received undefined\. Write/,
    );
    expect(why('{"name": "read_order"')).toMatch(/^That is no JSON\. Write/);
    expect(why(' ')).toMatch(/^Nothing was said\. Write/);
  });

  it('describes its tools to a language model, lists no actions, and is solved by calls', async () => {
    await using stub = await startStub(({ body }) => ({
      kind: 'say',
      text: nextCall(body.messages.flatMap(({ role, content }) => (role === 'user' ? [content] : []))),
    }));
    const { code, out, err } = await cairn([
      'eval',
      'my-lab/desk',
      '--env-module',
      'examples/tools-env.ts',
      '--tasks',
      '4',
      '--agent',
      `openai:stub@${stub.url}`,
      '--json',
      '--quiet',
    ]);
    expect(code, err).toBe(0);
    expect(parseResult(JSON.parse(out), 'stdout')).toMatchObject({
      success: { rate: 1 },
      reading: { unreadable: 0 },
      inadmissible: { actions: 0 },
    });
    const shown = stub.requests[0]?.body.messages.map(({ content }) => content).join('\n') ?? '';
    expect(shown).toContain(
      '- find_orders: lists the numbers of what a customer has ordered; takes customer (string, first name)\n- read_order: says what was ordered and how it arrived; takes order (integer, its number)\n- refund: ',
    );
    expect(shown.split('"name":"find_orders"')).toHaveLength(2); // once, in the manual: listed actions would add more
  });
});
