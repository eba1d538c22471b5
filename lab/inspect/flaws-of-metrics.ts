import { open } from 'node:fs/promises';
import { codeOf } from '../../envs/core/errors.ts';
import type { MetricsLine } from '../../trainers/run/metrics-schema.ts';
import type { runPaths } from '../../trainers/run/open-run.ts';
import { findStrayLine } from './order-of-metrics.ts';

/** What the lines of a run's metrics and their last byte show to be lost. `readRun` finds what differs from the checkpoint. */
export async function flawsOfMetrics(
  { metrics }: Pick<ReturnType<typeof runPaths>, 'metrics'>,
  lines: readonly MetricsLine[],
): Promise<readonly string[]> {
  const stray = findStrayLine(lines);
  return [
    ...(stray === undefined
      ? []
      : [
          `${metrics} ${stray}: lines were lost or doubled. npx cairn-gym train --resume tells how to go on.`,
        ]),
    ...(await tornEnd(metrics)),
  ];
}

const lineFeed = 10;

async function tornEnd(path: string): Promise<readonly string[]> {
  const last = await lastByteOf(path);
  if (last === undefined || last === lineFeed) return [];
  return [
    `${path} ends in the midst of a line, which is left out: its run is writing it, or was killed there. npx cairn-gym train --resume cuts it off.`,
  ];
}

/** Undefined where there is none. */
async function lastByteOf(path: string): Promise<number | undefined> {
  try {
    await using file = await open(path, 'r');
    const { size } = await file.stat();
    if (size === 0) return undefined;
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
