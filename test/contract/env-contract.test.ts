import { afterAll, describe, expect, test } from 'vitest';
import { builtInEnvs } from '../../envs/catalog.ts';
import { critiqueEnv } from '../../envs/code/critique/definition.ts';
import { checkEnv } from '../../envs/check/check-env.ts';
import { describeFinding } from '../../envs/check/report.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { writeGames } from '../support/alfworld-games.ts';
import { isThorough, itInAll } from '../support/thorough.ts';
import { writeTau2Folder } from '../support/tau2-folder.ts';
import { playedInBrowsers, playedInSandboxes } from './envs-with-parts.ts';

/** Laws that the definition says cannot be checked; every other law must be. */
const declared = ({ unchecked = {} }: AnyEnvDefinition): readonly string[] =>
  Object.keys(unchecked).toSorted();

const games = writeGames({ train: 30, seen: 6, unseen: 6 });
const tau2 = writeTau2Folder();
afterAll(() => {
  games.remove();
  tau2.remove();
});

/** The configs that envs need to open, or to open fast. */
const configs: Readonly<Record<string, object>> = {
  'alfworld-v1': { files: games.folder },
  'sql-v1': { threads: 1 },
  'tau2-v1': { data: tau2.folder },
  'game-chess-endgame-v1': { ending: 'krk', defence: 1 },
  'game-survival-v1': { length: 60 },
};

/** Laws of games that a plan of this size reaches only where its random steps happen to meet what they need. */
const reachedByChance = ['hidden', 'luck', 'order', 'state-key-alias'];

/** What the tier `all` tries of games, which one file defines each, and of envs whose worlds take long to make. */
const half = {
  tasksPerPanel: 1,
  contentsPerPanel: 50,
  pairs: 20,
  points: 12,
  leastSteps: 120,
  auditTasks: 40,
};
/** What that tier tries of the others. */
const whole = { contentsPerPanel: 50, leastSteps: 250 };
/** What the quick tier tries of each law. */
const small = { tasksPerPanel: 1, contentsPerPanel: 20, pairs: 6, points: 4, episodes: 1 };
const laborious = ['alfworld-v1', 'sql-v1', 'tools-v1'];
/** Games whose experts or worlds take seconds. Both tiers try as much of them. */
const costly: Readonly<Record<string, object>> = {
  'game-chess-endgame-v1': small,
  'game-survival-v1': { ...small, contentsPerPanel: 10, pairs: 4, points: 2, leastSteps: 150 },
};

itInAll('critique-v1 keeps every law of the contract when programs are only read', async () => {
  const report = await checkEnv(critiqueEnv, { tasksPerPanel: 2, contentsPerPanel: 40, auditTasks: 40 });
  expect(report.findings.map(describeFinding)).toEqual([]);
});

describe.each(
  builtInEnvs
    .filter(({ id }) => !id.startsWith('puzzle-') && id !== 'mcp-v1') // test/envs/puzzle and test/envs/mcp
    .filter(({ id }) => id !== 'game-chess-v1') // its opponent thinks for a minute in all; the endgames have the same board and engine
    .filter(({ id }) => isThorough || !id.startsWith('game-')) // one file defines each: they change together, and rarely
    .filter(({ id }) => !playedInBrowsers.includes(id) && playedInSandboxes[id] === undefined)
    .map((definition): [string, AnyEnvDefinition] => [definition.id, definition]),
)('%s', (id, definition) => {
  test('keeps every law of the contract', async () => {
    const most = id.startsWith('game-') || laborious.includes(id) ? half : whole;
    const least = costly[id] ?? (isThorough ? undefined : small);
    const report = await checkEnv(definition, { config: configs[id] ?? {}, ...(least ?? most) });
    expect(report.findings.map(describeFinding)).toEqual([]);
    if (least !== undefined) return; // so few points leave some laws unchecked
    const left = report.unchecked.map(({ law }) => law);
    const known = declared(definition);
    expect(left).toEqual(expect.arrayContaining([...known]));
    const undeclared = left.filter((law) => !known.includes(law));
    expect(undeclared.filter((law) => !id.startsWith('game-') || !reachedByChance.includes(law))).toEqual([]);
  });

  if (!isThorough || id.startsWith('game-')) return;

  test('keeps every law of the contract on other tasks with another seed', async () => {
    const size =
      configs[id] === undefined
        ? { tasksPerPanel: 2, contentsPerPanel: 30, pairs: 15, points: 8 }
        : { tasksPerPanel: 1, contentsPerPanel: 20, pairs: 8, points: 5 };
    const report = await checkEnv(definition, {
      config: configs[id] ?? {},
      seed: 20_250_101,
      ...size,
      episodes: 3,
      leastSteps: 120,
      auditTasks: 20,
      lookahead: 6,
    });
    expect(report.findings.map(describeFinding)).toEqual([]);
  });
});
