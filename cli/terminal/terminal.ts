import type { Writable } from 'node:stream';

/** One of the two output streams, with what must be known to write on it decently. */
export interface Channel {
  write(text: string): void;
  /** Resolves when all that was written has left the process. */
  flush(): Promise<void>;
  /** True once nothing that is written arrives any more: the reader went away, or {@link failure} says why. */
  readonly isClosed: boolean;
  /** Why something that was written did not arrive, such as a full disk; a reader that went away is no reason. */
  readonly failure: Error | undefined;
  readonly isTerminal: boolean;
  /** Colour and cursor codes may be used: a terminal, and neither NO_COLOR nor TERM=dumb. */
  readonly decorated: boolean;
  readonly columns: number;
  /** The stream itself, for libraries that write on it. */
  readonly stream: Writable;
}

/** Results go to `out`, everything said on the way to `err`. */
export interface Terminal {
  readonly out: Channel;
  readonly err: Channel;
}

/**
 * What others in this process print, such as an env of one's own, goes to `err` from now on: a document on `out` is read by programs. What
 * terminals that are there already write is not touched.
 */
export function divertOthers({ out, err }: { readonly out: Writable; readonly err: Writable }): void {
  out.write = err.write.bind(err);
}

interface Stream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * Wraps a process's streams. A reader that went away (`cairn envs | head -1`) is no error: the work goes on, unheard. So it does where the
 * stream is a file that cannot be written, and `failure` tells why.
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
  const write = stream.write.bind(stream); // as it is now: see divertOthers
  const isTerminal = stream.isTTY === true;
  const noColor = environment['NO_COLOR'] ?? '';
  return {
    stream,
    isTerminal,
    decorated: isTerminal && noColor === '' && environment['TERM'] !== 'dumb',
    get columns(): number {
      return stream.columns === undefined || stream.columns < 1 ? 80 : stream.columns; // a terminal of unknown size says 0
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

/** JSON for stdout, whose strings hold no character that a terminal would obey. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
