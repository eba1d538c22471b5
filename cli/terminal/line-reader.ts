import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** Lines that a person types or a script pipes in. */
export interface LineReader extends Disposable {
  /** The next line, or undefined at the end of the input. Rejects with the signal's reason if it aborts. */
  next(prompt: string): Promise<string | undefined>;
}

/**
 * On a terminal lines can be edited and recalled. Piped lines are printed after the prompt, so that the
 * transcript reads as if typed.
 */
export function createLineReader(
  input: Readable & { readonly isTTY?: boolean },
  options: {
    readonly echo: (text: string) => void;
    readonly output: Writable;
    readonly interrupt: () => void;
    readonly signal: AbortSignal;
  },
): LineReader {
  const typed = input.isTTY === true;
  const lines = createInterface(
    typed ? { input, output: options.output, terminal: true } : { input, crlfDelay: Infinity },
  );
  lines.on('SIGINT', options.interrupt); // in this mode Ctrl-C arrives as a key
  const iterator = lines[Symbol.asyncIterator]();
  const close = (): void => lines.close();
  options.signal.addEventListener('abort', close, { once: true });
  return {
    next: async (prompt) => {
      options.signal.throwIfAborted();
      if (typed) {
        lines.setPrompt(prompt);
        lines.prompt();
      } else {
        options.echo(prompt);
      }
      const line: IteratorResult<string, unknown> = await iterator.next();
      options.signal.throwIfAborted();
      if (line.done === true) {
        options.echo('\n');
        return undefined;
      }
      if (!typed) options.echo(`${line.value}\n`);
      return line.value;
    },
    [Symbol.dispose]: () => {
      options.signal.removeEventListener('abort', close);
      lines.close();
    },
  };
}
