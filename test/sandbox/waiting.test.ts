import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { signalWithin } from '../../sandbox/waiting.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('a deadline comes also after garbage was collected, and is told from the leaving of who waits', async () => {
  using within = signalWithin(100, new AbortController().signal);
  const aborted = new Promise((resolve) => within.signal.addEventListener('abort', resolve, { once: true }));
  await new Promise((resolve) => setTimeout(resolve, 5));
  for (let round = 0; round < 3; round += 1) collectGarbage();
  await aborted;
  expect([within.isLate(), String(within.signal.reason)]).toEqual([true, 'Error: it took more than 0.1 s']);

  const caller = new AbortController();
  using other = signalWithin(60_000, caller.signal);
  caller.abort('enough');
  expect([other.isLate(), other.signal.reason]).toEqual([false, 'enough']);
});
