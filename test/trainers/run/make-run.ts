import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunDocument } from '../../../trainers/run/run-document.ts';

export const fingerprint = `sha256:${'ab'.repeat(32)}`;

export function makeRunFacts(): Pick<RunDocument, 'versions' | 'panels' | 'config'> {
  return {
    versions: { 'cairn-gym': '0.1.0', node: process.version },
    panels: { dev: { fingerprint, tasks: 12 } },
    config: { env: 'maze-v1', seed: 3 },
  };
}

/** A new folder that goes when the scope ends. */
export function temporaryFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'cairn-run-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
