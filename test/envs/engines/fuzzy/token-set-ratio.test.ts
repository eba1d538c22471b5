import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { tokenSetRatio } from '../../../../envs/engines/fuzzy/token-set-ratio.ts';

interface Pair {
  readonly left: string;
  readonly right: string;
  readonly ratio: number;
}
const goldens = JSON.parse(
  await readFile(new URL('../../../golden/fuzzy/goldens.json', import.meta.url), 'utf8'),
) as { readonly pairs: readonly Pair[] };

it('tokenSetRatio equals thefuzz 0.19, except where halves are rounded', () => {
  const off = goldens.pairs.filter(({ left, right, ratio }) => tokenSetRatio(left, right) !== ratio);
  expect(goldens.pairs).toHaveLength(436);
  expect(off.map(({ left, right, ratio }) => tokenSetRatio(left, right) - ratio)).toEqual([1, 1, 1, 1]); // 12.5 becomes 13, in Python 12
  expect(off.every(({ ratio }) => ratio % 2 === 0 && ratio < 80)).toBe(true);
});

it('tokenSetRatio is 100 for a subset and 0 for empty text', () => {
  expect(tokenSetRatio('powder snow', 'Cool Powder-Snow!')).toBe(100);
  expect(tokenSetRatio('', 'red')).toBe(0);
  expect(tokenSetRatio('', '')).toBe(0);
});
