import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { GameBuilder } from '../../../envs/alfworld/game.ts';
import { planGame } from '../../../envs/alfworld/planner.ts';
import { goldenEpisodes, goldenGame, replay } from './golden-games.ts';

// What TextWorld 1.7.0 itself printed for games of this project: see test/golden/alfworld/make-goldens.py.
describe.each(['harbour', 'attic', 'parlour', 'household-current', 'household-classic'])(
  'the game %s',
  (name) => {
    it('gives the texts, commands and ends that TextWorld recorded', () => {
      const game = goldenGame(name);
      const episodes = goldenEpisodes(name);
      for (const lines of episodes) expect(replay(game, lines)).toEqual(lines);
      expect(episodes.flat().length).toBeGreaterThan(200);
      expect(episodes.filter((lines) => lines.at(-1)?.won === true).length).toBeGreaterThan(0);
    });

    it('planGame returns the walkthrough, or finds a solution without it', () => {
      const game = goldenGame(name);
      expect(planGame(game, 50)).toEqual(game.walkthrough);
      const found = planGame(Object.assign(goldenGame(name), { walkthrough: undefined }), 50);
      expect(found?.length).toBeGreaterThan(0);
    });
  },
);

// The original's own domain, grammars and one of its problems, when the environment names a folder with them. They are not part of this
// project. See cases in the README of envs/alfworld.
const cases = process.env['CAIRN_ALFWORLD_CASES'] ?? '';
describe.each(cases === '' ? [] : [cases])('the original files in %s', (folder) => {
  const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
  const problem = read('textworld-instance/problem.pddl');

  it.each([
    ['current', 'alfred.pddl', 'alfred.twl2', 'Your task is to: look at cd under the desklamp.'],
    [
      'older',
      'textworld-instance/domain.pddl',
      'textworld-instance/grammar.twl2',
      'Your task is to examine a CD under a light source.',
    ],
  ])('a game in the %s dialect loads and plays to its goal', (_, domain, grammar, task) => {
    const game = new GameBuilder().build('the instance', {
      domain: read(domain),
      problem,
      grammar: read(grammar),
      walkthrough: undefined,
      solvable: true,
    });
    const plan = planGame(game, 50) ?? [];
    const lines = replay(
      game,
      [null, ...plan].map((command) => ({ command, text: '', admissible: '', won: false })),
    );
    expect(lines[0]?.text).toContain(task);
    expect(plan).toEqual(['go to desk', 'take cd from desk', 'use desklamp']);
    expect(lines.map(({ won }) => won)).toEqual([false, false, false, true]);
  });
});
