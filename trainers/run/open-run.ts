import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codeOf, messageOf, UsageError } from '../../envs/core/errors.ts';
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
 * A new run in a folder that is missing or empty. Anything there already is refused: nothing is ever written over. Where it cannot
 * be begun, nothing of it is left.
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

/** Refuses, with a `UsageError`, a folder in which no run can be begun because something is there; it changes nothing. */
export async function assertRunCanBegin(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw new UsageError(
      {
        where: folder,
        what: `no run can be begun there (${messageOf(error)}).`,
        fix: 'Choose a new or an empty folder.',
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
    await writeFileAtomically(join(folder, configName), `${JSON.stringify(document, undefined, 2)}\n`);
    const run = await openParts(begun);
    try {
      await run.metrics.flush(); // makes the files
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

async function removeParts(folder: string): Promise<void> {
  for (const part of [join(folder, configName), ...Object.values(runPaths(folder))])
    await rm(part, { recursive: true, force: true });
}

/**
 * A run that was begun before, locked for this process. What a killed writer left half done is put in order. Logs still hold
 * what came after the last checkpoint: see {@link RunFolder.rewindTo}.
 */
export async function resumeRun(folder: string): Promise<RunFolder> {
  const document = await readRunDocument(folder);
  const lock = await acquireLock(folder);
  try {
    await sweepParts(folder);
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
  // A run that was killed before it had its config is no run: what it left is in nobody's way.
  const found = names.filter(
    (name) => !isLockFile(name) && name !== basename(partOf(join(folder, configName))),
  );
  if (found.length === 0) return;
  const isRun = found.includes(configName);
  throw new UsageError({
    where: folder,
    what: isRun
      ? 'it holds a run already.'
      : `it is not empty: it holds ${found.slice(0, 3).join(', ')}${found.length > 3 ? ' and more' : ''}.`,
    fix: isRun ? 'Resume that run, or choose another folder.' : 'Choose a new or an empty folder.',
  });
}

/** What a caller knows at a checkpoint beyond what the run folder knows itself. */
export type RunCheckpointFacts = Pick<
  CheckpointFacts,
  'iteration' | 'seed' | 'counters' | 'states' | 'trajectories'
>;

interface RunParts {
  readonly folder: string;
  /** Folders that were made for it, itself among them, the deepest last. */
  readonly made: readonly string[];
  readonly document: RunDocument;
  readonly lock: FolderLock;
  readonly metrics: JsonlLog<typeof metricsLineSchema>;
  readonly timings: JsonlLog<typeof timingsLineSchema>;
}

/** A run's folder, open for its one writer. */
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
   * Writes a checkpoint with the ends of both logs, which are on the disk before it is. Flush the trajectory stores first.
   * @param content.bytes about how much `fill` will write, so that a disk too small is refused before it starts
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
   * Goes back to a checkpoint, or to the start when there is none: later checkpoints go and both logs are cut, so that what is
   * run again is not written twice.
   */
  async rewindTo(
    point: Pick<CheckpointManifest, 'iteration' | 'logs' | 'logDigests'> = {
      iteration: -1,
      logs: { metrics: 0, timings: 0 },
    },
  ): Promise<void> {
    await this.assertReaches(point); // before anything goes
    await removeLaterCheckpoints(this.paths.checkpoints, point.iteration);
    await this.metrics.truncateTo(point.logs.metrics);
    await this.timings.truncateTo(point.logs.timings);
  }

  /** Refuses, with a `UsageError`, a checkpoint to whose place the logs do not reach, or up to which they were changed. Changes nothing. */
  async assertReaches({ logs, logDigests }: Pick<CheckpointManifest, 'logs' | 'logDigests'>): Promise<void> {
    await this.metrics.assertLineEnd(logs.metrics, logDigests?.metrics);
    await this.timings.assertLineEnd(logs.timings, logDigests?.timings);
  }

  /** Removes a checkpoint, if there is one of that name. */
  async removeCheckpoint(name: string): Promise<void> {
    await removeCheckpoint(this.paths.checkpoints, name);
  }

  /** Keeps the whole result of an evaluation, for the report, and returns what was written. A file of that name is replaced. */
  async saveResult(name: string, result: EvaluationResult): Promise<string> {
    assertEntryName('result', name);
    const content = `${JSON.stringify(result)}\n`;
    await writeFileAtomically(join(this.paths.results, `${name}.json`), content);
    return content;
  }

  /**
   * Closes the run and, where it holds no line and no checkpoint, takes all of it away again, so that its folder is as it was before
   * the run was created. Close the trajectory stores first.
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

  /** Flushes and closes both logs and gives the folder back. A second call does nothing. */
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
