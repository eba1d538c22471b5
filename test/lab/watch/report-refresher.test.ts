import { describe, expect, it } from 'vitest';
import { createReportRefresher } from '../../../lab/watch/report-refresher.ts';

/** A refresher with a clock of its own, whose pages take `cost` milliseconds. */
function refresher(cost: number, write?: () => Promise<unknown>) {
  const state = { now: 0, pages: 0 };
  const report = createReportRefresher('run', {
    now: () => state.now,
    write: async () => {
      state.pages += 1;
      state.now += cost;
      await write?.();
    },
  });
  const noteAt = async (milliseconds: number): Promise<number> => {
    state.now = milliseconds;
    report.note();
    await new Promise((resolve) => setImmediate(resolve));
    return state.pages;
  };
  return { report, state, noteAt };
}

describe('the report of a running training', () => {
  it('appears at the first line, then changes at most every ten seconds', async () => {
    const { noteAt } = refresher(5);
    expect(await noteAt(0)).toBe(1);
    expect(await noteAt(9_000)).toBe(1);
    expect(await noteAt(10_010)).toBe(2);
  });

  it('takes at most 2 % of the time', async () => {
    const { noteAt } = refresher(1_000);
    expect(await noteAt(0)).toBe(1);
    expect(await noteAt(50_000)).toBe(1);
    expect(await noteAt(51_001)).toBe(2);
  });

  it('lets one writer work at a time', async () => {
    let finish = (): void => undefined;
    const { report, state, noteAt } = refresher(0, () => new Promise<void>((resolve) => (finish = resolve)));
    await noteAt(0);
    expect(await noteAt(60_000)).toBe(1);
    let isSettled = false;
    const settled = report.settle().then(() => (isSettled = true));
    await noteAt(120_000);
    expect({ isSettled, pages: state.pages }).toEqual({ isSettled: false, pages: 1 });
    finish();
    await settled;
    expect(await noteAt(180_000)).toBe(1);
  });

  it('does not end the training when it cannot be written', async () => {
    const { report, noteAt } = refresher(0, () => Promise.reject(new Error('the disk is full')));
    expect(await noteAt(0)).toBe(1);
    expect(await noteAt(20_000)).toBe(2);
    await report.settle();
  });
});
