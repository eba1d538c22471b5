import type { ResetContext } from './context.ts';
import type { EnvHost } from './env.ts';
import { FaultError, messageOf, type Fault } from './errors.ts';
import { abortable, onAbort, openDeadline } from './waiting.ts';

/** Releasing a resource that is still in use, such as a browser, takes a few seconds on a busy machine. */
const closingMs = 10_000;

/** After an interruption, a slow `close` gets less time. */
const hurriedMs = 3_000;

export interface ClosingLimit {
  /** What is being closed, for the fault. */
  readonly where: string;
  /** Time limit in milliseconds. Default: 10 s. */
  readonly ms?: number;
  /** When it aborts, 3 s remain, or `ms` where that is less. */
  readonly signal?: AbortSignal;
}

/** Closes something within a time limit. Never rejects: a `close` that fails or hangs is returned as a fault. */
export async function closeInTime(
  close: () => Promise<unknown>,
  { where, ms = closingMs, signal }: ClosingLimit,
): Promise<Fault | undefined> {
  using deadline = openDeadline(undefined, { where, ms });
  using _hurry = signal && onAbort(signal, () => deadline.renew(where, Math.min(ms, hurriedMs)));
  try {
    // an async call turns a `close` that throws at once into a rejection
    const closing = (async () => close())();
    await abortable(deadline.signal, closing);
    return undefined;
  } catch (thrown) {
    const isLate = thrown === deadline.signal.reason && FaultError.is(thrown);
    return isLate ? thrown.fault : { kind: 'env-crashed', where, message: messageOf(thrown) };
  }
}

/** Closes a host. A `close` that fails or hangs is logged. The results of the host's episodes are kept. */
export async function closeHost(
  host: Pick<EnvHost<unknown, unknown>, 'close'>,
  env: string,
  { path, signal, log }: Pick<ResetContext, 'path' | 'signal' | 'log'>,
): Promise<void> {
  const fault = await closeInTime(() => host.close(), { where: `close of the host of ${env}`, signal });
  if (fault !== undefined) log.event(path, { type: 'closing-fail', fault });
}
