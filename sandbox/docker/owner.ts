import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { threadId } from 'node:worker_threads';

/** The label of all our containers and volumes. Its value identifies the owner. */
export const ownerLabel = 'cairn-gym.owner';

/** A process, identified so that another process with the same id is not confused with it. */
interface Owner {
  /** The machine's boot and the pid namespace. Nothing is known about a process of another place. */
  readonly place: string;
  readonly pid: number;
  readonly startTime: string;
  /** The thread of the process; NaN where the label does not name it. */
  readonly thread: number;
}

const openOwners = Symbol.for('cairn-gym.docker.open-owners');

/**
 * The labels of this thread's open providers. They belong to the thread, not to the module, because a process
 * may have loaded the module twice, from two copies of the package.
 */
const openHere = ((globalThis as { [openOwners]?: Set<string> })[openOwners] ??= new Set());

/** Registers a provider of this process and returns its label. It counts as open until it is disowned. */
export function own(): string {
  const { place, pid, startTime } = {
    place: ownPlace(),
    pid: process.pid,
    startTime: startTimeOf(process.pid) ?? 'unknown',
  };
  const label = [place, pid, startTime, threadId, randomBytes(8).toString('hex')].join(' ');
  openHere.add(label);
  return label;
}

/** Marks everything with the label as left over. */
export const disown = (label: string): void => void openHere.delete(label);

/**
 * Whether nobody will remove what bears the label: its process no longer runs, or it is this process and the
 * provider is closed.
 */
export function isLeft(label: string): boolean {
  const owner = read(label);
  if (owner === undefined || owner.place !== ownPlace()) return false;
  if (startTimeOf(owner.pid) !== owner.startTime) return true;
  return owner.pid === process.pid && owner.thread === threadId && !openHere.has(label);
}

function read(label: string): Owner | undefined {
  const [place, pid, startTime, thread] = label.split(' ');
  if (place === undefined || startTime === undefined || !/^\d+$/.test(pid ?? '')) return undefined;
  return { place, pid: Number(pid), startTime, thread: Number(thread) };
}

function ownPlace(): string {
  const boot = textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
  const namespace = textOf(() => readlinkSync('/proc/self/ns/pid'));
  return boot === undefined || namespace === undefined ? 'unknown' : `${boot}/${namespace}`;
}

/** The start time in clock ticks since the boot; undefined for a process that has ended. */
function startTimeOf(pid: number): string | undefined {
  const stat = textOf(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses and may contain anything; state is field 3, start
  // time is field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function textOf(readIt: () => string): string | undefined {
  try {
    return readIt();
  } catch {
    return undefined; // it ended in between, or there is no /proc
  }
}
