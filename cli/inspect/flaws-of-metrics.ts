import { open } from 'node:fs/promises';
import { codeOf } from '../../envs/core/errors.ts';
import type { ListedCheckpoint } from '../../trainers/run-folder/checkpoint-store.ts';
import type { MetricsLine } from '../../trainers/run-folder/metrics-schema.ts';

const mend = 'cairn train --resume tells how to go on.';

/** What is lost of a run's metrics, as far as they, their last byte and the newest checkpoint tell. */
export async function flawsOfMetrics(path: string, lines: readonly MetricsLine[], newest: ListedCheckpoint | undefined): Promise<readonly string[]> {
  const iterations = lines.flatMap((line) => (line.kind === 'iteration' ? [line.iteration] : []));
  const end = await lastByteOf(path);
  return [...flawsOfOrder(path, iterations), ...missingLines(path, iterations.at(-1) ?? 0, { newest, isThere: end !== 'missing' }), ...tornEnd(path, end)];
}

/** Iterations are written one after the other, from the first. */
function flawsOfOrder(path: string, iterations: readonly number[]): readonly string[] {
  const at = iterations.findIndex((iteration, index) => iteration !== (iterations[index - 1] ?? 0) + 1);
  if (at < 0) return [];
  const [before, iteration] = [iterations[at - 1], iterations[at]];
  return [`${path} has iteration ${iteration} ${before === undefined ? 'first' : `after iteration ${before}`}: lines were lost or doubled. ${mend}`];
}

/** Metrics are on the disk before a checkpoint is: where they are behind it, lines were lost. */
function missingLines(path: string, recorded: number, of: { readonly newest: ListedCheckpoint | undefined; readonly isThere: boolean }): readonly string[] {
  const { newest, isThere } = of;
  if (newest === undefined || newest.manifest.iteration <= recorded) return [];
  const says = isThere ? `ends with iteration ${recorded}` : 'is gone';
  return [`${path} ${says}, and there is a checkpoint of iteration ${newest.manifest.iteration}: lines of it are gone. ${mend}`];
}

const tornEnd = (path: string, end: number | 'missing' | 'empty'): readonly string[] =>
  end === 'missing' || end === 'empty' || end === lineFeed
    ? []
    : [`${path} ends in the midst of a line, which is left out: its run is writing it, or was killed there. cairn train --resume cuts it off.`];

const lineFeed = 10;

async function lastByteOf(path: string): Promise<number | 'missing' | 'empty'> {
  try {
    await using file = await open(path, 'r');
    const { size } = await file.stat();
    if (size === 0) return 'empty';
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    return buffer[0] ?? 'empty';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'missing';
    throw error;
  }
}
