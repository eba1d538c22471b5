import { sleep, withinMs } from '../../envs/core/waiting.ts';
import type { Cell, Launched } from './cell.ts';
import { failed } from '../faults.ts';
import { killedCode, unlessStarved } from './memory-lack.ts';
import { FrameReader } from './frames.ts';
import type { DockerSettings } from './options.ts';

/** Between looks at a program that still holds its streams, or has let go of them and runs on. */
const lookMs = 50;
/** What was printed comes within this after all who could print are gone. */
const drainMs = 5_000;

/** A program in a cell. */
export interface Program {
  /** Its exit code, as soon as it has ended itself; rejects when that cannot be told any more. */
  readonly ended: Promise<number>;
  /** Resolves when all that was printed has been heard; awaited when nothing runs any more. */
  readonly drained: () => Promise<void>;
  /** Leaves unread what it prints, so that it has to wait, until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Gives it bytes on stdin. */
  readonly write: (bytes: Uint8Array | string) => void;
  readonly closeStdin: () => void;
  /** Lets go of it, dead or alive. */
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
      .on('close', resolve); // what became of the program, the daemon tells
  });
  stream.on('data', (chunk: Buffer) => frames.push(chunk));
  let released = false;
  const ended = unlessStarved(
    cell,
    Promise.race([exitCodeOf(launched, closed, () => released), cell.gone]),
    killedCode,
  );
  ended.catch(() => undefined); // whoever waits for it hears of it
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

/** Its exit code. @throws FaultError where the daemon does not tell it in time */
export function endOf({ ended }: Program, { answerMs }: Pick<DockerSettings, 'answerMs'>): Promise<number> {
  return withinMs(answerMs, ended, () =>
    failed('exec', `the daemon did not tell within ${answerMs / 1000} s what became of a program`),
  );
}

/** Children may hold the streams of a program that has ended, and a program may run on without its streams. */
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
