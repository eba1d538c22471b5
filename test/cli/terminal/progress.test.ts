import { describe, expect, it } from 'vitest';
import { createProgress, describeDuration, type ProgressUpdate } from '../../../cli/terminal/progress.ts';
import { createTerminal, type Channel } from '../../../cli/terminal/terminal.ts';
import { textWidth } from '../../../cli/terminal/text-width.ts';
import { Collector } from '../../support/command-line.ts';

function open(
  isTTY: boolean,
  environment: NodeJS.ProcessEnv = {},
): { readonly err: Collector; readonly channel: Channel } {
  const err = new Collector(isTTY);
  return { err, channel: createTerminal({ out: new Collector(), err, environment }).err };
}

describe('progress on a terminal', () => {
  it('redraws one line at most ten times a second, and erases it at the end', () => {
    let now = 0;
    const { err, channel } = open(true);
    const progress = createProgress(channel, () => now);
    progress.report({ label: 'train', done: 0, total: 10 });
    now = 50;
    progress.report({ label: 'train', done: 1, total: 10 });
    now = 1000;
    progress.report({ label: 'train', done: 2, total: 10, note: 'success 0.5' });
    progress.clear();
    expect(err.text).toBe(
      '\r\u001b[2Ktrain 0/10 (0 %)\r\u001b[2Ktrain 2/10 (20 %)  success 0.5  4 s left\r\u001b[2K',
    );
  });

  it('stays within the width of the terminal', () => {
    const { err, channel } = open(true);
    createProgress(channel, () => 0).report({ label: 'x'.repeat(200), done: 0, total: 1 });
    expect(err.text).toBe(`\r\u001b[2K${'x'.repeat(channel.columns - 7)}…  0/1`);
  });

  const training = {
    label: 'iteration',
    done: 45,
    total: 150,
    note: ['success 41 %', 'return 0.31', 'anchors 55 %', '10523 steps/s'],
  };

  /** What stands on the line of a terminal of that width when a third is done and twelve and a half minutes are left. */
  function drawn(columns: number, update: ProgressUpdate): string {
    let now = 0;
    const err = new Collector(true, columns);
    const progress = createProgress(createTerminal({ out: err, err, environment: {} }).err, () => now);
    progress.report({ ...update, done: 0 });
    now = (750_000 * update.done) / (update.total - update.done);
    progress.report(update);
    return err.text.split('\r\u001b[2K').at(-1) ?? '';
  }

  it.each([
    [
      120,
      'iteration 45/150 (30 %)  success 41 %, return 0.31, anchors 55 %, 10523 steps/s  12 min 30 s left',
    ],
    [92, 'iteration 45/150  success 41 %, return 0.31, anchors 55 %, 10523 steps/s  12 min 30 s left'],
    [86, 'iteration 45/150  success 41 %, return 0.31, anchors 55 %, 10523 steps/s  12 min left'],
    [82, '45/150  success 41 %, return 0.31, anchors 55 %, 10523 steps/s  12 min 30 s left'],
    [80, '45/150  success 41 %, return 0.31, anchors 55 %, 10523 steps/s  12 min left'],
    [62, '45/150  success 41 %, return 0.31, anchors 55 %  12 min left'],
    [60, '45/150  success 41 %, return 0.31  12 min 30 s left'],
    [50, '45/150  success 41 %, return 0.31  12 min left'],
    [40, '45/150  success 41 %  12 min 30 s left'],
    [38, '45/150  success 41 %  12 min left'],
    [30, 'success 41 %  12 min left'],
    [22, 'success…  12 min left'],
    [12, '12 min left'],
  ])(
    'fits %i columns with the main figure and the time left, and drops the rest by whole words',
    (columns, line) => {
      expect(drawn(columns, training)).toBe(line);
      expect(line.length).toBeLessThan(columns);
    },
  );

  it.each([
    [80, 'evaluation 45/100 (45 %)  GiGPO greedy on unseen-1000  12 min 30 s left'],
    [60, 'evaluation 45/100  GiGPO greedy on unseen-1000  12 min left'],
    [40, 'GiGPO greedy on …  12 min left'],
  ])('fits %i columns by shortening a note word by word', (columns, line) => {
    expect(
      drawn(columns, { label: 'evaluation', done: 45, total: 100, note: 'GiGPO greedy on unseen-1000' }),
    ).toBe(line);
  });

  it('counts columns like a terminal: two for a wide character, none for a combining mark', () => {
    const wide = {
      ...training,
      note: ['成功率 41 %', '报酬 0.31', '速度 10523 步/秒', 'e\u0301tapes 55 %', '🎯 3'],
    };
    for (const columns of [40, 60, 80, 120]) {
      const line = drawn(columns, wide);
      expect(line).toContain('成功率 41 %');
      expect(line).toMatch(/12 min(?: 30 s)? left$/);
      expect(textWidth(line)).toBeLessThan(columns);
    }
    expect(['成功', 'e\u0301', '🎯', '👩‍💻', '한글', 'ａ', '\u200b', 'ab'].map(textWidth)).toEqual([
      4, 1, 2, 2, 4, 2, 0, 2,
    ]);
  });

  it('drops control characters, which count as no columns', () => {
    const line = drawn(60, {
      label: 'iter\u001b[31mation\u0007',
      done: 45,
      total: 150,
      note: ['success\u001b[2J 41 %\r\n', '\u001b]0;title\u0007'],
    });
    expect(line).toBe('iteration 45/150 (30 %)  success 41 %  12 min 30 s left');
  });

  it('assumes 80 columns when the terminal does not know its size', () => {
    const err = new Collector(true, 0);
    createProgress(createTerminal({ out: err, err, environment: {} }).err, () => 0).report({
      label: 'x'.repeat(200),
      done: 0,
      total: 1,
    });
    expect(err.text).toBe(`\r\u001b[2K${'x'.repeat(73)}…  0/1`);
  });

  it('prints permanent lines above the redrawn one', () => {
    const { err, channel } = open(true);
    const progress = createProgress(channel, () => 0);
    progress.report({ label: 'a', done: 0, total: 2 });
    progress.say('kept');
    expect(err.text.endsWith('\r\u001b[2Kkept\n')).toBe(true);
  });
});

describe('progress on other outputs', () => {
  it.each([
    ['a file', false, {}],
    ['NO_COLOR', true, { NO_COLOR: '1' }],
    ['a dumb terminal', true, { TERM: 'dumb' }],
  ])('prints plain lines every five seconds and at the end: %s', (_where, isTTY, environment) => {
    let now = 0;
    const { err, channel } = open(isTTY, environment);
    const progress = createProgress(channel, () => now);
    for (; now <= 12_000; now += 1000) progress.report({ label: 'train', done: now / 1000, total: 12 });
    progress.clear();
    expect(err.text).toBe(
      'train 0/12 (0 %)\ntrain 5/12 (41 %)  7 s left\ntrain 10/12 (83 %)  2 s left\ntrain 12/12 (100 %)\n',
    );
  });

  it('contains no control characters from labels or notes', () => {
    const { err, channel } = open(false);
    createProgress(channel, () => 0).report({ label: '\u001b[2Ja\nb', done: 1, total: 1, note: '\u0007c' });
    expect(err.text).toBe('a b 1/1 (100 %)  c\n');
  });

  it('estimates the time left from where a resumed run started, and afresh for each label', () => {
    let now = 0;
    const { err, channel } = open(false);
    const progress = createProgress(channel, () => now);
    progress.report({ label: 'train', done: 90, total: 100 });
    now = 5000;
    progress.report({ label: 'train', done: 95, total: 100 });
    progress.report({ label: 'evaluate', done: 0, total: 4 });
    expect(err.text).toBe('train 90/100 (90 %)\ntrain 95/100 (95 %)  5 s left\nevaluate 0/4 (0 %)\n');
  });
});

describe('describeDuration', () => {
  it('writes seconds, minutes or hours', () => {
    expect([0.4, 59, 61, 3599, 3660, 90_000].map(describeDuration)).toEqual([
      '0 s',
      '59 s',
      '1 min 1 s',
      '59 min 59 s',
      '1 h 1 min',
      '25 h 0 min',
    ]);
  });
});
