import type { Hear, Interpreter } from '../conversation/conversation.ts';
import type { Limits } from '../sandbox.ts';
import { endingOfProgram } from './ending.ts';
import { meterOf } from './meter.ts';
import type { RunningProgram } from './running-program.ts';

/** @param filesMeter tells what files take now, where they have to be looked at */
export function interpreterIn(program: RunningProgram, filesMeter: (limits: Limits) => (() => number) | undefined): Interpreter {
  let heard: Hear | undefined;
  const listen = (hear: Hear | undefined): void => {
    heard = hear;
    for (const stream of [program.stdout, program.stderr]) {
      if (hear === undefined) stream.pause();
      else stream.resume();
    }
  };
  for (const stream of ['stdout', 'stderr'] as const) program[stream].on('data', (bytes: Buffer) => heard?.(stream, bytes));
  listen(undefined);
  return {
    get live(): boolean {
      return program.live;
    },
    ended: program.ended.then((seen) => endingOfProgram(seen, Infinity)), // the kernel holds no interpreter to a limit on processor time
    write: (order) => void program.stdin?.write(order),
    listen,
    meter: async (limits) => meterOf(program, limits, filesMeter(limits)),
    end: () => program.end(),
  };
}
