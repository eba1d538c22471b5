import { describe, expect, it } from 'vitest';
import { Kept } from '../../../envs/code/judge/kept.ts';

const never = new AbortController().signal;

describe('Kept', () => {
  it('runs the work once for all requests of a key', async () => {
    const kept = new Kept<number>();
    let runs = 0;
    const work = async (): Promise<number> => {
      await Promise.resolve();
      return ++runs;
    };
    expect(await Promise.all(Array.from({ length: 8 }, () => kept.get('a', work, never)))).toEqual(
      Array.from({ length: 8 }, () => 1),
    );
    expect([await kept.get('a', work, never), await kept.get('b', work, never)]).toEqual([1, 2]);
  });

  it('runs the work again for other waiters when the first caller aborts', async () => {
    const kept = new Kept<string>();
    const first = new AbortController();
    const calledOff = (): Promise<string> =>
      new Promise((_, reject) =>
        first.signal.addEventListener('abort', () => reject(first.signal.reason as Error)),
      );
    const one = kept.get('a', calledOff, first.signal);
    const other = kept.get('a', async () => 'ran', never);
    first.abort(new Error('called off'));
    await expect(one).rejects.toThrow('called off');
    expect(await other).toBe('ran');
  });

  it('rejects an aborted waiter while the work goes on', async () => {
    const kept = new Kept<string>();
    let resolve: (text: string) => void = () => undefined;
    const promise = new Promise<string>((settle) => (resolve = settle));
    const one = kept.get('a', () => promise, never);
    const waiting = new AbortController();
    const other = kept.get('a', async () => 'not needed', waiting.signal);
    waiting.abort(new Error('enough'));
    await expect(other).rejects.toThrow('enough');
    resolve('ran');
    expect(await one).toBe('ran');
  });
});
