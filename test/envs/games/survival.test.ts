import { describe, expect, test } from 'vitest';
import { createRng } from '../../../envs/core/rng.ts';
import { advance } from '../../../envs/games/survival/advance.ts';
import { daylightAt } from '../../../envs/games/survival/balance.ts';
import { achievements, survivalScore, type Stock } from '../../../envs/games/survival/rules.ts';
import { actionsOf, describe as show, readView } from '../../../envs/games/survival/view.ts';
import type { SurvivalWorld, Thing } from '../../../envs/games/survival/world.ts';

const needs: Stock = { health: 9, food: 9, drink: 9, energy: 9 };

/** A meadow with the player in its middle, who faces right to a cell of this material. */
function meadow(ahead: string, stock: Stock = {}, things: readonly Thing[] = []): SurvivalWorld {
  const grass = '.'.repeat(64);
  const rows = Array.from({ length: 64 }, (_, y) =>
    y === 32 ? `${grass.slice(0, 33)}${ahead}${grass.slice(34)}` : grass,
  );
  const player = {
    x: 32,
    y: 32,
    facing: 1,
    sleeping: false,
    hunger: 0,
    thirst: 0,
    fatigue: 0,
    recovery: 0,
    healthBefore: 9,
  };
  return { rows, player, stock: { ...needs, ...stock }, things, unlocked: [], steps: 0 };
}

const play = (world: SurvivalWorld, ...actions: readonly string[]): SurvivalWorld => {
  const rng = createRng(1);
  return actions.reduce((now, action, step) => advance(now, action, rng.fork(step)), world);
};

describe('the survival world', () => {
  test('wood becomes a table and tools, and stone needs a pickaxe', () => {
    const bare = play(meadow('#'), 'do');
    expect(bare.unlocked).toEqual([]);
    const made = play(meadow('.', { wood: 5 }), 'place table', 'make wood pickaxe', 'make wood sword');
    expect(made.unlocked).toEqual(['place table', 'make wood pickaxe', 'make wood sword']);
    expect(made.stock).toMatchObject({ wood: 1, 'wood pickaxe': 1, 'wood sword': 1 });
    const dug = play(meadow('#', { 'wood pickaxe': 1 }), 'do');
    expect(dug.unlocked).toEqual(['collect stone']);
    expect(dug.rows[32]?.[33]).toBe('_');
  });

  test('lava kills, and a need at 0 takes health', () => {
    expect(play(meadow('^'), 'move right').stock.health).toBe(0);
    const thirsty = play(meadow('.', { drink: 0 }), ...Array.from({ length: 16 }, () => 'wait'));
    expect(thirsty.stock.health).toBe(8);
  });

  test('a sleeper acts no more until its energy is full, and then wakes up', () => {
    const asleep = play(meadow('#', { energy: 8 }), 'sleep');
    expect(asleep.player.sleeping).toBe(true);
    expect(actionsOf(asleep)).toEqual(['wait']);
    const awake = play(asleep, ...Array.from({ length: 12 }, () => 'move left'));
    expect(awake.unlocked).toContain('wake up');
  });

  test('a zombie beside a sleeper takes seven points, and wakes it', () => {
    const zombie: Thing = { kind: 'zombie', x: 33, y: 32, health: 5, count: 0 };
    const struck = play(meadow('.', { energy: 3 }, [zombie]), 'sleep');
    expect(struck.stock.health).toBe(2);
    expect(play(struck, 'wait').player.sleeping).toBe(false);
  });

  test('a cow is eaten after three blows, and a ripe plant feeds again and again', () => {
    const cow: Thing = { kind: 'cow', x: 33, y: 32, health: 1, count: 0 };
    expect(play(meadow('.', { food: 2 }, [cow]), 'do')).toMatchObject({
      stock: { food: 8 },
      unlocked: ['eat cow'],
    });
    const plant: Thing = { kind: 'plant', x: 33, y: 32, health: 1, count: 301 };
    const eaten = play(meadow('.', { food: 2 }, [plant]), 'do');
    expect(eaten.stock.food).toBe(6);
    expect(eaten.things).toMatchObject([{ kind: 'plant', count: 1 }]);
  });

  test('an observation has all that a player reads from it', () => {
    const world = meadow('T', { wood: 3 }, [{ kind: 'cow', x: 31, y: 31, health: 3, count: 0 }]);
    expect(readView(show(world))).toMatchObject({
      facing: 1,
      sleeping: false,
      stock: { wood: 3, energy: 9 },
    });
    expect(readView(show(world)).map.slice(2, 4)).toEqual(['...C.....', '....@T...']);
  });

  test('a day is bright, and its end is dark', () => {
    expect(daylightAt(60)).toBeCloseTo(1, 5);
    expect(daylightAt(210)).toBeCloseTo(0, 5);
  });

  test('the score is the geometric mean of the success rates', () => {
    expect(survivalScore(Object.fromEntries(achievements.map((name) => [name, 0.5])))).toBeCloseTo(50, 9);
    expect(survivalScore({})).toBe(0);
    expect(survivalScore({ 'collect wood': 1 })).toBeCloseTo(101 ** (1 / 22) - 1, 9);
  });
});
