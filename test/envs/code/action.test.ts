import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeAction, readAction, type ProgramAction } from '../../../envs/code/action.ts';

const line = fc
  .string({ maxLength: 30 })
  .filter((text) => text.trim() === text && text !== '' && !/[\r\n]/.test(text));
const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc
    .array(fc.constantFrom('def f(x):', '    return x', '```', '````python', 'finish', 'submit', ''), {
      maxLength: 6,
    })
    .map((lines) => lines.join('\n')),
);
const action: fc.Arbitrary<ProgramAction> = fc.oneof(
  fc.record({ kind: fc.constantFrom('submit' as const, 'test' as const), program: text }),
  fc.record({ kind: fc.constant('run' as const), input: text, program: text }),
  fc.record({ kind: fc.constant('run' as const), input: text }),
  fc.record({
    kind: fc.constant('put' as const),
    place: fc.integer({ min: 1, max: 6 }),
    piece: fc.integer({ min: 1, max: 20 }),
    about: line,
  }),
  fc.constant({ kind: 'finish' as const }),
);

describe('readAction', () => {
  it('reads back what describeAction writes, whatever the texts contain', () => {
    fc.assert(
      fc.property(action, (given) => {
        expect(readAction(describeAction(given))).toEqual({ kind: 'action', action: given });
      }),
    );
  });

  it.each([
    ['```python\nprint(1)\n```', { kind: 'submit', program: 'print(1)' }],
    ['I think this works:\n```py\nx = 1\n```\nDone.', { kind: 'submit', program: 'x = 1' }],
    ['test\n```\nx\n```', { kind: 'test', program: 'x' }],
    ['~~~\nx = 1\n~~~', { kind: 'submit', program: 'x = 1' }],
    ['```python title="add.py"\nx = 1\n```', { kind: 'submit', program: 'x = 1' }],
    ['run [1, 2]', { kind: 'run', input: '[1, 2]' }],
    ['FINISH', { kind: 'finish' }],
    ['{"kind":"submit","program":"a"}', { kind: 'submit', program: 'a' }],
    ['{"name":"run","arguments":{"input":"3"}}', { kind: 'run', input: '3' }],
    ['submit\n```\nno end', { kind: 'submit', program: 'no end' }],
  ])('reads an action as models write it: %j', (said, expected) => {
    expect(readAction(said)).toEqual({ kind: 'action', action: expected });
  });

  it.each([
    '',
    '   ',
    'hello',
    'submit',
    '{"kind":"submit"}',
    '{"kind":',
    '{"kind":"put","place":0,"piece":1}',
  ])('reports malformed text with a fix: %j', (said) => {
    expect(readAction(said)).toMatchObject({
      kind: 'malformed',
      text: said,
      why: expect.stringContaining('submit') as string,
    });
  });
});
