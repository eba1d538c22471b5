import type { ResetContext } from './context.ts';
import type { EnvHost } from './env.ts';
import { messageOf, type Fault } from './errors.ts';

/** Giving back what is still in use, such as a browser, takes a few seconds on a busy machine. */
const closingMs = 10_000;

/** Whoever was asked to end waits no longer for what does not close. */
const hurriedMs = 3_000;

export interface ClosingLimit {
  /** What is being closed, for the fault. */
  readonly where: string;
  /** Milliseconds that it may take; 10 s unless given. */
  readonly ms?: number;
  /** Once it is aborted 3 s are given, from then on. */
  readonly signal?: AbortSignal;
}

/** Waits so long, and no longer, for work that gives things back. Never rejects: what failed or hung is given back as a fault. */
export function closeInTime(
  close: () => Promise<unknown>,
  { where, ms = closingMs, signal }: ClosingLimit,
): Promise<Fault | undefined> {
  return new Promise((resolve) => {
    const timers: NodeJS.Timeout[] = [];
    const end = (fault?: Fault): void => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', hurry);
      resolve(fault);
    };
    const allow = (afterMs: number): void =>
      void timers.push(setTimeout(() => end({ kind: 'deadline-passed', where, afterMs }), afterMs));
    const hurry = (): void => allow(Math.min(ms, hurriedMs));
    if (signal?.aborted === true) hurry();
    else signal?.addEventListener('abort', hurry, { once: true });
    allow(ms);
    const closing = (async () => close())(); // one that throws at once has failed as well
    closing.then(
      () => end(),
      (thrown: unknown) => end({ kind: 'env-crashed', where, message: messageOf(thrown) }),
    );
  });
}

/** Closes a host, the one way in which hosts are closed: what came of its episodes is not lost to a `close` that fails or hangs, so that is but logged. */
export async function closeHost(
  host: Pick<EnvHost<unknown, unknown>, 'close'>,
  env: string,
  { path, signal, log }: Pick<ResetContext, 'path' | 'signal' | 'log'>,
): Promise<void> {
  const fault = await closeInTime(() => host.close(), { where: `close of the host of ${env}`, signal });
  if (fault !== undefined) log.event(path, { type: 'closing-fail', fault });
}
