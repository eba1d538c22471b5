import { expect, it } from 'vitest';
import { WrittenActions, type WrittenAction } from '../../../agents/policy/written-actions.ts';

it('WrittenActions reuses what is written for an action, and drops everything beyond a million characters', () => {
  const written = new WrittenActions();
  let made = 0;
  const of = (words: string): WrittenAction =>
    written.of({ words, after: 7 }, () => ({ command: `<${words.length}>`, tokens: [(made += 1)] }));
  expect([of('go'), of('stop'), of('go')]).toEqual([
    { command: '<2>', tokens: [1] },
    { command: '<4>', tokens: [2] },
    { command: '<2>', tokens: [1] },
  ]);
  const long = 'x'.repeat(2 ** 20);
  expect(of(long).tokens).toEqual([3]); // one alone may be longer
  expect([of('go').tokens, of(long).tokens]).toEqual([[1], [3]]);
  expect(of('look').tokens).toEqual([4]); // for which the others go
  expect([of('go').tokens, of('look').tokens]).toEqual([[5], [4]]);
});

it('WrittenActions writes an action again after another token', () => {
  const written = new WrittenActions();
  const after = (token: number): readonly number[] =>
    written.of({ words: 'go', after: token }, () => ({ command: 'go', tokens: [token] })).tokens;
  expect([after(1), after(2), after(1)]).toEqual([[1], [2], [1]]);
});
