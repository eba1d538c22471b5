import { setImmediate } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitGently } from '../../models/backend/wait-gently.ts';
import { turnsDuring } from '../support/turns-during.ts';

const wait = async (): Promise<unknown> => waitGently(pause(300));

test('waitGently slows the event loop to a few turns per millisecond, and not during other waits', async () => {
  const fast = await turnsDuring(async () => pause(300));
  const gentle = await turnsDuring(wait);
  const after = await turnsDuring(async () => pause(300));
  expect(gentle).toBeLessThan(fast / 3);
  expect(after).toBeGreaterThan(2 * gentle);
});

test('waitGently sleeps no more for several waits at once, or many short ones in a row, than for one', async () => {
  const one = await turnsDuring(wait);
  const three = await turnsDuring(async () => Promise.all([wait(), wait(), wait()]));
  await manyShortWaits();
  const last = await turnsDuring(wait);
  expect(Math.min(three, last)).toBeGreaterThan(one / 2);
});

test('waitGently does not sleep for a short wait, even after many others', async () => {
  const shortWait = async (): Promise<unknown> => waitGently(pause(20));
  expect(await turnsDuring(shortWait)).toBeGreaterThan(100); // asleep it would be 40
  expect(await turnsDuring(async () => manyShortWaits().then(shortWait))).toBeGreaterThan(2_100);
});

test('waitGently returns the awaited value, and throws its error', async () => {
  await expect(waitGently(Promise.resolve(7))).resolves.toBe(7);
  await expect(waitGently(Promise.reject(new RangeError('lost')))).rejects.toThrow('lost');
});

async function manyShortWaits(): Promise<void> {
  for (let count = 0; count < 2_000; count += 1)
    await waitGently(new Promise<void>((resolve) => void setImmediate(resolve)));
}
