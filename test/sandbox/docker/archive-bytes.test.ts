import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesForArchive } from '../../../sandbox/docker/archive-bytes.ts';

const page = 4096;

describe('bytesForArchive', () => {
  it('counts whole pages of content, however long the names are', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'cairn-archive-'));
    try {
      mkdirSync(path.join(folder, 'd'.repeat(120), 'e'.repeat(120)), { recursive: true });
      writeFileSync(path.join(folder, 'd'.repeat(120), 'e'.repeat(120), 'one'), 'x');
      writeFileSync(path.join(folder, 'empty'), '');
      writeFileSync(path.join(folder, 'two'), new Uint8Array(page + 1));
      const pack = (...words: readonly string[]): Uint8Array =>
        execFileSync('tar', ['-C', folder, ...words, '-cf', '-', '.']);
      expect(bytesForArchive(pack())).toBe(3 * page);
      expect(bytesForArchive(pack('--format=posix'))).toBe(3 * page);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('returns a number for every damaged archive', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 3_000 }), (bytes) => bytesForArchive(bytes) >= 0));
  });
});
