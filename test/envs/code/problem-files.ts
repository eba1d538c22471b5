import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

/** A folder that is removed after the tests of this file. `put` writes a file into it and returns its path. */
export function openProblemFolder(): {
  readonly folder: string;
  readonly put: (name: string, content: string | Uint8Array) => string;
} {
  const folder = mkdtempSync(path.join(tmpdir(), 'problems-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const put = (name: string, content: string | Uint8Array): string => {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  return { folder, put };
}

export const jsonl = (...records: readonly object[]): string =>
  `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
