import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cairn } from '../../support/command-line.ts';

let folder = '';
let games = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  games = path.join(folder, 'games');
  expect(await cairn(['games', games, '--tasks', '20', '--quiet'])).toMatchObject({ code: 0 });
});
afterAll(() => rm(folder, { recursive: true }));

const filesOf = async (place: string): Promise<readonly string[]> =>
  (await readdir(place, { recursive: true })).filter((name) => name.endsWith('game.tw-pddl')).toSorted();

interface Trajectory {
  readonly task_id: string;
  readonly task_type: string;
  readonly pddl_params: Readonly<
    Record<'object_target' | 'parent_target' | 'toggle_target' | 'mrecep_target', string>
  >;
  readonly turk_annotations: { readonly anns: readonly { readonly task_desc: string }[] };
}

interface Game {
  readonly grammar: string;
  readonly solvable: boolean;
}

/** The types that ALFWorld's configuration knows by number. */
const taskTypes = [
  'pick_and_place_simple',
  'look_at_obj_in_light',
  'pick_clean_then_place_in_recep',
  'pick_heat_then_place_in_recep',
  'pick_cool_then_place_in_recep',
  'pick_two_obj_and_place',
];

describe('cairn-gym games', () => {
  it('writes the given number of games per split, in folders named like those of ALFWorld', async () => {
    const files = await filesOf(games);
    const splits = files.map((name) => name.split(path.sep)[1]);
    expect(
      Object.fromEntries(
        ['train', 'valid_seen', 'valid_unseen'].map((split) => [
          split,
          splits.filter((one) => one === split).length,
        ]),
      ),
    ).toEqual({ train: 20, valid_seen: 20, valid_unseen: 20 });
    expect(
      files.every((name) =>
        /^json_2\.1\.1.\w+.(?:pick|look)_[a-z_]+-[a-z]+-None-[a-z]+-\d{4}.trial_household_[a-z]+_\d+.game\.tw-pddl$/.test(
          name,
        ),
      ),
    ).toBe(true);
  });

  it.each(['train', 'valid_seen', 'valid_unseen'])(
    "writes what ALFWorld's own loader finds games of %s by",
    async (split) => {
      // Its rules, of version 0.4.2: a folder with traj_data.json, a known task_type, and beside it a game.tw-pddl that is known to be solvable.
      const place = path.join(games, 'json_2.1.1', split);
      const names = await readdir(place, { recursive: true });
      const found: string[] = [];
      for (const name of names.filter((one) => path.basename(one) === 'traj_data.json')) {
        const trial = path.dirname(path.join(place, name));
        const data = JSON.parse(await readFile(path.join(place, name), 'utf8')) as Trajectory;
        const game = JSON.parse(await readFile(path.join(trial, 'game.tw-pddl'), 'utf8')) as Game;
        expect(taskTypes).toContain(data.task_type);
        expect(name.startsWith(`${data.task_type}-${data.pddl_params.object_target}-None-`)).toBe(true);
        expect(name).toContain(`-${data.pddl_params.parent_target}${data.pddl_params.toggle_target}-`);
        expect(data.pddl_params).toMatchObject({ object_sliced: false, mrecep_target: '' });
        expect(path.basename(trial)).toBe(data.task_id);
        const [annotation] = data.turk_annotations.anns;
        expect(game.grammar).toContain(`Your task is to: ${annotation?.task_desc}`);
        if (game.solvable) found.push(trial);
      }
      expect(found).toHaveLength(20);
    },
  );

  it('writes the same bytes on a second run', async () => {
    const again = path.join(folder, 'again');
    await cairn(['games', again, '--tasks', '20', '--quiet']);
    expect(await filesOf(again)).toEqual(await filesOf(games));
    for (const name of await filesOf(again))
      expect(await readFile(path.join(again, name), 'utf8')).toBe(
        await readFile(path.join(games, name), 'utf8'),
      );
  });

  it('reports what it wrote, as a JSON document too', async () => {
    const { out } = await cairn([
      'games',
      path.join(folder, 'few'),
      '--panel',
      'seen',
      '--tasks',
      '2',
      '--dialect',
      'classic',
      '--json',
    ]);
    expect(JSON.parse(out)).toEqual({ folder: path.join(folder, 'few'), games: { valid_seen: 2 } });
    const [first = ''] = await filesOf(path.join(folder, 'few'));
    expect(await readFile(path.join(folder, 'few', first), 'utf8')).toContain('in/on');
  });

  it('overwrites nothing', async () => {
    const full = path.join(folder, 'full');
    await cairn(['games', full, '--tasks', '1', '--quiet']);
    await writeFile(path.join(full, 'note.txt'), 'mine');
    expect(await cairn(['games', full])).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        'the folder is not empty, and nothing is overwritten. Name a new folder.',
      ) as string,
    });
  });

  it('fails when its folder cannot be made', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, '');
    expect(await cairn(['games', path.join(file, 'games')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('it, or a part of its path, is a file and no folder') as string,
    });
  });
});

describe('alfworld on generated games', () => {
  const set = (): string => `files=${games}`;

  it('prints a benchmark in the columns of published papers', async () => {
    const { code, out } = await cairn([
      'bench',
      'alfworld',
      '--set',
      set(),
      '--agent',
      'random',
      '--agent',
      'expert',
      '--quiet',
    ]);
    expect(code).toBe(0);
    const head = out.split('\n').find((line) => line.startsWith('agent'));
    expect(head?.split(/ {2,}/).map((word) => word.replace(/ \(\d+\)$/, ''))).toEqual([
      'agent',
      'Pick',
      'Look',
      'Clean',
      'Heat',
      'Cool',
      'Pick2',
      'All',
      'turns',
      'time',
    ]);
    expect(out).toMatch(/^alfworld-v1, panel valid_unseen \(sha256:[0-9a-f]{12}\), 20 tasks$/m);
    expect(out).toMatch(/^searcher .* 100\.0 \[83\.9, 100\.0\] +\d+\.\d +\d+\.\d s$/m);
  });

  it('plays a panel whose fingerprint depends on the game files', async () => {
    const { out } = await cairn([
      'eval',
      'alfworld',
      '--set',
      set(),
      '--panel',
      'train',
      '--agent',
      'planner',
      '--json',
    ]);
    expect(JSON.parse(out)).toMatchObject({
      env: 'alfworld-v1',
      panel: { name: 'train', tasks: 18 },
      success: { rate: 1 },
    });
    const { code, out: said } = await cairn(['play', 'alfworld', '--set', set(), '--panel', 'valid_seen'], {
      stdin: 'look\nmake tea\n',
    });
    expect(code).toBe(0);
    expect(said).toMatch(
      /-= Welcome to TextWorld, ALFRED! =-[\s\S]*You are in the middle of a room[\s\S]*Nothing happens\./,
    );
  });

  it.each(['play', 'eval', 'bench', 'check', 'train'])(
    'reports in one paragraph what %s needs when no game files are given',
    async (command) => {
      const { code, err } = await cairn([
        command,
        'alfworld',
        ...(command === 'eval' ? ['--agent', 'random', '--panel', 'train'] : []),
      ]);
      expect(code).toBe(2);
      expect(err.split('\n').filter((line) => line.startsWith('error: '))).toHaveLength(1);
      expect(err).toMatch(
        /no game files are named, and this env has no games of its own\. Download the original games.*or write household games with `npx cairn-gym games FOLDER`/,
      );
    },
  );

  it('appears in the list of envs with what it needs', async () => {
    const { code, out } = await cairn(['envs']);
    expect(code).toBe(0);
    expect(out).toMatch(/alfworld-v1\n.*\n {2}needs +no game files are named/);
  });
});
