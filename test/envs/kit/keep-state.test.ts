import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../envs/core/json.ts';
import { keepState } from '../../../envs/kit/snapshot.ts';

const kept = (value: unknown) => keepState<unknown>('a test', value);

test('a kept state is the frozen value of its canonical text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const { json, text } = kept(value);
      expect(text).toBe(canonicalJson(value));
      expect(JSON.stringify(json)).toBe(JSON.stringify(JSON.parse(text)));
      expect(Object.isFrozen(json)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('a part that an earlier state had is the same object, and a changed part is a new one', () => {
  const board = { rows: Array.from({ length: 9 }, () => '.........') };
  const first = keepState<{ board: typeof board; at: number }>('a test', { board, at: 0 });
  const second = keepState<{ board: typeof board; at: number }>('a test', { ...first.state, at: 1 });
  expect(second.state.board).toBe(first.state.board);
  expect(first.state.board).not.toBe(board);
  expect(second.text).toBe(canonicalJson({ board, at: 1 }));
});

test('a part that its author froze is copied all the same', () => {
  const inner = { moves: Array.from({ length: 30 }, (_, at) => at) };
  const outer = Object.freeze({ inner });
  const { text } = kept(outer);
  inner.moves.push(30);
  expect(kept(outer).text).not.toBe(text);
});

test.each([[undefined], [{ a: undefined }], [[Number.NaN]], [new Date(0)], [{ a: () => 1 }]])(
  'refuses a state that is not JSON: %s',
  (value) => {
    expect(() => kept(value)).toThrow(/it is not JSON/);
  },
);

test('a key __proto__ and a cycle have no effect beyond the text or the error', () => {
  expect(kept(JSON.parse('{"__proto__":{"a":1}}')).text).toBe('{"__proto__":{"a":1}}');
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  expect(() => kept(cycle)).toThrow(/contains itself/);
});
