import { basename, resolve } from 'node:path';
import type { z } from 'zod';
import { codeOf } from '../../envs/core/errors.ts';
import {
  metricsLineSchema,
  timingsLineSchema,
  type MetricsLine,
  type TimingsLine,
} from '../../trainers/run/metrics-schema.ts';
import { runPaths } from '../../trainers/run/open-run.ts';
import { readJsonl } from '../../files/read-jsonl.ts';
import { readRunDocument, type RunDocument } from '../../trainers/run/run-document.ts';
import { readResults, type StoredResults } from './read-results.ts';

/** All that a report is made of. */
export interface RunContent extends StoredResults {
  /** What the run is called: the last part of its folder. */
  readonly name: string;
  readonly document: RunDocument;
  readonly metrics: readonly MetricsLine[];
  readonly timings: readonly TimingsLine[];
}

/** Reads what a report or an export needs. Logs that are not there yet count as empty. */
export async function readRun(folder: string): Promise<RunContent> {
  const document = await readRunDocument(folder);
  const paths = runPaths(folder);
  return {
    name: basename(resolve(folder)),
    document,
    metrics: await linesOf(paths.metrics, metricsLineSchema),
    timings: await linesOf(paths.timings, timingsLineSchema),
    ...(await readResults(paths)),
  };
}

async function linesOf<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<readonly z.output<Schema>[]> {
  try {
    return (await readJsonl(path, schema)).lines;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
