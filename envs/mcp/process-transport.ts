import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { messageOf } from '../core/errors.ts';
import { settlesWithin } from '../core/waiting.ts';
import type { Flood } from './byte-limit.ts';

/** How a process of a server is started. */
export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Counts what the process sends. */
  readonly flood: Flood;
  /** Reads one line. Throws for what is no message. */
  readonly parse: (line: string) => JSONRPCMessage;
}

/** Milliseconds to end by itself after its input has ended, and again after SIGTERM. */
const graceMs = 1_000;
/** Characters of the end of its standard error that are kept, for messages. */
const keptCharacters = 2_000;

/** Groups of processes that run now. They end with this process, however it exits. */
const groups = new Set<number>();
let isHooked = false;

function endWithThisProcess(pid: number): void {
  groups.add(pid);
  if (isHooked) return;
  isHooked = true;
  process.on('exit', () => {
    for (const group of groups) signalGroup(group, 'SIGKILL');
  });
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // the group is gone
  }
}

/**
 * A server in a process group of its own, over standard input and output. What it sends is counted, lines that
 * are no JSON are ignored, and closing ends the whole group.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  readonly #options: ProcessOptions;
  readonly #exited: Promise<void>;
  #child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  #noteExit: () => void = () => undefined;
  #parts: Buffer[] = [];
  #errors = '';
  #ended = '';

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.#exited = new Promise((resolve) => (this.#noteExit = resolve));
  }

  /** With `stderr` the mark by which the client knows a transport of standard input and output. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get stderr(): Readable | null {
    return this.#child?.stderr ?? null;
  }

  get hasEnded(): boolean {
    return this.#ended !== '';
  }

  /** How the process ended, with the end of its standard error. */
  get obituary(): string {
    const said = this.#errors.trim();
    const ended = this.#ended === '' ? 'its process runs no more' : this.#ended;
    return said === '' ? ended : `${ended}; it printed: ${said.slice(-500)}`;
  }

  start(): Promise<void> {
    const { command, args, env } = this.#options;
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
        windowsHide: true,
      });
      this.#child = child;
      child.once('spawn', () => {
        if (child.pid !== undefined) endWithThisProcess(child.pid);
        resolve();
      });
      child.once('error', (error) => {
        this.#ended = messageOf(error);
        this.#noteExit();
        reject(error);
      });
      child.once('exit', (code, signal) => {
        this.#ended = `its process ended with ${signal ?? `code ${code}`}`;
        this.#noteExit();
        this.#killGroup(); // children that it left
      });
      child.once('close', () => this.onclose?.());
      child.stdin.on('error', (error) => this.onerror?.(error));
      child.stdout.on('error', (error) => this.onerror?.(error));
      child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
      child.stderr.on('error', () => undefined);
      child.stderr.on('data', (chunk: Buffer) => {
        this.#errors = `${this.#errors}${chunk.toString('utf8')}`.slice(-keptCharacters);
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || !stdin.writable) throw new Error(this.obituary);
    await new Promise<void>((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Lets the process end by itself for a moment, then ends its group. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    child.stdin.end();
    if (!(await settlesWithin(graceMs, this.#exited))) {
      signalGroup(child.pid, 'SIGTERM');
      await settlesWithin(graceMs, this.#exited);
    }
    await this.kill();
  }

  /** Ends the group at once. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return;
    this.#killGroup();
    await this.#exited;
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr.destroy();
  }

  #killGroup(): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    signalGroup(pid, 'SIGKILL');
    groups.delete(pid);
  }

  #read(chunk: Buffer): void {
    if (!this.#options.flood.accept(chunk.length)) {
      this.#parts = [];
      return;
    }
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.#parts.push(chunk.subarray(start, end));
      const line = Buffer.concat(this.#parts).toString('utf8');
      this.#parts = [];
      start = end + 1;
      this.#hear(line);
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
  }

  #hear(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = this.#options.parse(line);
    } catch {
      return; // servers print other lines by mistake
    }
    this.onmessage?.(message);
  }
}
