import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { httpDateSeconds } from '../../../agents/servers/http-date.ts';
import { askedWaitMs, backoffMs } from '../../../agents/servers/backoff.ts';

describe('backoffMs', () => {
  it('returns a uniform wait up to a bound that doubles until a cap', () => {
    const at = (tries: number, uniform: number): number =>
      backoffMs(tries, { firstMs: 500, capMs: 3_000 }, uniform);
    expect([at(1, 0), at(1, 0.5), at(2, 0.5), at(3, 0.5), at(4, 0.5), at(400, 0.5)]).toEqual([
      0, 250, 500, 1000, 1500, 1500,
    ]);
  });

  it('returns a wait from 0 up to the cap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (tries, uniform) => {
          const wait = backoffMs(tries, { firstMs: 500, capMs: 30_000 }, uniform);
          expect(wait >= 0 && wait < 30_000).toBe(true);
        },
      ),
    );
  });
});

describe('askedWaitMs', () => {
  const none = { retryAfter: undefined, retryAfterMs: undefined, date: undefined };
  it.each([
    ['seconds', { retryAfter: '3' }, 3000],
    ['fractions of a second', { retryAfter: '0.25' }, 250],
    ['milliseconds, in preference to seconds', { retryAfter: '3', retryAfterMs: '40' }, 40],
    [
      'a date, by the server’s clock',
      { retryAfter: 'Wed, 21 Oct 2026 07:28:30 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' },
      30_000,
    ],
    [
      'a date that has passed',
      { retryAfter: 'Wed, 21 Oct 2026 07:27:00 GMT', date: 'Wed, 21 Oct 2026 07:28:00 GMT' },
      0,
    ],
    [
      'a date without the server’s date, as no wait',
      { retryAfter: 'Wed, 21 Oct 2026 07:28:30 GMT' },
      undefined,
    ],
    ['missing headers, as no wait', {}, undefined],
    ['a negative number, as no wait', { retryAfter: '-5' }, undefined],
    ['words, as no wait', { retryAfter: 'later', date: 'today' }, undefined],
  ])('reads %s', (_, headers, wait) => {
    expect(askedWaitMs({ ...none, ...headers })).toBe(wait);
  });
});

describe('httpDateSeconds', () => {
  it('agrees with the language’s Date on any day', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0400-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(httpDateSeconds(date.toUTCString())).toBe(Math.floor(date.getTime() / 1000));
        },
      ),
    );
  });

  it('returns NaN for any other text', () => {
    expect(['', '3', 'Sun, 06 Nix 1994 08:49:37 GMT', '1994-11-06T08:49:37Z'].map(httpDateSeconds)).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });
});
