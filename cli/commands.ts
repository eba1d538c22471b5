import type { Command } from './command.ts';
import { benchCommand } from './commands/bench.ts';
import { checkCommand } from './commands/check.ts';
import { compareCommand } from './commands/compare.ts';
import { completionCommandOf } from './commands/completion.ts';
import { doctorCommand } from './commands/doctor.ts';
import { envsCommand } from './commands/envs.ts';
import { evalCommand } from './commands/eval.ts';
import { exportCommand } from './commands/export.ts';
import { gamesCommand } from './commands/games.ts';
import { indexCommand } from './commands/index.ts';
import { inspectCommand } from './commands/inspect.ts';
import { modelCommand } from './commands/model.ts';
import { newCommand } from './commands/new.ts';
import { playCommand } from './commands/play.ts';
import { questionsCommand } from './commands/questions.ts';
import { reportCommand } from './commands/report.ts';
import { serveCommand } from './commands/serve.ts';
import { sftCommand } from './commands/sft.ts';
import { studyCommand } from './commands/study.ts';
import { trainCommand } from './commands/train.ts';

/** All commands, in the order in which help lists them. */
export const commands: readonly Command[] = [
  envsCommand,
  newCommand,
  playCommand,
  serveCommand,
  indexCommand,
  checkCommand,
  trainCommand,
  sftCommand,
  evalCommand,
  benchCommand,
  compareCommand,
  studyCommand,
  inspectCommand,
  exportCommand,
  reportCommand,
  gamesCommand,
  questionsCommand,
  modelCommand,
  doctorCommand,
  completionCommandOf(() => commands),
];
