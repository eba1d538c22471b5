import { afterAll, describe, expect, test } from 'vitest';
import { builtInEnvs } from '../../envs/catalog.ts';
import { critiqueEnv } from '../../envs/code/critique/definition.ts';
import { checkEnv } from '../../envs/check/check-env.ts';
import { describeFinding } from '../../envs/check/report.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { writeGames } from '../support/alfworld-games.ts';
import { describeWithParts } from '../support/system-part.ts';
import { isThorough } from '../support/thorough.ts';

/** Laws that the definition says cannot be checked; every other law must be. */
const declared = ({ unchecked = {} }: AnyEnvDefinition): readonly string[] =>
  Object.keys(unchecked).toSorted();

const games = writeGames({ train: 30, seen: 6, unseen: 6 });
afterAll(games.remove);

/** What an env must be told to be opened, or to be opened soon. */
const configs: Readonly<Record<string, object>> = {
  'alfworld-v1': { files: games.folder },
  'sql-v1': { threads: 1 },
};

/** Envs whose steps take a while are looked at less, and need more time for a call. */
const slow = {
  panels: ['train', 'dev'],
  tasksPerPanel: 1,
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
const browsers: readonly string[] = ['shop-browser-v1', 'web-v1'];

/** Envs that run programs: with pieces to put together, whose hidden facts can be swapped at every point. */
const programs: Readonly<Record<string, object>> = {
  'code-v1': { pieces: 2, maxSteps: 6, testMs: 1_000 },
  'critique-v1': { runs: 2 },
  'ml-engineering-v1': { pieces: 2, maxSteps: 5 },
  'verilog-v1': { pieces: 3, maxSteps: 5 },
};

await describeWithParts(['chromium'], 'envs in a browser', () => {
  test.each(
    builtInEnvs
      .filter(({ id }) => browsers.includes(id))
      .map((definition): [string, AnyEnvDefinition] => [definition.id, definition]),
  )('%s keeps every law of the contract', async (_id, definition) => {
    const report = await checkEnv(definition, {
      ...slow,
      panels: ['dev'],
      episodes: 2,
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
      .filter(({ id }) => programs[id] !== undefined)
      .map((definition): [string, AnyEnvDefinition] => [definition.id, definition]),
  )('%s keeps every law of the contract', async (id, definition) => {
    const report = await checkEnv(definition, { ...slow, episodes: 4, config: programs[id] ?? {} }); // the fourth is the searcher's
    expect(report.findings.map(describeFinding)).toEqual([]);
    expect(report.unchecked.map(({ law }) => law).toSorted()).toEqual(declared(definition));
  });
});

test('critique-v1 keeps them too where programs are only read', async () => {
  const report = await checkEnv(critiqueEnv, { tasksPerPanel: 2 });
  expect(report.findings.map(describeFinding)).toEqual([]);
});

describe.each(
  builtInEnvs
    .filter(({ id }) => !browsers.includes(id) && programs[id] === undefined)
    .map((definition): [string, AnyEnvDefinition] => [definition.id, definition]),
)('%s', (id, definition) => {
  test('keeps every law of the contract', async () => {
    const report = await checkEnv(definition, { config: configs[id] ?? {} });
    expect(report.findings.map(describeFinding)).toEqual([]);
    expect(report.unchecked.map(({ law }) => law).toSorted()).toEqual(declared(definition));
  });

  if (!isThorough) return;

  test('keeps them on other tasks, with other chance', async () => {
    const size =
      configs[id] === undefined
        ? { tasksPerPanel: 4, pairs: 30, points: 16 }
        : { tasksPerPanel: 2, pairs: 10, points: 6 };
    const report = await checkEnv(definition, {
      config: configs[id] ?? {},
      seed: 20_250_101,
      ...size,
      episodes: 3,
      lookahead: 6,
    });
    expect(report.findings.map(describeFinding)).toEqual([]);
  });
});
