import { runInNewContext } from 'node:vm';
import { createJiti } from 'jiti';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type * as errors from '../../../envs/core/errors.ts';
import {
  boundary,
  describeFault,
  FaultError,
  messageOf,
  placedMessageOf,
  RunError,
  UsageError,
  type Fault,
} from '../../../envs/core/errors.ts';

const file = fileURLToPath(new URL('../../../envs/core/errors.ts', import.meta.url));
const parts = { where: 'config of maze-v1', what: 'size is 0.', fix: 'Give 3 to 7.' };
const fault: Fault = { kind: 'env-crashed', where: 'step', message: 'no such cell' };

/** A second copy of the module, as when two versions of the package are installed. */
async function otherCopy(): Promise<typeof errors> {
  return createJiti(import.meta.url, { fsCache: false, moduleCache: false }).import(file);
}

describe('UsageError, RunError and FaultError', () => {
  test('Cairn errors are recognised across copies of the package, where instanceof fails', async () => {
    const other = await otherCopy();
    expect(other.UsageError).not.toBe(UsageError);
    const foreign = new other.UsageError(parts);
    expect(foreign instanceof UsageError).toBe(false);
    expect(UsageError.is(foreign)).toBe(true);
    expect(RunError.is(new other.RunError(parts))).toBe(true);
    expect(FaultError.is(new other.FaultError(fault))).toBe(true);
  });

  test('each kind of error is recognised, and nothing else is', () => {
    const all = [
      new UsageError(parts),
      new RunError(parts),
      new FaultError(fault),
      new Error('x'),
      'UsageError',
      undefined,
      null,
      { name: 'UsageError' },
    ];
    expect(all.map((value) => [UsageError.is(value), RunError.is(value), FaultError.is(value)])).toEqual([
      [true, false, false],
      [false, true, false],
      [false, false, true],
      ...Array.from({ length: 5 }, () => [false, false, false]),
    ]);
  });

  test('messages contain where, what and the fix, and errors keep their cause', () => {
    const cause = new Error('below');
    const error = new UsageError(parts, { cause });
    expect(error.message).toBe('config of maze-v1: size is 0. Give 3 to 7.');
    expect(error.name).toBe('UsageError');
    expect(error.parts).toEqual(parts);
    expect(error.cause).toBe(cause);
    expect(JSON.stringify(error)).not.toContain('cairn-gym'); // the brand is not data
  });

  test('faults and other thrown values become readable sentences', () => {
    const faults: readonly Fault[] = [
      fault,
      { kind: 'deadline-passed', where: 'train/3', afterMs: 50 },
      { kind: 'task-broken', where: 'game.tw-pddl, line 3', message: 'it is cut short' },
      { kind: 'sandbox-failed', stage: 'exec', message: 'killed', retryable: true },
      { kind: 'retriever-failed', code: 'late', message: 'no answer within 5 ms', retryable: true },
      { kind: 'tool-server-failed', server: 'files', code: 'died', message: 'it ended', retryable: true },
      { kind: 'sampler-failed', message: 'no route', retryable: true },
    ];
    expect(faults.map(describeFault)).toEqual([
      'the environment crashed in step: no such cell',
      'train/3 did not finish within 50 ms',
      'the task is broken: game.tw-pddl, line 3: it is cut short',
      'the sandbox failed to exec: killed',
      'the search engine failed (late): no answer within 5 ms',
      'the tool server files failed (died): it ended',
      'the sampler failed: no route',
    ]);
    expect(messageOf(new FaultError(fault))).toBe(describeFault(fault));
    expect(messageOf(7)).toBe('7');
    expect(messageOf(new RangeError(' '))).toBe('RangeError without a message');
    expect(messageOf(new DOMException('', 'AbortError'))).toBe('AbortError without a message');
    expect(messageOf({})).toBe('{} was thrown, which is not an Error');
    expect(messageOf({ status: 404 })).toBe('{ status: 404 } was thrown, which is not an Error');
    expect(messageOf(runInNewContext('new Error("of another realm")'))).toBe('of another realm');
  });
});

describe('placedMessageOf', () => {
  test('adds file and line to a programming error, without local folders, and to no other error', () => {
    const slip = (): unknown => {
      try {
        return (undefined as unknown as { missing(): void }).missing();
      } catch (thrown) {
        return thrown;
      }
    };
    expect(placedMessageOf(slip())).toMatch(
      /^Cannot read properties of undefined \(reading 'missing'\) \(errors\.test\.ts:\d+:\d+\)$/,
    );
    expect(placedMessageOf(new Error('the fuse blew'))).toBe('the fuse blew');
    expect(placedMessageOf(Object.assign(new TypeError('bare'), { stack: undefined }))).toBe('bare');
  });
});

describe('boundary', () => {
  const signal = new AbortController().signal;
  const name = (message: string): Fault => ({ kind: 'env-crashed', where: 'reset', message });

  test('turns an error of foreign code into a fault and keeps it as the cause', async () => {
    const thrown = new Error('x is undefined');
    const caught: unknown = await boundary(name, signal, () => Promise.reject(thrown)).catch(
      (error: unknown) => error,
    );
    expect(FaultError.is(caught) && caught.fault).toEqual({
      kind: 'env-crashed',
      where: 'reset',
      message: 'x is undefined',
    });
    expect((caught as Error).cause).toBe(thrown);
  });

  test('passes on faults, usage errors and the abort of the caller unchanged', async () => {
    const caller = new AbortController();
    const reason = new Error('interrupted');
    caller.abort(reason);
    for (const thrown of [new FaultError(fault), new UsageError(parts)]) {
      await expect(boundary(name, signal, () => Promise.reject(thrown))).rejects.toBe(thrown);
    }
    await expect(boundary(name, caller.signal, () => Promise.reject(reason))).rejects.toBe(reason);
    await expect(boundary(name, caller.signal, () => Promise.reject(new Error('another')))).rejects.toSatisfy(
      (thrown) => FaultError.is(thrown),
    );
  });

  test('reports the first failure, not a failure of closing after it', async () => {
    const closing = (): AsyncDisposable => ({
      [Symbol.asyncDispose]: () => Promise.reject(new Error('it cannot be closed either')),
    });
    for (const first of [new UsageError(parts), new FaultError(fault)]) {
      const run = async (): Promise<never> => {
        await using _outer = closing();
        await using _inner = closing();
        throw first;
      };
      await expect(boundary(name, signal, run)).rejects.toBe(first);
    }
  });

  test('returns what the code returns', async () => {
    await expect(boundary(name, signal, () => Promise.resolve(7))).resolves.toBe(7);
  });
});

describe('errors with long values', () => {
  const long = 'x'.repeat(100_000);

  test.each([
    ['one word', long],
    ['a quoted value', `the value ${JSON.stringify(long)} is no number.`],
    ['many words', 'word '.repeat(20_000)],
    ['many lines', 'line\n'.repeat(20_000)],
    ['pairs of code units', '\u{1f600}'.repeat(50_000)],
  ])('leave out the middle of %s', (_, text) => {
    for (const error of [
      new UsageError({ where: text, what: text, fix: text }),
      new RunError({ where: text, what: text, fix: text }),
    ]) {
      expect(error.message.length).toBeLessThan(13_000);
      expect(error.message).toContain('characters left out');
      expect(() => encodeURIComponent(error.message)).not.toThrow(); // it throws at half a pair
      expect(error.parts.what.startsWith(text.slice(0, 100))).toBe(true);
      expect(error.parts.what.endsWith(text.slice(-100))).toBe(true);
    }
    const fault = new FaultError({ kind: 'env-crashed', where: 'here', message: text });
    expect(fault.message.length).toBeLessThan(5_000);
  });

  test('keep values up to the length of a path', () => {
    const path = `/${'folder/'.repeat(140)}`;
    expect(new UsageError({ where: path, what: 'it is no file.', fix: 'Give one.' }).message).toBe(
      `${path}: it is no file. Give one.`,
    );
  });
});
