import { basename, resolve } from 'node:path';

import {
  metricsLineSchema,
  timingsLineSchema,
  type MetricsLine,
  type TimingsLine,
} from '../../trainers/run/metrics-schema.ts';
import { runPaths } from '../../trainers/run/open-run.ts';
import { readStartedJsonl } from '../../files/read-jsonl.ts';
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
    metrics: (await readStartedJsonl(paths.metrics, metricsLineSchema)).lines,
    timings: (await readStartedJsonl(paths.timings, timingsLineSchema)).lines,
    ...(await readResults(paths)),
  };
}
