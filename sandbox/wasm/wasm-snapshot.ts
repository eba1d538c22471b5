import { foreignSnapshot } from '../misuse.ts';
import type { Snapshot } from '../sandbox.ts';
import type { WorkFiles } from './work-files.ts';

type Content = ReturnType<WorkFiles['copy']>;

/** A work folder as it was. Its contents are never changed in place, so that many sandboxes share them. */
export class WasmSnapshot implements Snapshot {
  readonly provider: string;
  readonly content: Content;

  constructor(provider: string, content: Content) {
    this.provider = provider;
    this.content = content;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

/** @throws UsageError for a snapshot of another provider */
export function contentOf(snapshot: Snapshot, provider: string): Content {
  if (snapshot instanceof WasmSnapshot && snapshot.provider === provider) return snapshot.content;
  throw foreignSnapshot(provider, snapshot);
}
