import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The resources of a process at one moment. A count is -1 if the system does not report it. */
export interface Resources {
  /** Memory of this process, after a collection where `--expose-gc` allows one. */
  readonly residentMiB: number;
  readonly heapMiB: number;
  readonly fileDescriptors: number;
  readonly childProcesses: number;
}

const mebibyte = 2 ** 20;

export function readResources(): Resources {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return {
    residentMiB: Math.round(rss / mebibyte),
    heapMiB: Math.round(heapUsed / mebibyte),
    fileDescriptors: existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : -1,
    childProcesses: countChildren(),
  };
}

function countChildren(): number {
  const file = `/proc/self/task/${process.pid}/children`;
  if (!existsSync(file)) return -1;
  return readFileSync(file, 'utf8')
    .split(' ')
    .filter((pid) => pid.trim() !== '').length;
}
