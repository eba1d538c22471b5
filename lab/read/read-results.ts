import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codeOf, UsageError } from '../../envs/core/errors.ts';
import { parseResult } from '../../trainers/results/parse-result.ts';
import type { EvaluationResult } from '../../trainers/results/result.ts';
import { readRecordedResults, sha256 } from '../../trainers/run/final-results.ts';
import type { runPaths } from '../../trainers/run/open-run.ts';

/** The evaluation results that a run folder holds, and what is wrong with them. */
export interface StoredResults {
  /** In the order of their names. */
  readonly results: readonly EvaluationResult[];
  /** Of files that cannot be read, which are left out. */
  readonly leftOut: readonly UsageError[];
  /** Of final results that are gone, or that can be read but are not as the run wrote them. */
  readonly notAsWritten: readonly UsageError[];
}

export async function readResults(
  paths: Pick<ReturnType<typeof runPaths>, 'results' | 'checkpoints'>,
): Promise<StoredResults> {
  const fileOf = (name: string): string => join(paths.results, `${name}.json`);
  const recorded = await readRecordedResults(paths.checkpoints);
  const names = await namesIn(paths.results);
  const read = await Promise.all(names.map(async (name) => readOne(fileOf(name), recorded.get(name))));
  const gone = [...recorded.keys()].filter((name) => !names.includes(name));
  return {
    results: read.flatMap(({ result }) => result ?? []),
    leftOut: read.flatMap(({ unreadable }) => unreadable ?? []),
    notAsWritten: [
      ...read.flatMap(({ changed }) => changed ?? []),
      ...gone.map((name) => isGone(fileOf(name))),
    ],
  };
}

interface ReadResult {
  readonly result?: EvaluationResult;
  readonly unreadable?: UsageError;
  readonly changed?: UsageError;
}

/** @param digest of the file as the run wrote it; undefined where it is no final result */
async function readOne(file: string, digest: string | undefined): Promise<ReadResult> {
  const content = await readFile(file);
  try {
    const result = parseResult(parseJson(content.toString(), file), file);
    return digest === undefined || digest === sha256(content)
      ? { result }
      : { result, changed: wasChanged(file) };
  } catch (error) {
    if (!UsageError.is(error)) throw error;
    const { where, what } = error.parts;
    return {
      unreadable: new UsageError(
        {
          where,
          what,
          fix: 'It is left out: bring it back from a copy, or delete it; npx cairn-gym train --resume plays a final result again.',
        },
        { cause: error },
      ),
    };
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  });
  return entries
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .map((name) => basename(name, '.json'))
    .toSorted();
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      { where, what: 'it is not JSON.', fix: 'Delete it, or evaluate again.' },
      { cause: error },
    );
  }
}

const wasChanged = (where: string): UsageError =>
  new UsageError({
    where,
    what: 'it was changed since the run wrote it.',
    fix: 'Bring it back from a copy, or let npx cairn-gym train --resume play it again.',
  });

const isGone = (where: string): UsageError =>
  new UsageError({
    where,
    what: 'it is gone, and the run had this result.',
    fix: 'Bring it back from a copy, or let npx cairn-gym train --resume play it again.',
  });
