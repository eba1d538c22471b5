import { disposedSnapshot, foreignSnapshot } from '../misuse.ts';
import type { Snapshot } from '../sandbox.ts';
import type { WorkFiles } from './work-files.ts';

type Content = ReturnType<WorkFiles['copy']>;

/** A work folder as it was. Its contents are never changed in place, so that many sandboxes share them. */
export class WasmSnapshot implements Snapshot {
  readonly provider: string;
  #content: Content | undefined;

  constructor(provider: string, content: Content) {
    this.provider = provider;
    this.#content = content;
  }

  /** @throws UsageError after it was disposed of */
  content(): Content {
    if (this.#content !== undefined) return this.#content;
    throw disposedSnapshot();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#content = undefined;
    return Promise.resolve();
  }
}

/** @throws UsageError for a snapshot of another provider, and for one that was disposed of */
export function contentOf(snapshot: Snapshot, provider: string): Content {
  if (snapshot instanceof WasmSnapshot && snapshot.provider === provider) return snapshot.content();
  throw foreignSnapshot(provider, snapshot);
}
