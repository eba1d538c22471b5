import { loadCommand, type Command, type ListedCommand } from './command.ts';

/** All commands, in the order in which help lists them. Only those that a command line names are loaded. */
export const commands: readonly ListedCommand[] = [
  {
    name: 'envs',
    summary: 'list the environments, all or by family, tags and needs, or describe one',
    load: async () => (await import('./commands/envs.ts')).envsCommand,
  },
  {
    name: 'new',
    summary: 'create a working environment of your own in a folder, with its test',
    load: async () => (await import('./commands/new.ts')).newCommand,
  },
  {
    name: 'play',
    summary: 'play a task yourself, in the terminal',
    load: async () => (await import('./commands/play.ts')).playCommand,
  },
  {
    name: 'serve',
    summary: 'serve the shop to a browser, a search engine to programs, or any environment to MCP clients',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  {
    name: 'index',
    summary: 'index a corpus on disk, for searches over more documents than memory holds',
    load: async () => (await import('./commands/index.ts')).indexCommand,
  },
  {
    name: 'check',
    summary: 'check an environment against the laws of the contract',
    load: async () => (await import('./commands/check.ts')).checkCommand,
  },
  {
    name: 'train',
    summary: 'train a policy, or continue a training',
    load: async () => (await import('./commands/train.ts')).trainCommand,
  },
  {
    name: 'sft',
    summary:
      'train a language model to imitate the searcher of an environment (SFT), before training by reward',
    load: async () => (await import('./commands/sft.ts')).sftCommand,
  },
  {
    name: 'eval',
    summary: 'play a panel with one agent and summarise the result',
    load: async () => (await import('./commands/eval.ts')).evalCommand,
  },
  {
    name: 'bench',
    summary: 'print the table of papers: several agents on a held-out panel',
    load: async () => (await import('./commands/bench.ts')).benchCommand,
  },
  {
    name: 'compare',
    summary: 'compare methods over seeds, or evaluations task by task',
    load: async () => (await import('./commands/compare.ts')).compareCommand,
  },
  {
    name: 'study',
    summary: 'train variants of a config with several seeds, and compare them',
    load: async () => (await import('./commands/study.ts')).studyCommand,
  },
  {
    name: 'inspect',
    summary: 'inspect a run, its trajectories and their credit',
    load: async () => (await import('./commands/inspect.ts')).inspectCommand,
  },
  {
    name: 'export',
    summary:
      'export metrics and episodes of a run as JSON lines, CSV, TensorBoard events, chat for SFT or token rows, or play a data set',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  {
    name: 'report',
    summary: 'write the report page of a run again',
    load: async () => (await import('./commands/report.ts')).reportCommand,
  },
  {
    name: 'games',
    summary: 'write household tasks as ALFWorld game files, for alfworld-v1 or TextWorld',
    load: async () => (await import('./commands/games.ts')).gamesCommand,
  },
  {
    name: 'questions',
    summary: 'make harder questions for search-v1: facts in the place of names, and vaguer details',
    load: async () => (await import('./commands/questions.ts')).questionsCommand,
  },
  {
    name: 'model',
    summary:
      'create a small language model, import one from GGUF, inspect a checkpoint, or merge a LoRA adapter into one',
    load: async () => (await import('./commands/model.ts')).modelCommand,
  },
  {
    name: 'doctor',
    summary: 'show what works on this machine, what is missing and how to get it',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  {
    name: 'completion',
    summary: 'print a script that completes commands and flags in a shell',
    load: async () => (await import('./commands/completion.ts')).completionCommandOf(loadAllCommands),
  },
];

export const loadAllCommands = (): Promise<readonly Command[]> => Promise.all(commands.map(loadCommand));
