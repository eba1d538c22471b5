import { open } from 'node:fs/promises';
import { codeOf } from '../../envs/core/errors.ts';
import type { ListedCheckpoint } from '../../trainers/run/checkpoint-store.ts';
import { assertReachesLineEnd } from '../../files/line-end.ts';
import type { MetricsLine } from '../../trainers/run/metrics-schema.ts';
import type { runPaths } from '../../trainers/run/open-run.ts';
import { findStrayLine } from './order-of-metrics.ts';
import { refusalOf } from './refusal.ts';

/** What is lost of a run's metrics and timings, as far as their lines, the last byte and the newest checkpoint tell, behind which both logs are on the disk. */
export async function flawsOfMetrics(
  { metrics, timings }: Pick<ReturnType<typeof runPaths>, 'metrics' | 'timings'>,
  lines: readonly MetricsLine[],
  newest: ListedCheckpoint | undefined,
): Promise<readonly string[]> {
  const stray = findStrayLine(lines);
  const logs = newest?.manifest.logs ?? { metrics: 0, timings: 0 };
  return [
    ...(stray === undefined
      ? await refusalOf(assertReachesLineEnd(metrics, logs.metrics))
      : [`${metrics} ${stray}: lines were lost or doubled. cairn train --resume tells how to go on.`]),
    ...(await refusalOf(assertReachesLineEnd(timings, logs.timings))),
    ...(await tornEnd(metrics)),
  ];
}

const lineFeed = 10;

async function tornEnd(path: string): Promise<readonly string[]> {
  const last = await lastByteOf(path);
  if (last === undefined || last === lineFeed) return [];
  return [
    `${path} ends in the midst of a line, which is left out: its run is writing it, or was killed there. cairn train --resume cuts it off.`,
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
