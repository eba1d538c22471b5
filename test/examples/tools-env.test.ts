import { describe, expect, it } from 'vitest';
import { assertEnv } from '../../envs/check/check-env.ts';
import { loadEnvModule } from '../../envs/load-env-module.ts';
import { parseResult } from '../../trainers/results/parse-result.ts';
import { cairn } from '../support/command-line.ts';
import { startStub } from '../support/stub-chat-server.ts';

const [desk] = await loadEnvModule('examples/tools-env.ts');
if (desk === undefined) throw new Error('examples/tools-env.ts has no env');
const { text: words } = desk;

/** What a model that reads its prompt does: asks for the orders, reads one after the other, refunds the broken one, and ends. */
function nextCall(said: readonly string[]): string {
  const text = said.join('\n');
  if (text.includes('"status":"refunded"')) return '{"name": "done", "arguments": {}}';
  const asker = /I am "(\w+)"/.exec(text)?.[1] ?? '';
  const orders = /"orders":\["([^\]]+)"\]/.exec(text)?.[1]?.split('","') ?? [];
  const answers = said.filter((one) => one.includes('read_order: {'));
  if (orders.length === 0) return JSON.stringify({ name: 'find_orders', arguments: { customer: asker } });
  const isFound = answers.at(-1)?.includes('"broken"') === true;
  const order = orders[isFound ? answers.length - 1 : answers.length];
  return JSON.stringify({ name: isFound ? 'refund' : 'read_order', arguments: { order } });
}

describe('examples/tools-env.ts', () => {
  it('keeps the laws of envs', async () => {
    const { unchecked } = await assertEnv(desk);
    expect(unchecked.map(({ law }) => law)).toEqual(['secrets']);
  });

  it('reads calls as models write them, and reports what is wrong with others', () => {
    const calls = [{ name: 'read_order', arguments: { order: 'order_f' } }];
    const wanted = { kind: 'action', action: { kind: 'calls', calls } };
    expect(words.parse(' {"name": "read_order",\n "arguments": {"order": "order_f"}}')).toEqual(wanted);
    expect(words.parse(words.action(wanted.action))).toEqual(wanted);
    const why = (text: string): unknown => ({ why: '', ...words.parse(text) }).why;
    expect(why('read the order')).toMatch(/^No action was recognised\. Write /);
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
      '- find_orders: lists the orders of a customer; takes customer (string, first name)\n- read_order: says what was ordered and how it arrived; takes order (string, its id)\n- refund: ',
    );
    expect(shown).not.toContain('find_orders customer='); // the manual describes calls, and no list of actions is shown
  });
});
