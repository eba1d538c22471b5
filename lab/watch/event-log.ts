import { constants } from 'node:fs';
import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../envs/core/errors.ts';
import { flattenConfig } from './hyper-parameters.ts';
import type { RecordedMetrics } from '../../trainers/loop/progress.ts';
import { metricsLineSchema } from '../../trainers/run/metrics-schema.ts';
import { newestCheckpoint } from '../../trainers/run/checkpoint-store.ts';
import { runPaths } from '../../trainers/run/open-run.ts';
import { readStartedJsonl } from '../../files/read-jsonl.ts';
import { nameWriteError } from '../../files/free-space.ts';
import {
  encodeFileHead,
  encodeRestart,
  encodeRunEnd,
  encodeRunStart,
  encodeScalar,
  encodeText,
} from '../export/event-file.ts';
import { lineScalars, stepOf } from '../export/scalars.ts';

/** Options of {@link openEventLog}. */
export interface EventLogOptions {
  /** The training config, written as text and as hyperparameters. */
  readonly config: unknown;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
  /** Called once if the file cannot be written. The training goes on, and nothing more is written. */
  readonly onFailure: (error: unknown) => void;
}

/** A file of TensorBoard that grows while a run trains. */
export interface EventLog {
  /** Writes the numbers of a line. Give it to `startTraining` as `onMetrics`. Returns at once. */
  readonly record: (recorded: RecordedMetrics) => void;
  /**
   * Waits for all writes and closes the file.
   * @param outcome `interrupted` leaves the run open in TensorBoard's table, since it can be resumed
   */
  readonly close: (outcome: 'finished' | 'failed' | 'interrupted') => Promise<void>;
}

/** Whether a run folder has files of TensorBoard, so that a resumption goes on writing them. */
export const hasEventLog = async (folder: string): Promise<boolean> =>
  (await readdir(folder).catch(() => [])).some((name) => name.includes('tfevents'));

/**
 * Writes event files of TensorBoard into a run folder while it trains: the metrics with real wall times, the config as text, and its
 * values as hyperparameters. `tensorboard --logdir runs` shows each run under the name of its folder.
 *
 * The file is created with the first line, so that a folder that is refused stays as it was. A resumed run starts a new file that drops,
 * in TensorBoard's view, what earlier files have of work that is repeated.
 */
export async function openEventLog(folder: string, options: EventLogOptions): Promise<EventLog> {
  const firstNewStep = await stepAfterCheckpoint(folder);
  return new GrowingEventFile(folder, options, firstNewStep);
}

/** The first step that a resumption writes again; 0 for a run that starts. */
async function stepAfterCheckpoint(folder: string): Promise<number> {
  const { checkpoints, metrics } = runPaths(folder);
  const newest = await newestCheckpoint(checkpoints);
  if (newest === undefined) return 0;
  const kept = await readStartedJsonl(metrics, metricsLineSchema, { end: newest.manifest.logs.metrics });
  return kept.lines.reduce((last, line) => Math.max(last, stepOf(line)), -1) + 1;
}

class GrowingEventFile implements EventLog {
  readonly #folder: string;
  readonly #options: EventLogOptions;
  readonly #firstNewStep: number;
  #handle: FileHandle | undefined;
  #last: Promise<void> = Promise.resolve();
  #failed = false;

  constructor(folder: string, options: EventLogOptions, firstNewStep: number) {
    this.#folder = folder;
    this.#options = options;
    this.#firstNewStep = firstNewStep;
  }

  readonly record = ({ line, timing }: RecordedMetrics): void => {
    const wallTime = this.#seconds();
    this.#append(wallTime, () => lineScalars(line, timing, wallTime).map(encodeScalar));
  };

  readonly close = async (outcome: 'finished' | 'failed' | 'interrupted'): Promise<void> => {
    await this.#last;
    const wallTime = this.#seconds();
    if (outcome !== 'interrupted' && this.#handle !== undefined)
      this.#append(wallTime, () => [encodeRunEnd(outcome === 'finished', wallTime)]);
    await this.#last;
    await this.#handle?.close();
    this.#handle = undefined;
  };

  #seconds(): number {
    return this.#options.wallClock() / 1000;
  }

  #append(wallTime: number, encode: () => readonly Uint8Array[]): void {
    this.#last = this.#last.then(async () => {
      if (this.#failed) return;
      try {
        this.#handle ??= await this.#begin(wallTime);
        await this.#handle.appendFile(Buffer.concat(encode()));
      } catch (error) {
        this.#failed = true;
        this.#options.onFailure(nameWriteError(error, this.#folder));
      }
    });
  }

  async #begin(wallTime: number): Promise<FileHandle> {
    const handle = await createEventFile(this.#folder, wallTime);
    const text = `\`\`\`json\n${JSON.stringify(this.#options.config, undefined, 2)}\n\`\`\``;
    await handle.appendFile(
      Buffer.concat([
        encodeFileHead(wallTime),
        ...((await isFirst(this.#folder)) ? [] : [encodeRestart({ step: this.#firstNewStep, wallTime })]),
        encodeText({ tag: 'config', text, wallTime }),
        encodeRunStart(flattenConfig(this.#options.config), wallTime),
      ]),
    );
    return handle;
  }
}

const isFirst = async (folder: string): Promise<boolean> =>
  (await readdir(folder)).filter((name) => name.includes('tfevents')).length === 1;

/** Named by the second, which is how TensorBoard orders files. Another file of the same second gets the next number. */
async function createEventFile(folder: string, wallTime: number): Promise<FileHandle> {
  const flags = constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;
  for (let second = Math.floor(wallTime); ; second += 1) {
    const name = `events.out.tfevents.${String(second).padStart(10, '0')}.cairn`;
    try {
      return await open(join(folder, name), flags);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
}
