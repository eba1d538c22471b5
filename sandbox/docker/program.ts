import { sleep, withinMs } from '../../envs/core/waiting.ts';
import type { Cell, Launched } from './cell.ts';
import { failed } from '../faults.ts';
import { killedCode, unlessStarved } from './memory-lack.ts';
import { FrameReader } from './frames.ts';
import type { DockerSettings } from './options.ts';

/**
 * Milliseconds between looks at a program that still holds its streams, or that has closed them and is still
 * running.
 */
const lookMs = 50;
/** Time limit for the remaining output after all its writers are gone, in milliseconds. */
const drainMs = 5_000;

/** A program in a cell. */
export interface Program {
  /** The exit code, once the program has ended by itself. Rejects when it can no longer be known. */
  readonly ended: Promise<number>;
  /** Resolves when all output has been read. Await it when nothing runs any more. */
  readonly drained: () => Promise<void>;
  /** Stops reading its output, so that it has to wait, until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Writes to its stdin. */
  readonly write: (bytes: Uint8Array | string) => void;
  readonly closeStdin: () => void;
  /** Closes its streams, dead or alive. */
  readonly release: () => void;
}

export async function startProgram(
  cell: Cell,
  words: readonly string[],
  options: {
    readonly stdin: boolean;
    readonly hear: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;
  },
): Promise<Program> {
  const launched = await cell.launch(words, { stdin: options.stdin });
  const { stream } = launched;
  const frames = new FrameReader(options.hear);
  const closed = new Promise<void>((resolve) => {
    stream
      .on('error', () => resolve())
      .on('end', resolve)
      .on('close', resolve); // the daemon reports what became of the program
  });
  stream.on('data', (chunk: Buffer) => frames.push(chunk));
  let released = false;
  const ended = unlessStarved(
    cell,
    Promise.race([exitCodeOf(launched, closed, () => released), cell.gone]),
    killedCode,
  );
  ended.catch(() => undefined); // callers get the rejection
  return {
    ended,
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    drained: () => {
      stream.resume();
      return withinMs(drainMs, closed, () => new Error('late')).catch(() => undefined);
    },
    write: (bytes) => void stream.write(bytes),
    closeStdin: () => void stream.end(),
    release: () => {
      released = true;
      stream.destroy();
    },
  };
}

/**
 * The exit code of a program.
 *
 * @throws FaultError where the daemon does not report it in time
 */
export function endOf({ ended }: Program, { answerMs }: Pick<DockerSettings, 'answerMs'>): Promise<number> {
  return withinMs(answerMs, ended, () =>
    failed('exec', `the daemon did not tell within ${answerMs / 1000} s what became of a program`),
  );
}

/**
 * Polls the exit code. Children may hold the streams of a program that has ended, and a program may run on
 * without its streams.
 */
async function exitCodeOf(
  { exitCode }: Launched,
  closed: Promise<void>,
  isReleased: () => boolean,
): Promise<number> {
  for (let wait = 1; ; wait = Math.min(2 * wait, lookMs)) {
    await Promise.race([closed.then(() => sleep(wait - 1)), sleep(lookMs)]);
    if (isReleased()) throw failed('exec', 'it was let go of before its end was known');
    const code = await exitCode();
    if (code !== undefined) return code;
  }
}
