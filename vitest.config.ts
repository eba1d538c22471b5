import os from 'node:os';
import { defineConfig } from 'vitest/config';
import { ClosingReporter } from './test/support/closing-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['dist/**', 'node_modules/**', 'test/project/consumer/**'],
    setupFiles: ['./test/support/fixed-seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: Math.max(2, os.availableParallelism() - 1), // many tests wait, for browsers and other processes: on two cores one at a time would leave one idle
    reporters: ['default', new ClosingReporter()],
  },
});
