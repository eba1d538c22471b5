import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolAction } from '../../../../envs/engines/tools/action.ts';
import { parseAction, printAction } from '../../../../envs/engines/tools/call-text.ts';
import { runs } from '../../../support/thorough.ts';

const refund = { name: 'refund', arguments: { order: 'ord_a', fast: true } };
const wanted = { kind: 'action', action: { kind: 'calls', calls: [refund] } };

describe('calls in words and in JSON', () => {
  it.each([
    ['words', 'refund order=ord_a; fast=true'],
    ['JSON', JSON.stringify(refund)],
    ['a list', JSON.stringify([refund])],
    [
      "a server's tool calls",
      JSON.stringify({
        tool_calls: [
          {
            id: '1',
            type: 'function',
            function: { name: 'refund', arguments: '{"order":"ord_a","fast":true}' },
          },
        ],
      }),
    ],
    ["Qwen's tags", `<tool_call>\n${JSON.stringify(refund)}\n</tool_call>`],
    ['a fence', `\`\`\`json\n${JSON.stringify(refund)}\n\`\`\``],
    ['the action itself', JSON.stringify({ kind: 'calls', calls: [refund] })],
    ['parameters', JSON.stringify({ name: 'refund', parameters: refund.arguments })],
  ])('reads calls from %s', (_, text) => {
    expect(parseAction(text)).toEqual(wanted);
  });

  it('reads several tagged calls as one action', () => {
    const two = `<tool_call>${JSON.stringify(refund)}</tool_call><tool_call>${JSON.stringify(refund)}</tool_call>`;
    expect(parseAction(two)).toMatchObject({ action: { kind: 'calls', calls: [refund, refund] } });
  });

  it.each<[string, ToolAction]>([
    ['say Hello there', { kind: 'say', text: 'Hello there' }],
    ['{"name": "say", "arguments": {"text": "Hello\\nyou"}}', { kind: 'say', text: 'Hello\nyou' }],
    ['done', { kind: 'done' }],
    ['{"name": "transfer", "arguments": {}}', { kind: 'transfer' }],
    ['refuse rule=too_late', { kind: 'refuse', rule: 'too_late' }],
  ])('reads %s', (text, action) => expect(parseAction(text)).toEqual({ kind: 'action', action }));

  it.each([
    ['', 'Nothing was said.'],
    ['{"name": "refund"', 'That is no JSON.'],
    ['{"arguments": {}}', 'A call has a name and arguments'],
    ['{"name": "refund", "arguments": [1]}', 'A call has a name and arguments'],
    ['[]', 'A list must hold calls'],
    ['[1, 2]', 'A list must hold calls'],
    ['refund the order', 'No action was recognised.'],
    ['first line\nsecond line', 'That is several lines'],
    [`{"name": "a", "arguments": {"a": ${'['.repeat(5_000)}${']'.repeat(5_000)}}}`, 'levels'],
    [JSON.stringify(Array.from({ length: 40 }, () => refund)), 'At most 32 calls'],
    [JSON.stringify({ name: 'refuse', arguments: {} }), 'rule'],
  ])('says what is wrong with %.40s', (text, why) => {
    expect(parseAction(text)).toMatchObject({
      kind: 'malformed',
      why: expect.stringContaining(why) as string,
    });
  });

  it('cannot be led to change prototypes', () => {
    const read = parseAction('{"name": "refund", "arguments": {"__proto__": {"isAdmin": true}}}');
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    expect(read.kind).toBe('action');
    parseAction('refund __proto__=1');
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  it('reads back every action that it prints', () => {
    const name = fc.constantFrom('refund', 'get_order', 'a1', 'weird name', 'say');
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('true', '12', '-1.5e3', 'a; b=c', '"quoted"', '[x]', ' padded ', '', 'null', '{"a":1}'),
      fc.integer(),
      fc.boolean(),
      fc.array(fc.string(), { maxLength: 3 }),
    );
    const call = fc.record({
      name,
      arguments: fc.dictionary(fc.constantFrom('order', 'to', 'x1', 'strange key'), value, {
        noNullPrototype: true,
      }),
    });
    const action: fc.Arbitrary<ToolAction> = fc.oneof(
      fc.array(call, { minLength: 1, maxLength: 3 }).map((calls) => ({ kind: 'calls' as const, calls })),
      fc
        .string({ minLength: 1 })
        .filter((text) => /\S/.test(text))
        .map((text) => ({ kind: 'say' as const, text })),
      fc.constantFrom<ToolAction>(
        { kind: 'done' },
        { kind: 'transfer' },
        { kind: 'refuse', rule: 'too late' },
      ),
    );
    fc.assert(
      fc.property(action, (one) => {
        // calls named like the other actions are read as those
        if (one.kind === 'calls' && one.calls.length === 1 && one.calls[0]?.name === 'say') return;
        expect(parseAction(printAction(one))).toEqual({ kind: 'action', action: one });
      }),
      { numRuns: runs(1_000) },
    );
  });
});
