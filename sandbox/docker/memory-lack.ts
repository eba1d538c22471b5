import { once } from 'node:events';
import { sleep } from '../../envs/core/waiting.ts';
import { statusOf, type Daemon } from './daemon.ts';

/** Tries to see the end of a container written down, 20 ms apart. */
const looks = 50;
/** Events that the daemon keeps come at once. */
const eventsMs = 1_000;

/**
 * Whether the kernel took memory back from a container that has ended by killing in it. The daemon says so as long as it has not removed the
 * container, and then among its last events. False where it cannot tell.
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
  const ever = 1; // a second of 1970: all that it keeps
  const done = new AbortController();
  try {
    const asked = { since: ever, filters: { container: [id], event: ['oom'] } };
    const events = await daemon.ask('list its events', (docker, signal) =>
      docker.getEvents({ ...asked, abortSignal: AbortSignal.any([signal, done.signal]) }),
    );
    events.on('error', () => undefined); // such as that we listen no more
    return await Promise.race([once(events, 'data').then(() => true), sleep(eventsMs).then(() => false)]);
  } finally {
    done.abort();
  }
}

/** What shells tell of a program that was killed. */
export const killedCode = 137;

/** Work on a container; the other where that has ended for want of memory, which is the program's doing and no fault of the sandbox. */
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
