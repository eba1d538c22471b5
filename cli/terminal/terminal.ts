import type { Writable } from 'node:stream';

/** An output stream with the properties needed to write on it. */
export interface Channel {
  write(text: string): void;
  /** Resolves when all output has left the process. */
  flush(): Promise<void>;
  /** True when output no longer arrives: the reader went away, or {@link failure} gives the reason. */
  readonly isClosed: boolean;
  /** Why output did not arrive, such as a full disk. A reader that went away is not a failure. */
  readonly failure: Error | undefined;
  readonly isTerminal: boolean;
  /** Colours and cursor codes may be used: it is a terminal, and neither NO_COLOR nor TERM=dumb is set. */
  readonly decorated: boolean;
  readonly columns: number;
  /** The stream itself, for libraries that write to it. */
  readonly stream: Writable;
}

/** Results go to `out`, all other output to `err`. */
export interface Terminal {
  readonly out: Channel;
  readonly err: Channel;
}

/**
 * Redirects output of other code in this process, such as a user's env, to `err`, because programs read
 * `out`. Existing terminals are not affected.
 */
export function divertOthers({ out, err }: { readonly out: Writable; readonly err: Writable }): void {
  out.write = err.write.bind(err);
}

interface Stream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * Wraps a process's streams. A reader that went away (`cairn-gym envs | head -1`) is not an error: the work
 * continues without output. The same applies to a file that cannot be written, and `failure` gives the
 * reason.
 */
export function createTerminal(streams: {
  readonly out: Stream;
  readonly err: Stream;
  readonly environment: NodeJS.ProcessEnv;
}): Terminal {
  return {
    out: openChannel(streams.out, streams.environment),
    err: openChannel(streams.err, streams.environment),
  };
}

function openChannel(stream: Stream, environment: NodeJS.ProcessEnv): Channel {
  let used = false;
  let gone = false;
  let failure: Error | undefined;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!gone && error.code !== 'EPIPE' && error.code !== 'EIO' && error.code !== 'ERR_STREAM_DESTROYED')
      failure = error;
    gone = true;
  });
  const write = stream.write.bind(stream); // the current method: see divertOthers
  const isTerminal = stream.isTTY === true;
  const noColor = environment['NO_COLOR'] ?? '';
  return {
    stream,
    isTerminal,
    decorated: isTerminal && noColor === '' && environment['TERM'] !== 'dumb',
    get columns(): number {
      // a terminal of unknown size reports 0
      return stream.columns === undefined || stream.columns < 1 ? 80 : stream.columns;
    },
    get isClosed(): boolean {
      return gone;
    },
    get failure(): Error | undefined {
      return failure;
    },
    write: (text) => {
      used = true;
      if (!gone) write(text);
    },
    flush: () => new Promise((resolve) => (gone || !used ? resolve() : void write('', () => resolve()))),
  };
}

/** JSON for stdout, without characters in strings that a terminal would interpret. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
