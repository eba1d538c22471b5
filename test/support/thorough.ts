import { it } from 'vitest';

/** Whether the quick tier runs: it needs nothing but Node. */
export const isQuick = process.env['CAIRN_TEST_TIER'] === 'quick';

/** Whether every case is tried: in the tier `all`, and where CAIRN_FUZZ looks for new ones. */
export const isThorough = !isQuick || (process.env['CAIRN_FUZZ'] ?? '') !== '';

const runsInQuickTier = 200;

/** The number of cases that a property tries: `all` of them, and at most 200 in the quick tier. */
export const runs = (all: number): number => (isThorough ? all : Math.min(all, runsInQuickTier));

/** Cases that only the tier `all` tries, for a table whose other cases both tiers try. */
export const inAll = <const Case>(cases: readonly Case[]): readonly Case[] => (isThorough ? cases : []);

/** A test that only the tier `all` runs: it repeats at some cost what cheaper tests of both tiers check. */
export const itInAll = (title: string, run: () => Promise<void> | void): void => {
  if (isThorough) it(title, run);
};
