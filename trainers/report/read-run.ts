import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { z } from 'zod';
import { codeOf, UsageError } from '../../envs/core/errors.ts';
import { parseResult } from '../evaluate/parse-result.ts';
import type { EvaluationResult } from '../evaluate/result.ts';
import { metricsLineSchema, timingsLineSchema, type MetricsLine, type TimingsLine } from '../run-folder/metrics-schema.ts';
import { runPaths } from '../run-folder/open-run.ts';
import { readJsonl } from '../run-folder/read-jsonl.ts';
import { readRunDocument, type RunDocument } from '../run-folder/run-document.ts';

/** All that a report is made of. */
export interface RunContent {
  /** What the run is called: the last part of its folder. */
  readonly name: string;
  readonly document: RunDocument;
  readonly metrics: readonly MetricsLine[];
  readonly timings: readonly TimingsLine[];
  readonly results: readonly EvaluationResult[];
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
    results: await readResults(paths.results),
  };
}

async function linesOf<Schema extends z.ZodType>(path: string, schema: Schema): Promise<readonly z.output<Schema>[]> {
  try {
    return (await readJsonl(path, schema)).lines;
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function readResults(folder: string): Promise<readonly EvaluationResult[]> {
  const entries = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const names = entries.filter((name) => name.endsWith('.json') && !name.startsWith('.')).map((name) => basename(name, '.json'));
  const files = names.toSorted().map((name) => join(folder, `${name}.json`));
  return Promise.all(files.map(async (file) => parseResult(parseJson(await readFile(file, 'utf8'), file), file)));
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError({ where, what: 'it is not JSON.', mend: 'Delete it, or evaluate again.' }, { cause: error });
  }
}

const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';
