import { describe, expect, it } from 'vitest';
import { rowAdvantages } from '../../../../trainers/update/tokens/row-advantages.ts';

describe('rowAdvantages', () => {
  /** Two rows: the reply of step 1 was broken off by a reset of the context, and goes on in the second. */
  const rows = [{ steps: Int32Array.of(-1, 0, 0, -1, 1) }, { steps: Int32Array.of(-1, -1, 1, 1, -1, 2) }];

  it('repeats the step’s advantage in step-level credit', () => {
    const advantage = Float64Array.of(1, 2, 3);
    expect(rowAdvantages(rows, { advantage }).map((row) => [...row])).toEqual([
      [Number.NaN, 1, 1, Number.NaN, 2],
      [Number.NaN, Number.NaN, 2, 2, Number.NaN, 3],
    ]);
  });

  it('assigns each token’s advantage in token-level credit, in the order of sampling', () => {
    const tokenAdvantage = [Float64Array.of(1, 2), Float64Array.of(3, 4, 5), Float64Array.of(6)];
    expect(
      rowAdvantages(rows, { advantage: new Float64Array(3), tokenAdvantage }).map((row) => [...row]),
    ).toEqual([
      [Number.NaN, 1, 2, Number.NaN, 3],
      [Number.NaN, Number.NaN, 4, 5, Number.NaN, 6],
    ]);
  });
});
