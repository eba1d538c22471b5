import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

// Runs before every test file: what the file leaves in the folder for temporary files, however it ends its tests, goes when it is over.
const before = process.env['TMPDIR'];
const folder = mkdtempSync(path.join(os.tmpdir(), 'cairn-')); // short: paths of sockets have few characters
chmodSync(folder, 0o1777); // as /tmp itself: some tests start programs as another user
process.env['TMPDIR'] = folder;

// Threads and processes that load our modules by jiti keep what they compiled among the temporary files: once for all test files, not for each.
const compiled = path.resolve(import.meta.dirname, '../../node_modules/.cache/jiti-of-tests');
mkdirSync(compiled, { recursive: true });
symlinkSync(compiled, path.join(folder, 'jiti'));

afterAll(() => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
