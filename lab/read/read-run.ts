import { basename, resolve } from 'node:path';
import { UsageError } from '../../envs/core/errors.ts';

import {
  metricsLineSchema,
  timingsLineSchema,
  type MetricsLine,
  type TimingsLine,
} from '../../trainers/run/metrics-schema.ts';
import { newestCheckpoint } from '../../trainers/run/checkpoint-store.ts';
import { runPaths } from '../../trainers/run/open-run.ts';
import { assertReachesLineEnd } from '../../files/line-end.ts';
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
  /** Logs that do not reach to the newest checkpoint, or that were changed before it. */
  readonly damagedLogs: readonly UsageError[];
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
    damagedLogs: await findDamagedLogs(paths),
    ...(await readResults(paths)),
  };
}

/** What is damaged in the run's logs and results, one message each. */
export const damageOf = ({
  damagedLogs,
  leftOut,
  notAsWritten,
}: Pick<RunContent, 'damagedLogs' | 'leftOut' | 'notAsWritten'>): readonly string[] =>
  [...damagedLogs, ...leftOut, ...notAsWritten].map(({ message }) => message);

async function findDamagedLogs(paths: ReturnType<typeof runPaths>): Promise<readonly UsageError[]> {
  const newest = await newestCheckpoint(paths.checkpoints).catch((error: unknown) => {
    if (UsageError.is(error)) return undefined; // who reads checkpoints reports it
    throw error;
  });
  if (newest === undefined) return [];
  const { logs, logDigests } = newest.manifest;
  const found = await Promise.all(
    (['metrics', 'timings'] as const).map((log) =>
      assertReachesLineEnd(paths[log], logs[log], logDigests?.[log]).then(
        () => undefined,
        (error: unknown) => {
          if (UsageError.is(error)) return error;
          throw error;
        },
      ),
    ),
  );
  return found.filter((error) => error !== undefined);
}
