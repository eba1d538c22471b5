import os from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { ClosingReporter } from './test/support/closing-reporter.ts';

/** Files that look at their process, start others, or load what has a state there: each gets a process of its own. They run first. */
const alone = [
  'test/{cli,contract,project,sandbox,serve}/**/*.test.ts',
  'test/envs/{code,shop-browser,web,engines/browser}/**/*.test.ts',
  'test/envs/core/context.test.ts',
  'test/models/**/*.test.ts',
  'test/trainers/loop/**/*.test.ts',
  'test/trainers/policy/tokens/token-policy.test.ts', // it takes a minute, and those that share come last
];
const noTests = [...configDefaults.exclude, 'test/project/consumer/**'];

export default defineConfig({
  test: {
    globalSetup: './test/support/bring-build.ts',
    setupFiles: ['./test/support/fixed-seed.ts', './test/support/own-temporary-folder.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: Math.max(2, os.availableParallelism() - 1), // many tests wait, for browsers and other processes: on two cores one at a time would leave one idle, and three make each too slow for what it waits for
    reporters: ['default', new ClosingReporter()],
    projects: [
      { extends: true, test: { name: 'alone', include: alone, exclude: noTests } },
      // Most files only compute. In a process that they share, modules are loaded once.
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...noTests, ...alone],
          isolate: false,
        },
      },
    ],
  },
});
