// Slow: it trains three policies.
import { expect, test } from 'vitest';
import { cairn } from '../../support/command-line.ts';

test('the trainer passes its control', async () => {
  const { code, out } = await cairn(['doctor', '--trainer', '--seeds', '0', '--json']);
  const { passes, verdicts } = JSON.parse(out) as {
    readonly passes: boolean;
    readonly verdicts: readonly { readonly arm: string; readonly isMet: boolean }[];
  };
  expect(verdicts.filter(({ isMet }) => !isMet)).toEqual([]);
  expect({ passes, code }).toEqual({ passes: true, code: 0 });
});
