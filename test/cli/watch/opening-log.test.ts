import { describe, expect, it } from 'vitest';
import { createOpeningLog } from '../../../cli/watch/opening-log.ts';
import { createProgress } from '../../../cli/terminal/progress.ts';
import { createTerminal } from '../../../cli/terminal/terminal.ts';
import type { Logger } from '../../../envs/core/log.ts';
import { Collector } from '../../support/command-line.ts';

function open(): { readonly err: Collector; readonly log: Logger; readonly at: (ms: number) => void } {
  const err = new Collector(false);
  let now = 0;
  const clock = (): number => now;
  return {
    err,
    log: createOpeningLog(
      createProgress(createTerminal({ out: new Collector(), err, environment: {} }).err, clock),
      clock,
    ),
    at: (ms) => void (now = ms),
  };
}

const advance = (done: number) =>
  ({ type: 'opening-advance', part: 'products', done, total: 5_000 }) as const;

describe('opening log', () => {
  it('prints nothing for the first two seconds, then progress and the time left', () => {
    const { err, log, at } = open();
    log.event('play', advance(0));
    at(1_900);
    log.event('play', advance(400));
    expect(err.text).toBe('');
    at(2_000);
    log.event('play', advance(500));
    at(7_000);
    log.event('play', advance(1_500.7));
    expect(err.text).toMatch(
      /^opening: products 500\/5000 \(10 %\)\nopening: products 1500\/5000 \(30 %\) {2}17 s left\n$/,
    );
  });

  it('prints whole mebibytes with their unit', () => {
    const { err, log, at } = open();
    const read = (done: number) =>
      ({ type: 'opening-advance', part: 'files', done, total: 43.785096168518066, unit: 'MiB' }) as const;
    log.event('play', read(0.25));
    at(2_000);
    log.event('play', read(32.5));
    at(7_000);
    log.event('play', read(43.785));
    expect(err.text).toMatch(/^opening: files 32\/44 MiB \(74 %\)\nopening: files 43\/44 MiB \(99 %\)/);
  });

  it('prints each kind of skipped item at once on a line', () => {
    const { err, log } = open();
    log.event('play', { type: 'opening-tally', part: 'products', name: 'passed over, id nan', count: 3 });
    log.event('play', {
      type: 'opening-tally',
      part: 'goals',
      name: 'of \u001b[31munknown products',
      count: 1,
    });
    expect(err.text).toBe(
      'opening: products: passed over, id nan: 3\nopening: goals: of unknown products: 1\n',
    );
  });

  it('prints no other event', () => {
    const { err, log, at } = open();
    log.event('a', { type: 'episode-start', env: 'shop-v1' });
    at(9_000);
    log.event('a', { type: 'episode-end', steps: 3, stop: 'solved', reward: 1 });
    expect(err.text).toBe('');
  });
});
