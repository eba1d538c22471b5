import { once } from 'node:events';
import { sleep } from '../../envs/core/waiting.ts';
import { statusOf, type Daemon } from './daemon.ts';

/** Attempts to see the recorded end of a container, 20 ms apart. */
const looks = 50;
/** The daemon sends stored events at once, so this limit is short, in milliseconds. */
const eventsMs = 1_000;

/**
 * Whether the kernel killed a process for memory in a container that has ended. The daemon reports this until
 * it has removed the container, and then among its last events. False where the daemon cannot report it.
 */
export async function lackedMemory(daemon: Daemon, id: string): Promise<boolean> {
  const notThere = 404;
  try {
    for (let look = 0; look < looks; look += 1) {
      const { State } = await daemon.ask('tell how a container ended', (docker, abortSignal) =>
        docker.getContainer(id).inspect({ abortSignal }),
      );
      if (!State.Running) return State.OOMKilled;
      await sleep(20);
    }
    return false;
  } catch (thrown) {
    return statusOf(thrown) === notThere && (await isAmongEvents(daemon, id).catch(() => false));
  }
}

async function isAmongEvents(daemon: Daemon, id: string): Promise<boolean> {
  const ever = 1; // a second of 1970, so all stored events
  const done = new AbortController();
  try {
    const asked = { since: ever, filters: { container: [id], event: ['oom'] } };
    const events = await daemon.ask('list its events', (docker, signal) =>
      docker.getEvents({ ...asked, abortSignal: AbortSignal.any([signal, done.signal]) }),
    );
    events.on('error', () => undefined); // such as the end of our own listening
    return await Promise.race([once(events, 'data').then(() => true), sleep(eventsMs).then(() => false)]);
  } finally {
    done.abort();
  }
}

/** The exit code of a killed program, in the convention of shells. */
export const killedCode = 137;

/**
 * Returns the result of the work on a container. Returns the other value where the container has ended
 * because memory ran out. That is the program's doing and no fault of the sandbox.
 */
export function unlessStarved<T>(
  cell: { readonly isStarved: boolean },
  work: Promise<T>,
  other: T,
): Promise<T> {
  return work.catch((thrown: unknown) => {
    if (cell.isStarved) return other;
    throw thrown;
  });
}
