// Slow: trains until something is learnt.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { householdEnv } from '../../envs/household/definition.ts';
import { shopEnv } from '../../envs/shop/definition.ts';
import { recipeFor } from '../../trainers/recipes/recipe.ts';
import { useFolder } from '../support/own-folder.ts';
import { trainShortly } from '../support/short-training.ts';

const inFolder = useFolder();

/** The recipe, cut to eight iterations and 48 tasks of `dev`: some 13 seconds of one core. */
const changes = [
  'evaluation.every=4',
  'evaluation.tasks=48',
  'warmStart.epochs=15',
  'warmStart.evaluateEvery=15',
  'trajectories.every=8',
  'finalPanels=[]',
];

it('cairn-gym train shop raises the mean score from below 0.45 to above 0.55 in eight iterations', async () => {
  const evaluations = await trainShortly(
    inFolder('run'),
    ['shop', '--seed', '11', '--iterations', '8', '--group-size', '6'],
    changes,
  );
  const scores = evaluations.map(({ score }) => score.mean);
  expect(scores).toHaveLength(3);
  expect(scores[0]).toBeLessThan(0.45);
  expect(scores[2]).toBeGreaterThan(0.55);
});

it('cairn-gym train shop records its view of pages, which only the shop recipe sets', async () => {
  const config = JSON.parse(await readFile(inFolder('run', 'config.json'), 'utf8')) as unknown;
  expect(JSON.stringify(config)).toContain('"surroundings":true');
  expect(recipeFor(shopEnv).policy).toMatchObject({ surroundings: true });
  expect(recipeFor(householdEnv).policy).not.toHaveProperty('surroundings');
});
