import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Processes below this one, such as a browser's, and the memory that they have together, shared parts by their share, in MiB. */
export function readProcessesBelow(pid = process.pid): {
  readonly processes: number;
  readonly proportionalMiB: number;
} {
  const all = descendantsOf(pid);
  return {
    processes: all.length,
    proportionalMiB: Math.round(all.reduce((sum, each) => sum + proportionalKiB(each), 0) / 1024),
  };
}

/** Processes that were started by a thread of this one and are still there, such as each browser that was launched. */
export function childrenOf(pid = process.pid): readonly number[] {
  const threads = `/proc/${pid}/task`;
  if (!existsSync(threads)) return [];
  return readdirSync(threads).flatMap((thread) => {
    const file = `${threads}/${thread}/children`;
    return existsSync(file)
      ? readFileSync(file, 'utf8')
          .split(' ')
          .filter((word) => word.trim() !== '')
          .map(Number)
      : [];
  });
}

const descendantsOf = (pid: number): readonly number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

/** 0 for a process that has gone meanwhile. */
function proportionalKiB(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
