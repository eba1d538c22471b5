import { setImmediate } from 'node:timers/promises';
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { pour } from '../../../cli/export/pour.ts';
import { createTerminal, type Channel } from '../../../cli/terminal/terminal.ts';

const mebibyte = 'x'.repeat(2 ** 20);

/** Makes parts, and counts those that were asked for. */
function source(
  count: number,
): AsyncIterable<string> & { readonly made: () => number; readonly closed: () => boolean } {
  let made = 0;
  let closed = false;
  async function* parts(): AsyncGenerator<string> {
    try {
      while (made < count) {
        made += 1;
        yield mebibyte;
      }
    } finally {
      closed = true;
    }
  }
  return { [Symbol.asyncIterator]: () => parts(), made: () => made, closed: () => closed };
}

/** What is written on it waits until `take` is called; with an error it was not taken. */
function slowChannel(): { readonly channel: Channel; readonly take: (error?: Error) => void } {
  let next: ((error?: Error) => void) | undefined;
  const stream = new Writable({ write: (_chunk, _encoding, done) => void (next = done) });
  const { out } = createTerminal({ out: stream, err: new Writable(), environment: {} });
  return { channel: out, take: (error) => next?.(error) };
}

const never = new AbortController().signal;

it('pour produces no more than the reader takes', async () => {
  const { channel, take } = slowChannel();
  const parts = source(20);
  const poured = pour(parts, channel, never);
  await setImmediate();
  expect(parts.made()).toBe(1);
  for (let turn = 0; turn < 100; turn += 1) {
    take();
    await setImmediate();
  }
  await poured;
  expect(parts.made()).toBe(20);
});

it('pour stops when the reader has gone', async () => {
  const { channel, take } = slowChannel();
  const parts = source(20);
  const poured = pour(parts, channel, never);
  await setImmediate();
  take(Object.assign(new Error('gone'), { code: 'EPIPE' }));
  await poured;
  expect([parts.made() < 4, parts.closed(), channel.failure]).toEqual([true, true, undefined]);
});

it('pour stops waiting when it is interrupted', async () => {
  const { channel } = slowChannel();
  const interruption = new AbortController();
  const poured = pour(source(20), channel, interruption.signal);
  interruption.abort(new Error('enough'));
  await expect(poured).rejects.toThrow('enough');
});
