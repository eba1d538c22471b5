import { readFileSync } from 'node:fs';

/** What may wait in a socket of this kind of machine: the kernel's own setting, which programs cannot raise. */
const ordinaryBytes = 212_992;
/** A datagram socket takes from others too, of which each may have filled its own and be gone: the kernel lets 11 wait. */
const waitingDatagrams = 11;

/** Types of sockets as `/proc/net/unix` tells them. */
const datagram = '0002';

/**
 * Memory of the kernel that the sockets of a process's network namespace may hold, in bytes. The kernel tells how many there are and not what
 * waits in them, so that each counts as full.
 */
export function socketBytes(pid: number): number {
  try {
    const [, ...lines] = readFileSync(`/proc/${pid}/net/unix`, 'utf8').trimEnd().split('\n');
    const types = lines.map((line) => line.split(' ')[4]);
    return types.reduce(
      (sum, type) => sum + (type === datagram ? 1 + waitingDatagrams : 1) * bufferBytes(),
      0,
    );
  } catch {
    return 0; // it has ended meanwhile
  }
}

let known: number | undefined;

function bufferBytes(): number {
  known ??= readBufferBytes();
  return known;
}

function readBufferBytes(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/wmem_default', 'utf8'));
  } catch {
    return ordinaryBytes; // within containers the setting may not be shown
  }
}
