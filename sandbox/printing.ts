import type { ExecOptions, ExecResult, Printed } from './sandbox.ts';

/** Keeps the output of one stream, up to a limit. */
export class Capture {
  readonly #limit: number;
  readonly #parts: Uint8Array[] = [];
  #length = 0;
  #truncated = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True once the output exceeded the limit. */
  get truncated(): boolean {
    return this.#truncated;
  }

  /** Adds output and returns the part that was kept. */
  take(bytes: Uint8Array): Uint8Array {
    const kept = bytes.subarray(0, this.#limit - this.#length);
    if (kept.byteLength < bytes.byteLength) this.#truncated = true;
    if (kept.byteLength > 0) this.#parts.push(kept);
    this.#length += kept.byteLength;
    return kept;
  }

  bytes(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#parts));
  }

  printed(): Printed {
    return {
      text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(this.#parts)),
      truncated: this.#truncated,
    };
  }
}

export type StreamName = 'stdout' | 'stderr';

/**
 * Keeps the output of one call on both streams, each up to the limit, and passes it to the caller as it
 * arrives.
 */
export class Printing {
  /**
   * Resolves when the program has to be stopped, because it printed too much or the caller's listener failed.
   */
  readonly flooded: Promise<void>;
  readonly #captures: Readonly<Record<StreamName, Capture>>;
  readonly #onOutput: ExecOptions['onOutput'];
  #flood: () => void = () => undefined;
  #failure: { readonly thrown: unknown } | undefined;

  constructor(outputBytes: number, onOutput: ExecOptions['onOutput']) {
    this.flooded = new Promise((resolve) => (this.#flood = resolve));
    this.#captures = { stdout: new Capture(outputBytes), stderr: new Capture(outputBytes) };
    this.#onOutput = onOutput;
  }

  /** Adds output. False when the program has to be stopped. */
  take(stream: StreamName, bytes: Uint8Array): boolean {
    if (this.#failure !== undefined) return false;
    const kept = this.#captures[stream].take(bytes);
    try {
      if (kept.byteLength > 0) this.#onOutput?.(stream, kept);
    } catch (thrown) {
      this.#failure = { thrown };
    }
    const isWell = !this.truncated && this.#failure === undefined;
    if (!isWell) this.#flood();
    return isWell;
  }

  /** Whether a stream exceeded the limit. */
  get truncated(): boolean {
    return this.#captures.stdout.truncated || this.#captures.stderr.truncated;
  }

  /**
   * What was printed.
   *
   * @throws what the caller's listener threw, with which the call fails
   */
  printed(): Pick<ExecResult, StreamName> {
    if (this.#failure !== undefined) throw this.#failure.thrown;
    return { stdout: this.#captures.stdout.printed(), stderr: this.#captures.stderr.printed() };
  }
}
