import type { KilledBy, Limits } from '../sandbox.ts';
import type { Cell } from './cell.ts';
import type { Reading } from './monitor.ts';

/** Starting a program in a container takes processor time that is none of the program's. */
const startCpuMs = 40;
const longestPollMs = 100;
const shortestPollMs = 10;

/** The limit that the kernel's counts say was hit since `before`. */
export function overrunSince(before: Reading, now: Reading, limits: Limits): KilledBy | undefined {
  if (now.memoryKills > before.memoryKills) return 'memory';
  if (now.refusedForks > before.refusedForks) return 'pids';
  if (now.cpuMs - before.cpuMs > limits.cpuMs + startCpuMs) return 'cpu';
  return undefined;
}

/** What ends a program's run: its own end, a limit; its caller and a sandbox that fails reject. */
export type Stop<T> = { readonly kind: 'ended'; readonly value: T } | { readonly kind: 'limit'; readonly by: KilledBy };

/** Looks at a program while it runs. It stops nothing itself. */
export async function untilStopped<T>(
  ended: Promise<T>,
  watched: { readonly cell: Cell; readonly before: Reading; readonly limits: Limits; readonly signal: AbortSignal; readonly flooded: Promise<void> },
): Promise<Stop<T>> {
  const { cell, before, limits, signal, flooded } = watched;
  const done = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  try {
    return await Promise.race([
      ended.then((value) => ({ kind: 'ended', value }) as const),
      flooded.then(() => ({ kind: 'limit', by: 'output' }) as const),
      new Promise<Stop<T>>((resolve) => timers.push(setTimeout(() => resolve({ kind: 'limit', by: 'wall' }), limits.wallMs))),
      new Promise<never>((_, reject) => {
        if (signal.aborted) reject(signal.reason as Error);
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: done.signal });
      }),
      poll({ cell, before, limits, done: done.signal }).then((by) => ({ kind: 'limit', by }) as const),
    ]);
  } finally {
    done.abort();
    for (const timer of timers) clearTimeout(timer);
  }
}

/** Settles with the limit that was hit, or never. */
async function poll({ cell, before, limits, done }: { readonly cell: Cell; readonly before: Reading; readonly limits: Limits; readonly done: AbortSignal }): Promise<KilledBy> {
  let now = before;
  for (;;) {
    // no sooner can it have used up what is left to it
    const left = (limits.cpuMs + startCpuMs - (now.cpuMs - before.cpuMs)) / cell.plan.settings.cpus;
    await pauseUnless(done, Math.min(longestPollMs, Math.max(shortestPollMs, left)));
    now = await cell.read();
    const by = overrunSince(before, now, limits);
    if (by !== undefined) return by;
  }
}

/** Never resolves once it is done, so that nothing is asked any more. */
function pauseUnless(done: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (done.aborted) return;
    const onDone = (): void => clearTimeout(timer);
    const timer = setTimeout(() => {
      done.removeEventListener('abort', onDone);
      resolve();
    }, ms);
    done.addEventListener('abort', onDone, { once: true });
  });
}
