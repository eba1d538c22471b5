import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import type { ListedCommand } from '../../cli/command.ts';
import { commands } from '../../cli/commands.ts';
import { runCairn } from '../../cli/program/run-cairn.ts';
import { createTerminal } from '../../cli/terminal/terminal.ts';
import type { Ran } from './run-program.ts';

/** A stream that keeps what is written on it. */
export class Collector extends Writable {
  text = '';
  readonly isTTY: boolean;
  readonly columns: number;

  constructor(isTTY = false, columns = 60) {
    super();
    this.isTTY = isTTY;
    this.columns = columns;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

export interface InProcess {
  readonly stdin?: string | Readable;
  readonly environment?: NodeJS.ProcessEnv;
  readonly commands?: readonly ListedCommand[];
  readonly signals?: EventEmitter;
  readonly now?: () => number;
  readonly kill?: (exitCode: number) => void;
  readonly isTTY?: boolean;
}

/** Runs a command line in this process. */
export async function cairn(words: readonly string[], options: InProcess = {}): Promise<Ran> {
  const out = new Collector(options.isTTY);
  const err = new Collector(options.isTTY);
  const environment = options.environment ?? { PATH: process.env['PATH'] };
  const code = await runCairn(words, options.commands ?? commands, {
    terminal: createTerminal({ out, err, environment }),
    stdin:
      typeof options.stdin === 'object'
        ? options.stdin
        : Readable.from(options.stdin === undefined ? [] : [options.stdin]),
    environment,
    now: options.now ?? (() => performance.now()),
    wallClock: () => 0,
    signals: options.signals ?? new EventEmitter(),
    kill: options.kill ?? (() => undefined),
    version: '9.9.9',
  });
  return { code, out: out.text, err: err.text };
}
