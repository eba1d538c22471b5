import type { Hear, Interpreter } from '../conversation/conversation.ts';
import type { Limits } from '../sandbox.ts';
import { endingOfProgram } from './ending.ts';
import { meterOf } from './meter.ts';
import type { RunningProgram } from './running-program.ts';

/** What is known of the files that it writes. */
interface Files {
  /** Tells what they take now, where that has to be looked at. */
  readonly filesMeter: (limits: Limits) => (() => number) | undefined;
  /** Tells whether they have taken the last room, or all that the limits let them, from now on. */
  readonly fullness: (limits: Limits) => () => boolean;
}

export function interpreterIn(program: RunningProgram, { filesMeter, fullness }: Files): Interpreter {
  let heard: Hear | undefined;
  let isFull = (): boolean => false; // of the call that runs
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
    ended: program.ended.then((seen) => endingOfProgram(seen, { cpuMs: Infinity, isFull: () => isFull() })), // the kernel holds no interpreter to a limit on processor time
    write: (order) => void program.stdin?.write(order),
    listen,
    meter: async (limits) => {
      isFull = fullness(limits);
      return meterOf(program, limits, filesMeter(limits));
    },
    end: () => program.end(),
  };
}
