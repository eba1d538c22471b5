import { setImmediate } from 'node:timers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { waitGently } from '../../../trainers/model/backend/wait-gently.ts';

test('while a GPU works the event loop turns a few times a millisecond at most, as it does not where somebody else waits', async () => {
  const fast = await turnsDuring(async () => pause(300));
  const gentle = await turnsDuring(async () => waitGently(pause(300)));
  const one = await turnsDuring(async () => Promise.all([waitGently(pause(300)), waitGently(pause(300)), waitGently(pause(300))]));
  const after = await turnsDuring(async () => pause(300));
  expect(gentle).toBeLessThan(fast / 3);
  expect(one).toBeLessThan(fast / 3);
  expect(after).toBeGreaterThan(2 * gentle);
});

test('many short waits, one behind the other, leave no more turning than one does', async () => {
  const wait = async (): Promise<unknown> => waitGently(pause(300));
  const before = await turnsDuring(wait);
  for (let count = 0; count < 2_000; count += 1) await waitGently(new Promise<void>((resolve) => void setImmediate(resolve)));
  const after = await turnsDuring(wait);
  expect(after).toBeGreaterThan(before / 3);
});

test('it gives what was waited for, and throws what that throws', async () => {
  await expect(waitGently(Promise.resolve(7))).resolves.toBe(7);
  await expect(waitGently(Promise.reject(new RangeError('lost')))).rejects.toThrow('lost');
});

/** How often the event loop turns meanwhile, kept turning as Dawn keeps it. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return turns;
}
