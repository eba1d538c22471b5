import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Progress } from './terminal/progress.ts';
import type { Terminal } from './terminal/terminal.ts';

/** What a command works with. The command line makes it; tests make their own. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly stdin: Readable;
  /** Aborts when the user interrupts: put the work away and return. */
  readonly signal: AbortSignal;
  /** For input that reads Ctrl-C as a key: the same as the signal. */
  readonly interrupt: () => void;
  /** Milliseconds that never run backwards. */
  readonly now: () => number;
  /** Milliseconds since 1970, for the dates in records. */
  readonly wallClock: () => number;
  /** Silent under `--quiet`. */
  readonly progress: Progress;
  /** True under `--json`: stdout belongs to the document. */
  readonly json: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly version: string;
}

/** What a command found, for both kinds of reader. */
export interface Outcome {
  /** What `--json` prints. */
  readonly document: unknown;
  /** What a person reads. */
  readonly lines: readonly string[];
  /** True when the answer is "no": the exit code becomes 1. */
  readonly failed?: boolean;
  /** What went wrong after the answer was there, such as a file that could not be written: told after it, with its own exit code. */
  readonly mishap?: unknown;
  /** True where the document or the lines were printed while the command ran, as a server prints its address. */
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
  /** Takes all the words that are left. */
  readonly rest?: true;
}

export interface Example {
  readonly line: string;
  readonly says: string;
}

/** One command of `cairn`, in one file. */
export interface CommandDefinition<Options extends z.ZodObject> {
  readonly name: string;
  readonly summary: string;
  readonly arguments?: readonly Argument[];
  readonly flags: readonly Flag[];
  readonly examples: readonly Example[];
  /** The options by their camel-case names, with their defaults: the one place where these live. */
  readonly options: Options;
  /** `own`: the command reads its `--config` file itself. Otherwise the file holds options. */
  readonly configFile?: 'own';
  readonly run: (options: z.output<Options>, session: CommandContext) => Promise<Outcome>;
}

/** A command whose options have been given, but not yet checked. */
export interface Command extends Omit<CommandDefinition<z.ZodObject>, 'run' | 'options'> {
  readonly optionNames: readonly string[];
  /** Checks the options, then runs. */
  readonly start: (given: GivenOptions, session: CommandContext) => Promise<Outcome>;
}

/** Option values as they came from flags and a file, and the words that stand for them in messages. */
export interface GivenOptions {
  readonly values: Readonly<Record<string, unknown>>;
  readonly wordFor: (option: string) => string;
}
