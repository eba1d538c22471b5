import { disposedSnapshot, foreignSnapshot } from '../misuse.ts';
import type { Snapshot } from '../sandbox.ts';
import type { WorkFiles } from './work-files.ts';

type Content = ReturnType<WorkFiles['copy']>;

/** A work folder at one time. Its contents are never changed in place, so many sandboxes can share them. */
export class WasmSnapshot implements Snapshot {
  readonly provider: string;
  #content: Content | undefined;

  constructor(provider: string, content: Content) {
    this.provider = provider;
    this.#content = content;
  }

  /**
   * The stored content.
   *
   * @throws UsageError after disposal
   */
  content(): Content {
    if (this.#content !== undefined) return this.#content;
    throw disposedSnapshot();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#content = undefined;
    return Promise.resolve();
  }
}

/**
 * The content of a snapshot.
 *
 * @throws UsageError for a snapshot of another provider, and for a disposed one
 */
export function contentOf(snapshot: Snapshot, provider: string): Content {
  if (snapshot instanceof WasmSnapshot && snapshot.provider === provider) return snapshot.content();
  throw foreignSnapshot(provider, snapshot);
}
