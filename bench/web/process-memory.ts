import { existsSync, readFileSync } from 'node:fs';

/** Processes below this one, such as a browser's, and the memory that they have together, shared parts by their share, in MiB. */
export function readProcessesBelow(pid = process.pid): { readonly processes: number; readonly proportionalMiB: number } {
  const all = descendantsOf(pid);
  return { processes: all.length, proportionalMiB: Math.round(all.reduce((sum, each) => sum + proportionalKiB(each), 0) / 1024) };
}

function descendantsOf(pid: number): readonly number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return [];
  const children = readFileSync(file, 'utf8').split(' ').map((word) => word.trim()).filter((word) => word !== '').map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** 0 for a process that has gone meanwhile. */
function proportionalKiB(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
