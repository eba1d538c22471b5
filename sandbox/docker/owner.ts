import { readFileSync, readlinkSync } from 'node:fs';

/** Stands on every container and volume of ours; its value says whose it is. */
export const ownerLabel = 'cairn-gym.owner';

/** A process, named so that another one with the same number is not taken for it. */
interface Owner {
  /** The machine's boot and the namespace that its number counts in: elsewhere nothing can be said about it. */
  readonly place: string;
  readonly pid: number;
  readonly startTime: string;
}

/** This process, as the label has it. */
export const ownOwner = (): string => {
  const { place, pid, startTime } = { place: ownPlace(), pid: process.pid, startTime: startTimeOf(process.pid) ?? 'unknown' };
  return [place, pid, startTime].join(' ');
};

/** Whether the process that a label names certainly runs no more. */
export function isDead(label: string): boolean {
  const owner = read(label);
  if (owner === undefined || owner.place !== ownPlace()) return false;
  return startTimeOf(owner.pid) !== owner.startTime;
}

function read(label: string): Owner | undefined {
  const [place, pid, startTime] = label.split(' ');
  if (place === undefined || startTime === undefined || !/^\d+$/.test(pid ?? '')) return undefined;
  return { place, pid: Number(pid), startTime };
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
