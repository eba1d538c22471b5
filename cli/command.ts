import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Progress } from './terminal/progress.ts';
import type { Terminal } from './terminal/terminal.ts';

/** What a command works with. The command line makes it; tests make their own. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly stdin: Readable;
  /** Aborts when the user interrupts: save the work and return. */
  readonly signal: AbortSignal;
  /** The same as the signal, for input that reads Ctrl-C as a key. */
  readonly interrupt: () => void;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Milliseconds since 1970, for dates in records. */
  readonly wallClock: () => number;
  /** Silent under `--quiet`. */
  readonly progress: Progress;
  /** True under `--json`: stdout has only the document. */
  readonly json: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly version: string;
}

/** The result of a command, for people and programs. */
export interface Outcome {
  /** What `--json` prints. */
  readonly document: unknown;
  /** What a person reads. */
  readonly lines: readonly string[];
  /** True if the answer is "no": the exit code becomes 1. */
  readonly failed?: boolean;
  /**
   * An error after the answer was found, such as a file that could not be written. It is reported after the
   * answer, with its own exit code.
   */
  readonly mishap?: unknown;
  /**
   * True if the document or the lines were printed while the command ran, as when a server prints its
   * address.
   */
  readonly isTold?: true;
}

/** A flag as commander writes it, such as `--panel <name>`. */
export interface Flag {
  readonly flags: string;
  readonly says: string;
  /** May be given several times; its value is a list. */
  readonly repeatable?: true;
}

export interface Argument {
  /** The option that it fills. */
  readonly name: string;
  readonly says: string;
  readonly required: boolean;
  /** Takes all remaining words. */
  readonly rest?: true;
}

export interface Example {
  readonly line: string;
  readonly says: string;
}

/** What one command of `cairn` takes and does, in one file. The list of commands has its name. */
export interface CommandDefinition<Options extends z.ZodObject> {
  readonly arguments?: readonly Argument[];
  readonly flags: readonly Flag[];
  readonly examples: readonly Example[];
  /** Options by camel-case name, with their defaults, which are defined only here. */
  readonly options: Options;
  /** `own`: the command reads its `--config` file itself. Otherwise the file contains options. */
  readonly configFile?: 'own';
  readonly run: (options: z.output<Options>, session: CommandContext) => Promise<Outcome>;
}

/** A command whose options are not validated yet. */
export interface CommandBody extends Omit<CommandDefinition<z.ZodObject>, 'run' | 'options'> {
  readonly optionNames: readonly string[];
  /** Validates the options, then runs. */
  readonly start: (given: GivenOptions, session: CommandContext) => Promise<Outcome>;
}

/** A command in the list of commands. */
export interface ListedCommand {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<CommandBody>;
}

export type Command = CommandBody & Omit<ListedCommand, 'load'>;

export const loadCommand = async ({ load, ...listed }: ListedCommand): Promise<Command> => ({
  ...(await load()),
  ...listed,
});

/** Option values from flags and a file, and their names for messages. */
export interface GivenOptions {
  /** The name of the command. */
  readonly command: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly wordFor: (option: string) => string;
}
