import type { Hear, Interpreter } from '../conversation/conversation.ts';
import type { Limits } from '../sandbox.ts';
import { endingOfProgram } from './ending.ts';
import { meterOf } from './meter.ts';
import type { RunningProgram } from './running-program.ts';

/** Reports on the files that it writes. */
interface Files {
  /** Measures the bytes of files, where they have to be watched. */
  readonly filesMeter: (limits: Limits) => (() => number) | undefined;
  /**
   * Returns a test: whether, since this call, files have used the last space, or all that the limits allow.
   */
  readonly fullness: (limits: Limits) => () => boolean;
}

export function interpreterIn(program: RunningProgram, { filesMeter, fullness }: Files): Interpreter {
  let heard: Hear | undefined;
  let isFull = (): boolean => false; // of the running call
  const listen = (hear: Hear | undefined): void => {
    heard = hear;
    for (const stream of [program.stdout, program.stderr]) {
      if (hear === undefined) stream.pause();
      else stream.resume();
    }
  };
  for (const stream of ['stdout', 'stderr'] as const)
    program[stream].on('data', (bytes: Buffer) => heard?.(stream, bytes));
  listen(undefined);
  return {
    get live(): boolean {
      return program.live;
    },
    // the kernel does not limit the processor time of an interpreter
    ended: program.ended.then((seen) => endingOfProgram(seen, { cpuMs: Infinity, isFull: () => isFull() })),
    write: (order) => void program.stdin?.write(order),
    listen,
    meter: async (limits) => {
      isFull = fullness(limits);
      return meterOf(program, limits, filesMeter(limits));
    },
    end: () => program.end(),
  };
}
