import { describe, expect, it } from 'vitest';
import { sleep, Turnstile } from '../../../agents/servers/wait.ts';

const free = new AbortController().signal;

describe('sleep', () => {
  it('ends with its signal', async () => {
    const stop = new AbortController();
    const asleep = sleep(60_000, stop.signal);
    stop.abort(new Error('up'));
    await expect(asleep).rejects.toThrow('up');
    await expect(sleep(60_000, stop.signal)).rejects.toThrow('up');
    await sleep(0, free);
  });
});

describe('Turnstile', () => {
  it('lets so many in, first come, first served, and forgets who gave up', async () => {
    const turnstile = new Turnstile(1);
    const first = await turnstile.enter(free);
    const order: string[] = [];
    const stop = new AbortController();
    const enter = async (name: string, signal = free): Promise<void> => {
      using _place = await turnstile.enter(signal);
      order.push(name);
    };
    const impatient = enter('impatient', stop.signal);
    const others = [enter('second'), enter('third')];
    stop.abort(new Error('too long'));
    await expect(impatient).rejects.toThrow('too long');
    expect(order).toEqual([]);
    first[Symbol.dispose]();
    first[Symbol.dispose](); // leaves once
    await Promise.all(others);
    expect(order).toEqual(['second', 'third']);
    await expect(turnstile.enter(stop.signal)).rejects.toThrow('too long');
  });
});
