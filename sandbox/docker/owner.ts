import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { threadId } from 'node:worker_threads';

/** Stands on every container and volume of ours; its value says whose it is. */
export const ownerLabel = 'cairn-gym.owner';

/** A process, named so that another one with the same number is not taken for it. */
interface Owner {
  /** The machine's boot and the namespace that its number counts in: elsewhere nothing can be said about it. */
  readonly place: string;
  readonly pid: number;
  readonly startTime: string;
  /** Which of its threads; NaN where the label does not say. */
  readonly thread: number;
}

const openOwners = Symbol.for('cairn-gym.docker.open-owners');

/**
 * What the providers of this thread write on their labels while they are open. It is the thread's, not the module's: a process may have
 * loaded the module twice, from two copies of the package.
 */
const openHere = ((globalThis as { [openOwners]?: Set<string> })[openOwners] ??= new Set());

/** A provider of this process, as its label has it, until it is disowned. */
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

/** From now on what bears the label is left over. */
export const disown = (label: string): void => void openHere.delete(label);

/** Whether nobody will put away any more what bears the label: its process certainly runs no more, or it is this one and the provider is closed. */
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

/** Clock ticks from the boot; undefined for one that has ended. */
function startTimeOf(pid: number): string | undefined {
  const stat = textOf(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses and may hold anything; state is field 3, start time field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

function textOf(readIt: () => string): string | undefined {
  try {
    return readIt();
  } catch {
    return undefined; // ended in between, or no /proc
  }
}
