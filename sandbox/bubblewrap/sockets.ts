import { readFileSync } from 'node:fs';

/** Bytes that may wait in a socket by default. The kernel's setting, which programs cannot raise. */
const ordinaryBytes = 212_992;
/**
 * The number of full buffers that may wait in a datagram socket. Other sockets, which may be closed since,
 * can each have sent one. The kernel allows 11.
 */
const waitingDatagrams = 11;

/** The type of a datagram socket in `/proc/net/unix`. */
const datagram = '0002';

/**
 * The kernel memory that the sockets in a process's network namespace may hold, in bytes. The kernel reports
 * their number but not their content, so each counts as full.
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
    return ordinaryBytes; // a container may hide the setting
  }
}
