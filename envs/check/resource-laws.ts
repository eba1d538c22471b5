import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { replay, type Recording } from './play.ts';
import type { Subject } from './subject.ts';
import { sleep } from '../core/waiting.ts';

type Census = ReadonlyMap<string, number>;

/** Milliseconds between two looks. */
const pause = 20;

/**
 * Opens, plays and closes once more, and looks at what the process holds before and after. Earlier use has made whatever is
 * made only once, so that what has grown is a leak.
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
    what: `${plan.graceMs} ms after everything was closed the process holds ${what}.`,
    fix: 'Clear timers, end child processes and close sockets and files in close, and wait for them.',
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

/** Looks until `done` or until the time is over; returns the last look. What was begun and not waited for shows at the second look at the soonest. */
async function settle(ms: number, done: (now: Census, last: Census | undefined) => boolean): Promise<Census> {
  let last: Census | undefined;
  for (let waited = 0; ; waited += pause) {
    await nextTurn(); // Node tells of timers that have run at the end of their turn: until then one that sets itself anew counts twice
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
  const known = children === undefined ? ['Timeout'] : ['Timeout', 'ProcessWrap']; // timers are watched one by one
  for (const kind of process.getActiveResourcesInfo()) if (!known.includes(kind)) count(kind);
  if (children !== undefined) census.set('child process', children);
  for (const target of openFiles()) count(`open file ${target}`);
  return census;
}

/** Child processes, those too that do not keep this one alive; undefined on systems that do not tell. */
function countChildren(): number | undefined {
  const childrenOf = (thread: string): number =>
    readFileSync(`${thread}/children`, 'utf8')
      .split(' ')
      .filter((id) => id !== '').length;
  try {
    childrenOf('/proc/thread-self'); // threads that end meanwhile are no reason to think that the system does not tell
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

/** Where the open file descriptors lead, on systems that tell. */
function openFiles(): readonly string[] {
  const folder = '/proc/self/fd';
  try {
    return readdirSync(folder).flatMap((descriptor) => {
      try {
        return [readlinkSync(`${folder}/${descriptor}`).replace(/\[\d+\]$/, '')]; // one socket is as good as another
      } catch {
        return []; // the descriptor of this very look is gone again
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
