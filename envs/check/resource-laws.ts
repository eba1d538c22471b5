import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { replay, type Recording } from './play.ts';
import type { Subject } from './subject.ts';
import { sleep } from '../core/waiting.ts';

type Census = ReadonlyMap<string, number>;

/** Milliseconds between two counts. */
const pause = 20;

/**
 * Opens, plays and closes once more, and compares what the process holds before and after. Earlier use has
 * already created everything that is created once, so growth is a leak.
 */
export async function checkResources(subject: Subject, recordings: readonly Recording[]): Promise<void> {
  const { timers, plan } = subject;
  const before = await settle(
    plan.graceMs,
    (now, last) => last !== undefined && excess(now, last).length === 0,
  );
  timers.start();
  try {
    await useOnce(subject, recordings);
    timers.close();
    const after = await settle(
      plan.graceMs,
      (now, last) =>
        last !== undefined && excess(now, before).length === 0 && timers.left === 0 && !timers.isWaiting,
    );
    subject.report.checked('resources');
    for (const [name, count] of [...excess(after, before), ['timer', timers.left] as const]) {
      if (count > 0) reportLeak(subject, `${count} more: ${name}`);
    }
  } finally {
    timers.stop();
  }
}

function reportLeak({ report, plan }: Subject, what: string): void {
  report.found({
    law: 'resources',
    where: { call: 'close' },
    what: `${plan.graceMs} ms after everything was closed, the process still has ${what}.`,
    fix: 'In close, clear timers, end child processes and close sockets and files, and wait until this is done.',
  });
}

async function useOnce(subject: Subject, recordings: readonly Recording[]): Promise<void> {
  const run = subject.run('resources');
  const host = await subject.open(run);
  for (const recording of recordings.slice(0, 4)) {
    const env = await subject.create(host, run);
    await replay(subject, { env, run }, recording, (_, step) => step + 1 < recording.moves.length);
    await subject.close(env, run); // in mid-episode, as when a run is interrupted
  }
  await subject.close(host, run);
}

/**
 * Counts until `done` or until the time is over, and returns the last count. Work that was started and not
 * awaited shows at the second count at the earliest.
 */
async function settle(ms: number, done: (now: Census, last: Census | undefined) => boolean): Promise<Census> {
  let last: Census | undefined;
  for (let waited = 0; ; waited += pause) {
    // Node counts timers that have run until the end of their turn, so a timer that restarts itself would
    // count twice
    await nextTurn();
    const now = takeCensus();
    if (done(now, last) || waited >= ms) return now;
    last = now;
    await sleep(pause);
  }
}

function takeCensus(): Census {
  const census = new Map<string, number>();
  const count = (name: string): void => void census.set(name, (census.get(name) ?? 0) + 1);
  const children = countChildren();
  // timers are watched one by one
  const known = children === undefined ? ['Timeout'] : ['Timeout', 'ProcessWrap'];
  for (const kind of process.getActiveResourcesInfo()) if (!known.includes(kind)) count(kind);
  if (children !== undefined) census.set('child process', children);
  for (const target of openFiles()) count(`open file ${target}`);
  return census;
}

/**
 * The number of child processes, including those that do not keep this process alive. Undefined on systems
 * that do not report it.
 */
function countChildren(): number | undefined {
  const childrenOf = (thread: string): number =>
    readFileSync(`${thread}/children`, 'utf8')
      .split(' ')
      .filter((id) => id !== '').length;
  try {
    // a thread may end meanwhile; `/proc/thread-self` shows whether the system reports children at all
    childrenOf('/proc/thread-self');
    return readdirSync('/proc/self/task').reduce((sum, thread) => {
      try {
        return sum + childrenOf(`/proc/self/task/${thread}`);
      } catch {
        return sum;
      }
    }, 0);
  } catch {
    return undefined;
  }
}

/** The targets of the open file descriptors, on systems that report them. */
function openFiles(): readonly string[] {
  const folder = '/proc/self/fd';
  try {
    return readdirSync(folder).flatMap((descriptor) => {
      try {
        // sockets are not distinguished
        return [readlinkSync(`${folder}/${descriptor}`).replace(/\[\d+\]$/, '')];
      } catch {
        return []; // the descriptor of this very listing is closed again
      }
    });
  } catch {
    return [];
  }
}

const excess = (now: Census, before: Census): readonly (readonly [string, number])[] =>
  [...now]
    .map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
    .filter(([, more]) => more > 0);
