import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { keepErrorListeners } from '../../models/backend/keep-listeners.ts';

describe('listeners of uncaught errors', () => {
  test('disappear when the start added them, whenever that is, and those of others stay', async () => {
    const source = new EventEmitter();
    const listener = (): (() => void) => () => undefined;
    const [before, meanwhile, after, other] = [listener(), listener(), listener(), listener()];
    source.on('uncaughtException', before);
    const started = keepErrorListeners(source, async () => {
      source.on('uncaughtException', listener());
      await delay(5);
      source.on('unhandledRejection', listener());
      source.once('uncaughtException', listener());
      source.on('exit', other);
      await delay(5);
      return 7;
    });
    source.on('unhandledRejection', meanwhile);
    await delay(7);
    source.on('uncaughtException', meanwhile);
    expect(await started).toBe(7);
    source.on('uncaughtException', after);
    expect(source.listeners('uncaughtException')).toEqual([before, meanwhile, after]);
    expect(source.listeners('unhandledRejection')).toEqual([meanwhile]);
    expect(source.listeners('exit')).toEqual([other]);
    expect(source.listenerCount('newListener')).toBe(0);
  });

  test('disappear when the start fails, and its error is thrown', async () => {
    const source = new EventEmitter();
    const started = keepErrorListeners(source, () => {
      source.on('uncaughtException', () => undefined);
      return Promise.reject(new Error('no start'));
    });
    await expect(started).rejects.toThrow('no start');
    expect(source.eventNames()).toEqual([]);
  });
});

const backendFile = new URL('../../dist/models/backend/open-backend.js', import.meta.url).href;

/** Runs lines of JavaScript in a process that has opened the wasm backend; an error that nobody catches ends it. */
function inChild(
  before: string,
  after: string,
): { readonly code: number; readonly out: string; readonly err: string } {
  const script = `
    const { openBackend } = await import(${JSON.stringify(backendFile)});
    ${before}
    const backend = await openBackend('wasm');
    ${after}
  `;
  try {
    return {
      code: 0,
      out: execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
        stdio: 'pipe',
      }),
      err: '',
    };
  } catch (thrown) {
    const { status, stdout, stderr } = thrown as {
      readonly status: number;
      readonly stdout: string;
      readonly stderr: string;
    };
    return { code: status, out: stdout, err: stderr };
  }
}

describe('process that has opened wasm', () => {
  test('keeps its earlier listeners and gains no others', () => {
    const { out } = inChild(
      "const mine = () => undefined; process.on('uncaughtException', mine);",
      "console.log(process.listeners('uncaughtException').length, process.listeners('uncaughtException')[0] === mine, process.listenerCount('unhandledRejection'), backend.name);",
    );
    expect(out).toBe('1 true 0 wasm\n');
  });

  test.each([
    "setTimeout(() => { throw new Error('of a user'); });",
    "void Promise.reject(new Error('of a user'));",
  ])('lets its earlier listener report %s', (line) => {
    const ran = inChild(
      "process.on('uncaughtException', (error) => { console.log('heard', error.message); process.exitCode = 3; });",
      line,
    );
    expect(ran).toEqual({ code: 3, out: 'heard of a user\n', err: '' });
  });
});
