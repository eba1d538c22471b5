import { describe, expect, it } from 'vitest';
import { reportError } from '../../../cli/program/report-error.ts';
import { FaultError, RunError, UsageError } from '../../../envs/core/errors.ts';

const parts = { where: 'here', what: 'it broke.', fix: 'Fix it.' };

describe('reportError', () => {
  it('distinguishes the three kinds of errors', () => {
    expect(reportError(new UsageError(parts), { stack: false })).toEqual({
      document: { error: { kind: 'usage', message: 'here: it broke. Fix it.', ...parts } },
      paragraph: 'here: it broke. Fix it.',
      exitCode: 2,
    });
    expect(reportError(new RunError(parts), { stack: false })).toMatchObject({
      document: { error: { kind: 'run' } },
      exitCode: 1,
    });
    const fault = new FaultError({ kind: 'deadline-passed', where: 'reset', afterMs: 5 });
    expect(reportError(fault, { stack: false })).toMatchObject({
      document: { error: { kind: 'fault', fix: 'Find what it waits for, or give it more time.' } },
      paragraph:
        'The world failed: reset did not finish within 5 ms. Find what it waits for, or give it more time.',
      exitCode: 1,
    });
  });

  it('ends a fault’s sentence with one full stop', () => {
    const fault = new FaultError({
      kind: 'task-broken',
      where: 'a.json, line 3',
      message: 'it is cut short. Fix it.',
    });
    expect(reportError(fault, { stack: false }).paragraph).toBe(
      'The world failed: the task is broken: a.json, line 3: it is cut short. Fix it. Fix the task, or exclude it.',
    );
  });

  it('reports the original error, not one thrown while closing', async () => {
    const closing = (message: string): AsyncDisposable => ({
      [Symbol.asyncDispose]: () => Promise.reject(new Error(message)),
    });
    const thrown: unknown = await (async () => {
      await using _outer = closing('second');
      await using _inner = closing('first');
      throw new RunError(parts);
    })().catch((caught: unknown) => caught);
    expect(RunError.is(thrown)).toBe(false);
    expect(reportError(thrown, { stack: false })).toEqual(reportError(new RunError(parts), { stack: false }));
  });

  it('shows the stack of an unexpected error only when asked', () => {
    const thrown = new TypeError('x is not a function');
    const quiet = reportError(thrown, { stack: false });
    expect(quiet).toMatchObject({
      document: { error: { kind: 'unexpected', message: 'x is not a function' } },
      exitCode: 1,
    });
    expect(quiet.paragraph).toBe(
      'Something unexpected went wrong: x is not a function. CAIRN_DEBUG=1 shows where.',
    );
    expect(reportError(thrown, { stack: true }).paragraph).toContain('report-error.test.ts');
  });

  it('names a place in the user’s module, and none in Cairn, packages or Node', () => {
    const thrownAt = (frame: string): Error =>
      Object.assign(new Error('late'), {
        stack: `Error: late\n    ${frame}\n    at listOnTimeout (node:internal/timers:581:17)`,
      });
    expect(reportError(thrownAt('at Timeout.tick (/home/me/maze.ts:31:15)'), { stack: false })).toMatchObject(
      {
        document: {
          error: { kind: 'unexpected', message: 'late', where: 'at Timeout.tick (/home/me/maze.ts:31:15)' },
        },
        paragraph:
          'Code outside of Cairn went wrong: late (at Timeout.tick (/home/me/maze.ts:31:15)). Fix it there. CAIRN_DEBUG=1 shows where.',
      },
    );
    const root = new URL('../../..', import.meta.url).href;
    for (const frame of [
      `at act (${root}cli/main.ts:1:2)`,
      'at f (/home/me/node_modules/zod/index.js:1:2)',
      'at node:internal/timers:581:17',
    ]) {
      expect(reportError(thrownAt(frame), { stack: false }).paragraph).toBe(
        'Something unexpected went wrong: late. CAIRN_DEBUG=1 shows where.',
      );
    }
  });

  it('reports any thrown value', () => {
    expect(reportError('text', { stack: true })).toMatchObject({
      exitCode: 1,
      paragraph: 'Something unexpected went wrong: text.',
    });
  });
});
