// Slow: plays environments in a browser and in sandboxes.
import { expect, test } from 'vitest';
import { builtInEnvs } from '../../envs/catalog.ts';
import { checkEnv } from '../../envs/check/check-env.ts';
import { describeFinding } from '../../envs/check/report.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { describeWithParts } from '../support/system-part.ts';
import { playedInBrowsers, playedInSandboxes } from './envs-with-parts.ts';

/** Laws that the definition says cannot be checked; every other law must be. */
const declared = ({ unchecked = {} }: AnyEnvDefinition): readonly string[] =>
  Object.keys(unchecked).toSorted();

/** Envs with slow steps are checked less, and get more time for a call. */
const slow = {
  panels: ['train', 'dev'],
  tasksPerPanel: 1,
  contentsPerPanel: 20,
  auditTasks: 20,
  episodes: 2,
  maxSteps: 6,
  leastSteps: 1,
  pairs: 2,
  points: 2,
  lookahead: 2,
  concurrency: 4,
  deadlineMs: 60_000,
  graceMs: 5_000,
} as const;
await describeWithParts(['chromium'], 'envs in a browser', () => {
  test.each(
    builtInEnvs
      .filter(({ id }) => playedInBrowsers.includes(id))
      .map((definition): [string, AnyEnvDefinition] => [definition.id, definition]),
  )('%s keeps every law of the contract', async (_id, definition) => {
    const report = await checkEnv(definition, {
      ...slow,
      panels: ['dev'],
      maxSteps: 4,
      pairs: 1,
      points: 1,
    });
    expect(report.findings.map(describeFinding)).toEqual([]);
    expect(report.unchecked.map(({ law }) => law).toSorted()).toEqual(declared(definition));
  });
});

await describeWithParts(['bubblewrap', 'iverilog'], 'envs that run programs', () => {
  test.each(
    builtInEnvs
      .filter(({ id }) => playedInSandboxes[id] !== undefined)
      .map((definition): [string, AnyEnvDefinition] => [definition.id, definition]),
  )('%s keeps every law of the contract', async (id, definition) => {
    const report = await checkEnv(definition, { ...slow, episodes: 4, config: playedInSandboxes[id] ?? {} }); // the searcher plays the fourth
    expect(report.findings.map(describeFinding)).toEqual([]);
    expect(report.unchecked.map(({ law }) => law).toSorted()).toEqual(declared(definition));
  });
});
