import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codeOf, UsageError } from '../../envs/core/errors.ts';
import { describePathError } from '../../envs/core/user-file.ts';
import type { EvaluationResult } from '../results/result.ts';
import { partOf, sweepParts, syncFolder, writeFileAtomically } from '../../files/atomic-write.ts';
import { digestConfig, type CheckpointFacts, type CheckpointManifest } from './checkpoint-manifest.ts';
import { removeLaterCheckpoints } from './checkpoint-store.ts';
import { assertEntryName } from '../../files/entry-name.ts';
import { nameWriteError } from '../../files/free-space.ts';
import { makeFolder, removeMade } from '../../files/make-folder.ts';
import { JsonlLog } from '../../files/jsonl-log.ts';
import { acquireLock, isLockFile, type FolderLock } from '../../files/lock.ts';
import { metricsLineSchema, timingsLineSchema } from './metrics-schema.ts';
import {
  configName,
  readRunDocument,
  runDocumentSchema,
  runSchemaNumber,
  type RunDocument,
} from './run-document.ts';
import { removeCheckpoint, sweepCheckpoints, writeCheckpoint } from './write-checkpoint.ts';

/** Where the parts of a run folder are. */
export function runPaths(folder: string) {
  return {
    metrics: join(folder, 'metrics.jsonl'),
    timings: join(folder, 'timings.jsonl'),
    trajectories: join(folder, 'trajectories'),
    checkpoints: join(folder, 'checkpoints'),
    /** Whole evaluation results, one file each. */
    results: join(folder, 'results'),
    report: join(folder, 'report.html'),
  };
}

/**
 * A new run in a folder that is missing or empty. Existing content is refused: nothing is ever overwritten.
 * If the run cannot be set up, nothing of it remains.
 */
export async function createRun(
  folder: string,
  facts: Pick<RunDocument, 'versions' | 'panels' | 'identity' | 'config'>,
): Promise<RunFolder> {
  const document = runDocumentSchema.parse({ format: 'cairn-run', schema: runSchemaNumber, ...facts });
  const made = await makeFolder(folder);
  try {
    const lock = await acquireLock(folder);
    try {
      assertUnused(folder, await readdir(folder));
      return await begin({ folder, made, document, lock });
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    await removeMade(made);
    throw error;
  }
}

/**
 * Refuses a folder in which no run can be started because it is not empty. Changes nothing. @throws
 * UsageError
 */
export async function assertRunCanBegin(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw new UsageError(
      {
        where: folder,
        what: `no run can be started there: ${describePathError(error)}.`,
        fix: 'Use a new or an empty folder.',
      },
      { cause: error },
    );
  });
  assertUnused(folder, names);
}

type Begun = Pick<RunParts, 'folder' | 'made' | 'document' | 'lock'>;

async function begin(begun: Begun): Promise<RunFolder> {
  const { folder, document } = begun;
  try {
    await writeDocument(folder, document);
    const run = await openParts(begun);
    try {
      await run.metrics.flush(); // creates the files
      await run.timings.flush();
      return run;
    } catch (error) {
      await run.closeLogs();
      throw error;
    }
  } catch (error) {
    await removeParts(folder);
    throw error;
  }
}

const writeDocument = (folder: string, document: RunDocument): Promise<void> =>
  writeFileAtomically(join(folder, configName), `${JSON.stringify(document, undefined, 2)}\n`);

async function removeParts(folder: string): Promise<void> {
  for (const part of [join(folder, configName), ...Object.values(runPaths(folder))])
    await rm(part, { recursive: true, force: true });
}

/**
 * Opens an earlier run, locked for this process, and repairs what a killed writer left. The logs still
 * contain lines after the last checkpoint: see {@link RunFolder.rewindTo}.
 *
 * @param update changes the run's record of versions, which is then written
 */
export async function resumeRun(
  folder: string,
  update?: (document: RunDocument) => RunDocument['versions'],
): Promise<RunFolder> {
  await readRunDocument(folder); // refuses a folder that is no run before it is locked
  const lock = await acquireLock(folder);
  try {
    await sweepParts(folder);
    const recorded = await readRunDocument(folder);
    const document = update === undefined ? recorded : { ...recorded, versions: update(recorded) };
    if (document !== recorded) await writeDocument(folder, document);
    return await openParts({ folder, made: [], document, lock });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function openParts(begun: Begun): Promise<RunFolder> {
  const { folder } = begun;
  const paths = runPaths(folder);
  for (const part of [paths.trajectories, paths.checkpoints, paths.results]) {
    await mkdir(part, { recursive: true }).catch((error: unknown) => {
      throw nameWriteError(error, part);
    });
  }
  await sweepCheckpoints(paths.checkpoints);
  await sweepParts(paths.results);
  const metrics = await JsonlLog.open(paths.metrics, metricsLineSchema);
  try {
    const timings = await JsonlLog.open(paths.timings, timingsLineSchema);
    await syncFolder(folder);
    return new RunFolder({ ...begun, metrics, timings });
  } catch (error) {
    await metrics.close();
    throw error;
  }
}

function assertUnused(folder: string, names: readonly string[]): void {
  // What a run left that was killed before it had its config does not count.
  const found = names.filter(
    (name) => !isLockFile(name) && name !== basename(partOf(join(folder, configName))),
  );
  if (found.length === 0) return;
  const isRun = found.includes(configName);
  throw new UsageError({
    where: folder,
    what: isRun
      ? 'it contains a run already.'
      : `it is not empty: it contains ${found.slice(0, 3).join(', ')}${found.length > 3 ? ' and more' : ''}.`,
    fix: isRun ? 'Resume that run, or use another folder.' : 'Use a new or an empty folder.',
  });
}

/** What a caller adds to a checkpoint of the run folder. */
export type RunCheckpointFacts = Pick<
  CheckpointFacts,
  'iteration' | 'seed' | 'counters' | 'states' | 'trajectories'
>;

interface RunParts {
  readonly folder: string;
  /** Folders created for it, including itself, the deepest last. */
  readonly made: readonly string[];
  readonly document: RunDocument;
  readonly lock: FolderLock;
  readonly metrics: JsonlLog<typeof metricsLineSchema>;
  readonly timings: JsonlLog<typeof timingsLineSchema>;
}

/** A run's folder, opened by its only writer. */
export class RunFolder implements AsyncDisposable {
  readonly folder: string;
  readonly paths: ReturnType<typeof runPaths>;
  readonly document: RunDocument;
  /** Of the configuration: what checkpoints are compared by. */
  readonly configDigest: string;
  readonly metrics: RunParts['metrics'];
  readonly timings: RunParts['timings'];
  readonly #lock: FolderLock;
  readonly #made: readonly string[];

  constructor(parts: RunParts) {
    this.folder = parts.folder;
    this.paths = runPaths(parts.folder);
    this.document = parts.document;
    this.configDigest = digestConfig(parts.document.config);
    this.metrics = parts.metrics;
    this.timings = parts.timings;
    this.#lock = parts.lock;
    this.#made = parts.made;
  }

  /**
   * Writes a checkpoint with the ends of both logs, which are flushed first. Flush the trajectory stores
   * before.
   * @param content.bytes approximate size of what `fill` writes, so that a disk without room is refused first
   */
  async saveCheckpoint(
    name: string,
    content: {
      readonly facts: RunCheckpointFacts;
      readonly fill: (folder: string) => Promise<void>;
      readonly bytes?: number;
    },
  ): Promise<CheckpointManifest> {
    await this.metrics.flush();
    await this.timings.flush();
    const panels = Object.entries(this.document.panels).map(
      ([panel, { fingerprint }]) => [panel, fingerprint] as const,
    );
    return writeCheckpoint(this.paths.checkpoints, name, {
      ...content,
      facts: {
        ...content.facts,
        version: this.document.versions['cairn-gym'],
        panels: Object.fromEntries(panels),
        configDigest: this.configDigest,
        logs: { metrics: this.metrics.offset, timings: this.timings.offset },
        logDigests: { metrics: await this.metrics.digest(), timings: await this.timings.digest() },
      },
    });
  }

  /**
   * Returns to a checkpoint, or to the start: later checkpoints are removed and both logs truncated, so that
   * repeated work is not logged twice.
   */
  async rewindTo(
    point: Pick<CheckpointManifest, 'iteration' | 'logs' | 'logDigests'> = {
      iteration: -1,
      logs: { metrics: 0, timings: 0 },
    },
  ): Promise<void> {
    await this.assertReaches(point); // before anything is removed
    await removeLaterCheckpoints(this.paths.checkpoints, point.iteration);
    await this.metrics.truncateTo(point.logs.metrics);
    await this.timings.truncateTo(point.logs.timings);
  }

  /**
   * Verifies that the logs reach a checkpoint's position and are unchanged up to it. Changes nothing.
   * @throws UsageError if they do not, or have changed
   */
  async assertReaches({ logs, logDigests }: Pick<CheckpointManifest, 'logs' | 'logDigests'>): Promise<void> {
    await this.metrics.assertLineEnd(logs.metrics, logDigests?.metrics);
    await this.timings.assertLineEnd(logs.timings, logDigests?.timings);
  }

  /** Removes a checkpoint of that name, if it exists. */
  async removeCheckpoint(name: string): Promise<void> {
    await removeCheckpoint(this.paths.checkpoints, name);
  }

  /**
   * Stores the whole result of an evaluation for the report, and returns the written text. A file of that
   * name is replaced.
   */
  async saveResult(name: string, result: EvaluationResult): Promise<string> {
    assertEntryName('result', name);
    const content = `${JSON.stringify(result)}\n`;
    await writeFileAtomically(join(this.paths.results, `${name}.json`), content);
    return content;
  }

  /**
   * Closes the run. If it has no line and no checkpoint, everything is removed again, so that the folder is
   * as before. Close the trajectory stores first.
   */
  async discardUnlessBegun(): Promise<void> {
    const begun = this.metrics.offset > 0 || (await readdir(this.paths.checkpoints)).length > 0;
    if (!begun) {
      await this.closeLogs();
      await removeParts(this.folder);
    }
    await this.close();
    if (!begun) await removeMade(this.#made);
  }

  /** Flushes and closes both logs; the folder stays locked. */
  async closeLogs(): Promise<void> {
    await this.metrics.close();
    await this.timings.close();
  }

  /** Flushes and closes both logs and unlocks the folder. A second call does nothing. */
  async close(): Promise<void> {
    try {
      await this.closeLogs();
    } finally {
      await this.#lock.release();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
