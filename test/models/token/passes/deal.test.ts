import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dealt } from '../../../../models/token/passes/deal.ts';

/** Gives each piece's number once so many turns have passed, and notes what lies with whom. */
function workshop(turns: readonly number[], failing: ReadonlySet<number> = new Set()) {
  const held = new Map<string, number>();
  const asked: number[] = [];
  const finished: number[] = [];
  let mostHeld = 0;
  const ask = async (worker: string, piece: number): Promise<number> => {
    asked.push(piece);
    held.set(worker, (held.get(worker) ?? 0) + 1);
    mostHeld = Math.max(mostHeld, held.get(worker) as number);
    for (let turn = 0; turn < (turns[piece] as number); turn += 1) await Promise.resolve();
    held.set(worker, (held.get(worker) as number) - 1);
    finished.push(piece);
    if (failing.has(piece)) throw new Error(`piece ${piece} failed`);
    return piece;
  };
  return { ask, asked, finished, mostHeld: () => mostHeld };
}

const crews = fc
  .integer({ min: 1, max: 5 })
  .map((count) => Array.from({ length: count }, (_, at) => `worker ${at}`));
const turnsOfPieces = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 40 });

test('dealt yields results in the order of the pieces, each once, with at most two pieces per worker', async () => {
  await fc.assert(
    fc.asyncProperty(crews, turnsOfPieces, async (workers, turns) => {
      const shop = workshop(turns);
      const results: number[] = [];
      let ahead = 0;
      for await (const result of dealt({ workers, count: turns.length, ask: shop.ask })) {
        ahead = Math.max(ahead, shop.asked.length - results.length);
        results.push(result);
      }
      expect(results).toEqual([...turns.keys()]);
      expect(shop.asked).toEqual(results);
      expect(shop.mostHeld()).toBeLessThanOrEqual(2);
      expect(ahead).toBeLessThanOrEqual(4 * workers.length);
    }),
  );
});

test('dealt throws the first failure in order, after all running pieces have ended', async () => {
  await fc.assert(
    fc.asyncProperty(
      crews,
      turnsOfPieces,
      fc.array(fc.nat(39), { minLength: 1 }),
      async (workers, turns, failing) => {
        const shop = workshop(turns, new Set(failing));
        const first = Math.min(...failing);
        const results: number[] = [];
        const reading = (async () => {
          for await (const result of dealt({ workers, count: turns.length, ask: shop.ask }))
            results.push(result);
        })();
        if (first < turns.length) await expect(reading).rejects.toThrow(`piece ${first} failed`);
        else await reading;
        expect(results).toEqual([...turns.keys()].slice(0, first));
        expect(shop.finished.toSorted((a, b) => a - b)).toEqual(shop.asked);
      },
    ),
  );
});

test('dealt starts nothing after a failure', async () => {
  const shop = workshop(
    Array.from({ length: 9 }, () => 1),
    new Set([0]),
  );
  await expect(dealt({ workers: ['one'], count: 9, ask: shop.ask }).next()).rejects.toThrow('piece 0 failed');
  expect(shop.asked).toEqual([0, 1]);
});

test.each(['signal', 'reader'] as const)(
  'dealt stops at a %s that ends it, and waits for running pieces',
  async (ends) => {
    const controller = new AbortController();
    const asked: number[] = [];
    let finished = 0;
    const ask = async (_: string, piece: number): Promise<number> => {
      asked.push(piece);
      await delay(2);
      finished += 1;
      return piece;
    };
    const read = async (): Promise<void> => {
      for await (const result of dealt({
        workers: ['one', 'other'],
        count: 50,
        ask,
        signal: controller.signal,
      })) {
        if (result < 3) continue;
        if (ends === 'reader') return;
        controller.abort(new Error('stop'));
      }
    };
    await (ends === 'signal' ? expect(read()).rejects.toThrow('stop') : read());
    expect(finished).toBe(asked.length);
    expect(asked.length).toBeLessThan(20);
  },
);
