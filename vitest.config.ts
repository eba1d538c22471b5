import os from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { ClosingReporter } from './test/support/closing-reporter.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { noTestFiles, slowTestFiles, testFiles, tierOfMode } from './test/support/tiers.ts';

/** Files that look at their process, start others, or load what has a state there: each gets a process of its own. They run first. */
const alone = [
  'test/{contract,project,sandbox,serve}/**/*.test.ts',
  'test/cli/*.test.ts',
  'test/cli/{program,watch}/**/*.test.ts',
  'test/envs/{code,shop-browser,web,engines/browser}/**/*.test.ts',
  'test/envs/core/context.test.ts',
  'test/models/{backend,keep-listeners,memory-estimate}.test.ts',
  'test/models/**/*-on-webgpu.slow.test.ts',
  'test/models/on-tensorflow.slow.test.ts',
  'test/models/{full-gpu,lost-gpu,token/gpu-kernels}.slow.test.ts',
  'test/models/token/passes/worker-*.slow.test.ts',
  'test/models/token/generate/generation-workers.slow.test.ts',
  'test/trainers/loop/*-on-webgpu.slow.test.ts',
  'test/trainers/loop/learning.slow.test.ts', // it takes minutes, and those that share come last
  'test/trainers/policy/tokens/token-policy-kinds.slow.test.ts', // so does this
];

/** One test takes at most 30 s of a quiet machine, and must hold on one ten times slower. */
const deadline = 300_000;

export default defineConfig(({ mode }) => {
  const tier = tierOfMode(mode);
  const env = { CAIRN_TEST_TIER: tier }; // each project has its own: what they extend is read without the mode
  const left = [...configDefaults.exclude, ...noTestFiles, ...(tier === 'quick' ? [slowTestFiles] : [])];
  return {
    test: {
      globalSetup: './test/support/bring-build.ts',
      setupFiles: ['./test/support/fixed-seed.ts', './test/support/own-temporary-folder.ts'],
      testTimeout: deadline,
      hookTimeout: deadline,
      expect: { poll: { timeout: deadline / 2 } },
      pool: 'forks',
      // Many tests wait, for processes or for time: on two cores a third worker fills the pauses. A fourth gains nothing.
      maxWorkers: Math.max(3, os.availableParallelism() - 1),
      sequence: { sequencer: LongestFirst },
      reporters: ['default', new ClosingReporter(tier)],
      projects: [
        { extends: true, test: { name: 'alone', include: alone, exclude: left, env } },
        // Most files only compute. In a process that they share, modules are loaded once.
        {
          extends: true,
          test: { name: 'shared', include: [testFiles], exclude: [...left, ...alone], isolate: false, env },
        },
      ],
    },
  };
});
