import { expect, test } from 'vitest';
import { createContext, StepContext } from '../../../envs/core/context.ts';
import { FeatureReader } from '../../../envs/core/features.ts';
import type { ActingTurn } from '../../../envs/core/step.ts';
import { gameEnvs } from '../../../envs/games/games.ts';
import { openEnv } from '../../../envs/open.ts';
import { findPuzzle, puzzles } from '../../../envs/puzzle/puzzles.ts';

const context = createContext({ seed: 0, now: () => 0 });
const stepWise = puzzles.flatMap(({ envs }) => envs.filter(({ id }) => id.endsWith('-moves-v1')));

/** Games whose questions or guesses are words, which the choice policy reads as they are. */
const inWords = new Set([
  'game-wordle-v1',
  'game-wordle-lmrl-v1',
  'game-twenty-questions-v1',
  'game-guess-my-city-v1',
]);
const games = gameEnvs.filter(({ id }) => !inWords.has(id));

test.each([...stepWise, ...games].map((definition) => [definition.id, definition] as const))(
  '%s declares a board or fields, and a target in it for each action',
  async (id, definition) => {
    const isPuzzle = id.startsWith('puzzle-');
    const host = await openEnv(definition, isPuzzle ? { difficulty: 1 } : {}, context);
    const env = await host.create();
    const reader = new FeatureReader(definition.text);
    const player = host.experts?.searcher?.(context.rng);
    let turn: ActingTurn<unknown, unknown> | undefined = await env.reset(
      { panel: 'train', index: 0 },
      context,
    );
    for (let step = 0; step < 6 && turn !== undefined; step += 1) {
      const { observation, admissible = [] } = turn;
      const words = admissible.map((action) => definition.text.action(action));
      const { features, targets } = reader.read(observation, words, id);
      expect(Object.keys(features ?? {})).not.toEqual([]); // a grid or fields, which may be empty
      expect(targets).not.toContain(undefined);
      // each move has a target of its own
      if (isPuzzle) expect(new Set(targets.map((target) => JSON.stringify(target))).size).toBe(words.length);
      const rows = features?.grid?.rows;
      for (const target of targets) {
        if (rows === undefined || target?.cell === undefined) continue;
        const [row, column] = target.cell;
        expect(rows[row]?.[column]).toBeDefined();
      }
      const steps = new StepContext(context);
      const result = await env.step(await player?.act(turn), steps);
      turn = result.kind === 'ongoing' ? result : undefined;
    }
    await host.close();
  },
);

test.each([
  ['sudoku-4', 'row 2 column 3 is 4', { verb: 'write', cell: [1, 2], value: '4' }],
  ['skyscraper', 'row 1 column 1 is 2', { verb: 'write', cell: [1, 1], value: '2' }], // the clues stand around
  ['maze', 'left', { verb: 'go', direction: [0, -1] }],
  ['eight-puzzle', 'up', { verb: 'slide', value: 'up', direction: [1, 0] }], // the tile below the hole
  ['minimum-spanning-tree', 'take 2-5', { verb: 'take', cell: [1, 4] }],
  ['countdown', '7 - 1/2', { verb: '-', fields: { left: 7, right: 0.5, result: 6.5, whole: false } }],
])('the moves of %s, such as "%s", name their target', (name, move, target) => {
  const [, moves] = findPuzzle(name as 'maze').envs;
  expect(moves?.text.target?.(move)).toEqual(target);
});
