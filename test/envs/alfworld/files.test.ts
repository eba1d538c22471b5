import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { householdGame } from '../../../cli/games/household-game.ts';
import { alfworldEnv, type AlfworldConfig } from '../../../envs/alfworld/definition.ts';
import { findGames } from '../../../envs/alfworld/find-games.ts';
import type { EnvHost } from '../../../envs/core/env.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { HouseholdPanels } from '../../../envs/household/panels.ts';
import { worldPanels } from '../../../envs/household/world-panels.ts';
import { openEnv } from '../../../envs/open.ts';
import { asKeptOut } from '../../support/kept-out.ts';
import { makePipe } from '../../support/make-pipe.ts';
import { context } from './twin-worlds.ts';

const household = new HouseholdPanels('household-v1', worldPanels);
const gameOf = (index: number): ReturnType<typeof householdGame> =>
  householdGame(household.task({ panel: 'train', index }), 'current');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cairn-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(place: string, content: object): string {
  const file = path.join(folder, ...place.split('/'));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const open = (
  files: AlfworldConfig['files'],
  config: Partial<AlfworldConfig> = {},
): Promise<EnvHost<string, string>> => openEnv(alfworldEnv, { files, dev: 0, ...config }, context);
const sizes = ({ panels }: EnvHost<string, string>): object =>
  Object.fromEntries(panels.map(({ name, size }) => [name, size]));
const find = async (...entries: readonly string[]): Promise<readonly string[]> =>
  (await findGames(entries, context.signal)).map(({ name }) => name);

describe('the files option of alfworld-v1', () => {
  beforeEach(() => {
    for (const name of ['a/one', 'a/two', 'b/deep/three', 'b/Four']) put(`${name}/game.tw-pddl`, {});
    put('a/one/traj_data.json', {});
    put('b/other.tw-pddl', {});
  });

  it('finds game files in folders, ordered by name', async () => {
    expect(await find(folder)).toEqual([
      'a/one/game.tw-pddl',
      'a/two/game.tw-pddl',
      'b/Four/game.tw-pddl',
      'b/deep/three/game.tw-pddl',
      'b/other.tw-pddl',
    ]);
  });

  it('finds game files by patterns, each once', async () => {
    expect(await find(`${folder}/a/*/game.tw-pddl`, folder, `${folder}/a`)).toHaveLength(5);
    expect(await find(`${folder}/**/game.tw-pddl`)).toHaveLength(4);
    expect(await find(`${folder}/b/?our/*.tw-pddl`)).toEqual(['Four/game.tw-pddl']);
    expect(await find(`${folder}/b/deep/**`)).toHaveLength(1);
  });

  it.each([
    ['nowhere', /there is no such file or folder/],
    ['nowhere/*.tw-pddl', /there is no folder .*nowhere/],
    ['a/one/*.txt', /it contains no game files/],
  ])('refuses %s', async (name, says) => {
    await expect(find(path.join(folder, name))).rejects.toThrow(says);
  });

  it.each([
    ['a pipe', (file: string) => makePipe(file)],
    ['a folder', (file: string) => rm(file, { recursive: true }).then(() => mkdirSync(file))],
    [
      'a folder with a game in it',
      (file: string) =>
        rm(file, { recursive: true }).then(() => void put('two/game.tw-pddl/game.tw-pddl', gameOf(0))),
    ],
  ])('refuses by name a game file that is %s', async (_, spoil) => {
    for (const name of ['one', 'two']) put(`${name}/game.tw-pddl`, gameOf(0));
    const place = path.join(folder, 'two', 'game.tw-pddl');
    await spoil(place);
    for (const files of [place, path.join(folder, 'two'), path.join(folder, 'two', '*.tw-pddl')]) {
      await expect(open(files)).rejects.toThrow(`${place}: it is not a regular file.`);
    }
  });

  it('refuses files in or behind an unreadable folder', async () => {
    chmodSync(folder, 0o755);
    const closed = path.join(folder, 'b', 'deep');
    chmodSync(closed, 0);
    for (const [files, where] of [
      [folder, closed],
      [`${folder}/**/*.tw-pddl`, closed],
      [`${closed}/three/game.tw-pddl`, `${closed}/three/game.tw-pddl`],
    ] as const) {
      await expect(asKeptOut(() => open(files))).rejects.toSatisfy(
        (thrown) =>
          UsageError.is(thrown) &&
          thrown.parts.where === `config of alfworld-v1, files: ${where}` &&
          thrown.parts.what.startsWith('it cannot be read: you are not allowed to read it'),
      );
    }
    chmodSync(closed, 0o755);
  });

  it('refuses a folder without games', async () => {
    mkdirSync(path.join(folder, 'empty'));
    await expect(find(path.join(folder, 'empty'))).rejects.toThrow(
      /it contains no game files\. Games are files whose names end in "\.tw-pddl"/,
    );
  });
});

describe('the panels of alfworld-v1', () => {
  it('splits of the folders become panels, and other files belong to train', async () => {
    for (const [place, index] of [
      ['train/x', 0],
      ['valid_seen/x', 1],
      ['valid_unseen/x', 2],
      ['valid_unseen/y', 3],
      ['anywhere', 4],
    ] as const)
      put(`${place}/game.tw-pddl`, gameOf(index));
    expect(sizes(await open(folder))).toEqual({ train: 2, valid_seen: 1, valid_unseen: 2 });
  });

  it('games that the original skips are left out by default', async () => {
    put('train/pick_and_place_simple-Mug-None-Desk-1/t/game.tw-pddl', gameOf(0));
    put('train/pick_and_place_simple-AppleSliced-None-Desk-1/t/game.tw-pddl', gameOf(1));
    put('train/pick_and_place_with_movable_recep-Mug-Bowl-Desk-1/t/game.tw-pddl', gameOf(2));
    put('train/pick_and_place_simple-Cup-None-Desk-1/t/game.tw-pddl', { ...gameOf(3), solvable: null });
    put('train/pick_and_place_simple-Pen-None-Desk-1/t/game.tw-pddl', { ...gameOf(4), solvable: undefined });
    expect(sizes(await open(folder))).toEqual({ train: 2 });
    expect(sizes(await open(folder, { skip: 'nothing' }))).toEqual({ train: 5 });
  });

  it('dev takes the same games wherever they lie, at most a tenth, none twice', async () => {
    for (let index = 0; index < 40; index += 1) put(`train/x/${index}/game.tw-pddl`, gameOf(index));
    put('train/x/copy/game.tw-pddl', gameOf(0));
    const host = await open(folder, { dev: 100 });
    const digests = (of: EnvHost<string, string>, panel: string): ReadonlySet<string> => {
      const size = of.panels.find(({ name }) => name === panel)?.size ?? 0;
      return new Set(
        Array.from({ length: size }, (_, index) => JSON.stringify(of.describeTask({ panel, index }).content)),
      );
    };
    const dev = digests(host, 'dev');
    expect(dev.size).toBe(4);
    expect(digests(host, 'train').size).toBe(36);
    expect([...dev].some((digest) => digests(host, 'train').has(digest))).toBe(false);
    for (let index = 0; index < 40; index += 1)
      put(`elsewhere/train/${39 - index}-other/game.tw-pddl`, gameOf(index));
    expect(digests(await open(path.join(folder, 'elsewhere'), { dev: 100 }), 'dev')).toEqual(dev);
  });

  it('dev takes none of nine games, since one would exceed a tenth', async () => {
    for (let index = 0; index < 9; index += 1) put(`train/${index}/game.tw-pddl`, gameOf(index));
    expect(sizes(await open(folder, { dev: 100 }))).toEqual({ train: 9 });
    put('train/9/game.tw-pddl', gameOf(9));
    expect(sizes(await open(folder, { dev: 100 }))).toEqual({ train: 9, dev: 1 });
  });

  it('held-out panels keep games that also occur in train or dev', async () => {
    for (let index = 0; index < 10; index += 1)
      for (const split of ['train', 'valid_seen', 'valid_unseen'])
        put(`${split}/${index}/game.tw-pddl`, gameOf(index));
    expect(sizes(await open(folder, { dev: 100 }))).toEqual({
      train: 9,
      dev: 1,
      valid_seen: 10,
      valid_unseen: 10,
    });
  });

  it('the folder name, or else the goal, determines the family', async () => {
    const { family, instruction } = household.describeTask({ panel: 'train', index: 0 });
    put('train/plain/game.tw-pddl', gameOf(0));
    put('train/pick_two_obj_and_place-Mug-None-Desk-1/t/game.tw-pddl', gameOf(0));
    const host = await open(folder);
    expect(host.describeTask({ panel: 'train', index: 1 })).toMatchObject({ family, instruction });
    expect(host.describeTask({ panel: 'train', index: 0 })).toMatchObject({ family: 'pick2', instruction });
  });
});
