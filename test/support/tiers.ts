import { readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * The two tiers of tests. `npm test` runs `quick`: it protects daily work and needs nothing but Node. `npm run test:all` runs `all`, which adds
 * the slow files: they take minutes, wait in real time, or need a system part. A slow file gives its reason in its first line.
 */
export type Tier = 'quick' | 'all';

export const testFiles = 'test/**/*.test.ts';
export const slowTestFiles = 'test/**/*.slow.test.ts';

/** These folders hold no tests: a user's project that the test of the package compiles, and what tests read. */
export const noTestFiles = ['test/project/consumer/**', 'test/fixtures/**'];

/** Vitest's `--mode` chooses the tier. Without it everything runs, so that a file given by name always does. */
export const tierOfMode = (mode: string): Tier => (mode === 'quick' ? 'quick' : 'all');

const testFolder = path.resolve(import.meta.dirname, '..');

/** All test files of the repository, with paths from its root, sorted. */
export function listTestFiles(): readonly string[] {
  return readdirSync(testFolder, { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join('test', file.split(path.sep).join('/')))
    .filter((file) => file.endsWith('.test.ts') && !/^test\/(?:project\/consumer|fixtures)\//.test(file))
    .sort();
}

export const isSlow = (file: string): boolean => file.endsWith('.slow.test.ts');

/**
 * Describes in one line what only `all` runs: the slow files by folder, and the files whose tests use browsers, Docker or other parts of the
 * system.
 */
export function describeSlowTests(filesWithParts: number): string {
  const counts = new Map<string, number>();
  const slow = listTestFiles().filter(isSlow);
  for (const file of slow) {
    const folder = path.posix.dirname(path.posix.relative('test', file)).split('/').slice(0, 2).join('/');
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const folders = [...counts].map(([folder, count]) => `${folder} ${count}`).join(', ');
  return `These were the quick tests. \`npm run test:all\` adds ${slow.length} slow files (${folders}) and the parts of ${filesWithParts} files that need more than Node.`;
}
