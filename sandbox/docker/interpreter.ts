import { talkerOf } from '../conversation/interpreters.ts';
import type { Hear, Interpreter } from '../conversation/conversation.ts';
import { endingOf } from '../exit-code.ts';
import type { CommandLine, Language, Limits } from '../sandbox.ts';
import type { Cell } from './cell.ts';
import { wordsOf } from './command-words.ts';
import { meterOf } from './meter.ts';
import { startProgram } from './program.ts';

/** Starts an interpreter in a cell of its own, which is returned when the interpreter ends. */
export async function startInterpreter(
  talk: { readonly language: Language; readonly command: CommandLine; readonly limits: Limits },
  { cell, giveBack }: { readonly cell: Cell; readonly giveBack: () => Promise<void> },
): Promise<Interpreter> {
  let heard: Hear | undefined;
  const { words } = wordsOf(talkerOf(talk.language, talk.command), { folder: '', env: {} });
  await cell.setLimits(talk.limits);
  const program = await startProgram(cell, words, {
    stdin: true,
    hear: (stream, bytes) => heard?.(stream, bytes),
  });
  program.pause();
  return {
    get live(): boolean {
      return cell.live;
    },
    ended: program.ended.then(endingOf),
    write: program.write,
    listen: (hear) => {
      heard = hear;
      if (hear === undefined) program.pause();
      else program.resume();
    },
    meter: async (limits) => {
      await cell.setLimits(limits);
      return meterOf(cell, limits);
    },
    end: async () => {
      if ((await cell.empty()).isEmpty) await program.drained();
      program.release();
      await giveBack();
    },
  };
}
