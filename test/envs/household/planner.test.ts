import { describe, expect, it } from 'vitest';
import { listAdmissible } from '../../../envs/household/admissible.ts';
import { dialects } from '../../../envs/household/dialect.ts';
import { perform } from '../../../envs/household/dynamics.ts';
import type { Goal } from '../../../envs/household/goal.ts';
import { planTask } from '../../../envs/household/planner.ts';
import { restorePoint, savePoint, type SavedPoint } from '../../../envs/household/snapshot.ts';
import { Episode } from '../../../envs/household/episode.ts';
import type { HouseholdTask } from '../../../envs/household/task.ts';
import { bedroom, kitchen, roomTask, sceneOf } from './small-rooms.ts';

describe('planTask', () => {
  it('chooses the nearest object and place', () => {
    const plan = planTask(
      kitchen({ family: 'clean', object: 'mug', receptacle: 'countertop' }, 'put a clean mug in countertop.'),
      dialects.current,
    );
    expect(plan).toEqual([
      'go to countertop 1',
      'take mug 1 from countertop 1',
      'go to sinkbasin 1',
      'clean mug 1 with sinkbasin 1',
      'go to countertop 1',
      'move mug 1 to countertop 1',
    ]);
  });

  it('cools in front of the fridge that held the object', () => {
    const plan = planTask(
      kitchen({ family: 'cool', object: 'egg', receptacle: 'countertop' }, 'put a cool egg in countertop.'),
      dialects.classic,
    );
    expect(plan).toEqual([
      'go to fridge 1',
      'open fridge 1',
      'take egg 1 from fridge 1',
      'cool egg 1 with fridge 1',
      'go to countertop 1',
      'put egg 1 in/on countertop 1',
    ]);
  });

  it('fetches one object after the other and opens the goal once', () => {
    const plan = planTask(
      bedroom({ family: 'pick2', object: 'cd', receptacle: 'safe' }, 'put two cd in safe.'),
      dialects.current,
    );
    expect(plan).toHaveLength(10);
    expect(plan?.filter((command) => command === 'open safe 1')).toHaveLength(1);
  });

  it('returns no plan when there is nothing to fetch', () => {
    expect(
      planTask(
        bedroom({ family: 'pick', object: 'mug', receptacle: 'safe' }, 'put a mug in safe.'),
        dialects.current,
      ),
    ).toBeUndefined();
  });
});

/** Steps of the shortest solution, found by trying everything. */
function shortestSolution(task: HouseholdTask): number {
  const scene = sceneOf(task);
  const start = new Episode(scene);
  const seen = new Set([start.world.key()]);
  let frontier: readonly SavedPoint[] = [savePoint(start, '')];
  for (let steps = 1; frontier.length > 0; steps += 1) {
    const next: SavedPoint[] = [];
    for (const point of frontier) {
      for (const command of listAdmissible(restorePoint(scene, point))) {
        const episode = restorePoint(scene, point);
        perform(episode, scene.commands.code(command) as number);
        if (episode.isSolved()) return steps;
        if (seen.has(episode.world.key())) continue;
        seen.add(episode.world.key());
        next.push(savePoint(episode, ''));
      }
    }
    frontier = next;
  }
  return Number.POSITIVE_INFINITY;
}

describe('planTask and exhaustive search', () => {
  const places = ['countertop 1', 'drawer 1', 'fridge 1', 'microwave 1', 'sinkbasin 1'];
  const objects = {
    'cup 1': 'drawer 1',
    'cup 2': 'countertop 1',
    'cup 3': 'fridge 1',
    'desklamp 1': 'countertop 1',
  };
  const goals: readonly Goal[] = [
    { family: 'pick', object: 'cup', receptacle: 'microwave' },
    { family: 'clean', object: 'cup', receptacle: 'drawer' },
    { family: 'heat', object: 'cup', receptacle: 'fridge' },
    { family: 'cool', object: 'cup', receptacle: 'microwave' },
    { family: 'pick2', object: 'cup', receptacle: 'sinkbasin' },
    { family: 'look', object: 'cup', lamp: 'desklamp' },
  ];

  it.each(goals)('find equally short solutions: $family', (goal) => {
    const task = roomTask({ goal, instruction: 'by hand.', places, objects });
    expect(planTask(task, dialects.current)).toHaveLength(shortestSolution(task));
  });
});
