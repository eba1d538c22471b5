import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { alfworldEnv, type AlfworldConfig } from '../../../envs/alfworld/definition.ts';
import { dialectOfGrammar } from '../../../envs/alfworld/dialect.ts';
import { createContext } from '../../../envs/core/context.ts';
import type { Json } from '../../../envs/core/json.ts';
import { createMemoryLogger } from '../../../envs/core/log.ts';
import { readPanel } from '../../../envs/core/task.ts';
import { openEnv } from '../../../envs/open.ts';
import { writeGames, type Counts } from '../../support/alfworld-games.ts';
import { goldenFile } from './golden-games.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function games(counts: Counts, dialect: 'current' | 'classic'): string {
  const { folder } = writeGames(counts, dialect);
  folders.push(folder);
  return folder;
}

/** What opening reports: identity, the fingerprint of the panel `train`, and logged events. */
async function opened(config: Partial<AlfworldConfig>): Promise<{
  readonly identity: Json | undefined;
  readonly fingerprint: string;
  readonly told: readonly unknown[];
}> {
  const log = createMemoryLogger();
  const host = await openEnv(
    alfworldEnv,
    { dev: 0, ...config },
    createContext({ seed: 1, now: () => 0, log }),
  );
  const { fingerprint } = readPanel(host, { env: alfworldEnv.id, config: {}, name: 'train' });
  await host.close();
  return { identity: host.identity, fingerprint, told: log.events.map(({ event }) => event) };
}

const action = (name: string, template: string): string =>
  `action ${name} {\n  template :: "${template}";\n  feedback :: "done";\n}\n`;

describe('dialectOfGrammar', () => {
  it.each([
    ['household-current', 'current'],
    ['household-classic', 'classic'],
    ['attic', 'classic'],
    ['harbour', 'other'],
  ])('reports the dialect of %s as %s', (name, dialect) => {
    expect(dialectOfGrammar(goldenFile(name).grammar)).toBe(dialect);
  });

  it.each<[string, string, string | undefined]>([
    [
      'other actions that move and put',
      action('PutIntoOther', 'put {o} into {outero}') + action('PutObject', 'move {o} to {r}'),
      'current',
    ],
    ['a different action of the same wording', action('MoveDisk', 'move {disk} to {peg}'), 'other'],
    ['another wording of the same action', action('PutObject', 'place {o} in {r}'), 'other'],
    [
      'the action in a comment',
      `# ${action('PutObject', 'move {o} to {r}').replaceAll('\n', ' ')}\n${action('PutObject', 'put {o} in/on {r}')}`,
      'classic',
    ],
    [
      'misleading text before the template',
      `grammar :: """ { "template": [ { "rhs": "action PutObject" } ] } """;\naction putobject { feedback :: "template"; template :: " put {o} in/on {r}"; }`,
      'classic',
    ],
    [
      'the wording outside the template',
      `${action('look', 'look')}action PutObject { feedback :: "move {o} to {r}"; }`,
      'other',
    ],
    ['a truncated template', 'action PutObject { template :: "move {o} t', undefined],
  ])('reads the dialect correctly from a grammar with %s', (_, grammar, dialect) => {
    expect(dialectOfGrammar(grammar)).toBe(dialect);
  });

  // The original's own grammars, when the environment names a folder with them; see textworld.test.ts.
  const cases = process.env['CAIRN_ALFWORLD_CASES'] ?? '';
  it.each(
    cases === ''
      ? []
      : [
          ['alfred.twl2', 'current'],
          ['textworld-instance/grammar.twl2', 'classic'],
        ],
  )('reports the dialect of the original %s as %s', (file, dialect) => {
    expect(dialectOfGrammar(readFileSync(path.join(cases, file), 'utf8'))).toBe(dialect);
  });
});

describe('the identity of alfworld-v1', () => {
  it('contains dialect, skip and maxSteps, but no path', async () => {
    const [old, now] = [games({ train: 2 }, 'classic'), games({ train: 2 }, 'current')];
    expect(await opened({ files: old })).toMatchObject({
      identity: { dialect: 'classic', skip: 'as-original', maxSteps: 50 },
      told: [],
    });
    expect(await opened({ files: now, skip: 'nothing', maxSteps: 20 })).toMatchObject({
      identity: { dialect: 'current', skip: 'nothing', maxSteps: 20 },
      told: [],
    });
  });

  it('changes the fingerprint with skip and maxSteps, but not with the folder', async () => {
    const files = games({ train: 2 }, 'classic');
    const configs: readonly Partial<AlfworldConfig>[] = [
      { files },
      { files, skip: 'nothing' },
      { files, maxSteps: 20 },
    ];
    const fingerprints = (await Promise.all(configs.map(opened))).map(({ fingerprint }) => fingerprint);
    expect(new Set(fingerprints).size).toBe(3);
    expect((await opened({ files: games({ train: 2 }, 'classic') })).fingerprint).toBe(fingerprints[0]);
  });

  it('reports mixed dialects and names the first game of each', async () => {
    const [old, now] = [games({ train: 2 }, 'classic'), games({ train: 1, seen: 2 }, 'current')];
    const first = (folder: string): string =>
      path.join(folder, 'json_2.1.1', 'train', 'task-0', 'trial_0', 'game.tw-pddl');
    const { identity, told } = await opened({ files: [old, now] });
    expect(identity).toEqual({ dialect: 'mixed', skip: 'as-original', maxSteps: 50 });
    const part = 'games of several dialects';
    expect(told).toEqual([
      { type: 'opening-tally', part, name: `classic, the first ${first(old)}`, count: 2 },
      { type: 'opening-tally', part, name: `current, the first ${first(now)}`, count: 3 },
    ]);
  });

  it('ignores a game whose grammar cannot be read', async () => {
    const files = games({ train: 2 }, 'classic');
    const broken = path.join(files, 'json_2.1.1', 'train', 'broken', 'game.tw-pddl');
    mkdirSync(path.dirname(broken));
    writeFileSync(
      broken,
      JSON.stringify({ pddl_domain: '', pddl_problem: '', grammar: 'action PutObject { template :: "mo' }),
    );
    expect(await opened({ files })).toMatchObject({ identity: { dialect: 'classic' }, told: [] });
  });
});
