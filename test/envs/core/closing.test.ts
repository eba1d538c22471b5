import { describe, expect, it } from 'vitest';
import { closeHost, closeInTime } from '../../../envs/core/closing.ts';
import { createContext } from '../../../envs/core/context.ts';
import { createMemoryLogger } from '../../../envs/core/log.ts';

const never = (): Promise<void> => new Promise(() => undefined);

describe.concurrent('closeInTime and closeHost', () => {
  it('closeInTime returns nothing when closing succeeds', async () => {
    expect(await closeInTime(() => Promise.resolve(), { where: 'close' })).toBeUndefined();
  });

  it('closeInTime returns a deadline fault when closing hangs', async () => {
    expect(await closeInTime(never, { where: 'close', ms: 5 })).toEqual({
      kind: 'deadline-passed',
      where: 'close',
      afterMs: 5,
    });
  });

  it('closeInTime returns the fault of a close that fails, at once or later', async () => {
    const fault = { kind: 'env-crashed', where: 'close', message: 'the door is stuck' };
    const fail = (): never => {
      throw new Error('the door is stuck');
    };
    expect(await closeInTime(fail, { where: 'close' })).toEqual(fault);
    expect(await closeInTime(async () => Promise.resolve().then(fail), { where: 'close' })).toEqual(fault);
  });

  it.each(['before', 'meanwhile'])(
    'closeInTime waits only a short time when the signal aborted %s',
    async (when) => {
      const controller = new AbortController();
      if (when === 'before') controller.abort();
      else setTimeout(() => controller.abort(), 5);
      expect(await closeInTime(never, { where: 'close', ms: 600_000, signal: controller.signal })).toEqual({
        kind: 'deadline-passed',
        where: 'close',
        afterMs: 3_000,
      });
    },
  );

  it('closeInTime leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    let listening = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...call: Parameters<typeof add>) => ((listening += 1), add(...call));
    signal.removeEventListener = (...call: Parameters<typeof remove>) => ((listening -= 1), remove(...call));
    await closeInTime(() => Promise.resolve(), { where: 'close', signal });
    expect(listening).toBe(0);
  });

  it('closeHost logs a host that does not close', async () => {
    const log = createMemoryLogger();
    const context = createContext({ seed: 0, now: () => 0, log, path: 'run', signal: AbortSignal.abort() });
    await closeHost({ close: never }, 'lab/den-v1', context);
    expect(log.events).toEqual([
      {
        path: 'run',
        event: {
          type: 'closing-fail',
          fault: { kind: 'deadline-passed', where: 'close of the host of lab/den-v1', afterMs: 3_000 },
        },
      },
    ]);
  });
});
