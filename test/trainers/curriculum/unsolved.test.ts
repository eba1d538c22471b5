import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRng } from '../../../envs/core/rng.ts';
import type { TaskRef } from '../../../envs/core/task.ts';
import { drawUnsolved, successAfter, successFigures } from '../../../trainers/curriculum/unsolved.ts';
import { makeTrajectory } from '../evaluate/make-trajectories.ts';

/** So many tasks of each family, one panel after another. */
const familiesOf = (
  sizes: readonly (readonly [family: string, size: number])[],
): ReadonlyMap<string, readonly TaskRef[]> =>
  new Map(
    sizes.map(([family, size]) => [
      family,
      Array.from({ length: size }, (_, index) => ({ panel: family, index })),
    ]),
  );

/** Names of families, those that objects have by nature among them. */
const familyName = fc.oneof(fc.string(), fc.constantFrom('constructor', 'toString', '__proto__', 'a/b'));

describe('tasks drawn by success', () => {
  const family = fc.record({
    name: familyName,
    size: fc.integer({ min: 1, max: 9 }),
    success: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  });
  const shapes = fc.uniqueArray(family, { selector: ({ name }) => name, minLength: 1, maxLength: 6 });

  it('differ, and number as many as requested or available', () => {
    fc.assert(
      fc.property(shapes, fc.integer({ min: 1, max: 60 }), fc.nat(), (shape, count, seed) => {
        const families = familiesOf(shape.map(({ name, size }) => [name, size]));
        const success = new Map(
          shape.flatMap((of) => (of.success === undefined ? [] : [[of.name, of.success] as const])),
        );
        const drawn = drawUnsolved(families, success, { count, floor: 0.15, rng: createRng(seed) });
        const there = [...families.values()].flat();
        expect(drawn).toHaveLength(Math.min(count, there.length));
        expect(new Set(drawn).size).toBe(drawn.length);
        for (const task of drawn) expect(there).toContain(task);
      }),
    );
  });

  it('include every family, whatever its name', () => {
    const names = ['constructor', 'toString', '__proto__', 'a/b'];
    const families = familiesOf(names.map((name) => [name, 10]));
    const drawn = Array.from({ length: 40 }, (_, seed) =>
      drawUnsolved(families, new Map(), { count: 1, floor: 0.15, rng: createRng(seed) }),
    ).flat();
    expect(new Set(drawn.map(({ panel }) => panel))).toEqual(new Set(names));
  });

  it('follow the weights of the families, and are uniform within a family', () => {
    const families = familiesOf([
      ['mastered', 100],
      ['half', 25],
      ['never', 4],
    ]);
    const success = new Map([
      ['mastered', 1],
      ['half', 0.5],
      ['never', 0],
    ]);
    const draws = 30_000;
    const seen = new Map<string, number>();
    for (let seed = 0; seed < draws; seed += 1) {
      const [task] = drawUnsolved(families, success, { count: 1, floor: 0.2, rng: createRng(seed) });
      for (const name of [task?.panel ?? '', `${task?.panel} ${task?.index}`])
        seen.set(name, (seen.get(name) ?? 0) + 1);
    }
    // By hand: 0.2 * 10, 0.7 * 5 and 1.2 * 2.
    const total = 2 + 3.5 + 2.4;
    for (const [name, share] of [
      ['mastered', 2 / total],
      ['half', 3.5 / total],
      ['never', 2.4 / total],
      ['never 0', 0.6 / total],
      ['never 3', 0.6 / total],
    ] as const) {
      const spread = 4 * Math.sqrt((share * (1 - share)) / draws);
      expect(Math.abs((seen.get(name) ?? 0) / draws - share), name).toBeLessThan(spread);
    }
  });

  it('treat a family that was never played as half solved', () => {
    const families = familiesOf([
      ['known', 9],
      ['unknown', 9],
    ]);
    const draw = (known: readonly (readonly [string, number])[]): unknown =>
      drawUnsolved(families, new Map(known), { count: 12, floor: 0.15, rng: createRng(7) });
    expect(draw([['known', 0.5]])).toEqual(draw([]));
    expect(draw([['known', 1]])).not.toEqual(draw([]));
  });

  it('follow an independent order in each family', () => {
    const families = familiesOf([
      ['one', 30],
      ['other', 30],
    ]);
    const drawn = drawUnsolved(families, new Map(), { count: 60, floor: 0.15, rng: createRng(2) });
    const orderOf = (name: string): readonly number[] =>
      drawn.flatMap(({ panel, index }) => (panel === name ? [index] : []));
    expect(orderOf('one')).not.toEqual(orderOf('other'));
  });
});

describe('success by family', () => {
  it('averages over the episodes in order, as a running mean', () => {
    const episodes = [
      makeTrajectory(0, 'solved'),
      makeTrajectory(1, 'failed'),
      makeTrajectory(3, 'solved'),
      makeTrajectory(3, 'truncated'),
    ];
    // cool: 0.5, then two solved and one not, a quarter of the way each; heat: one not solved.
    expect(successAfter(new Map(), episodes, 4)).toEqual(
      new Map([
        ['cool', (0.5 + 0.125 + (1 - 0.625) / 4) * 0.75],
        ['heat', 0.375],
      ]),
    );
    expect(
      successAfter(
        new Map([
          ['heat', 0.2],
          ['other', 1],
        ]),
        episodes.slice(1, 2),
        2,
      ),
    ).toEqual(
      new Map([
        ['heat', 0.1],
        ['other', 1],
      ]),
    );
  });

  it('ignores faulted episodes', () => {
    const known = new Map([['cool', 0.3]]);
    expect(successAfter(known, [makeTrajectory(0, 'faulted'), makeTrajectory(1, 'faulted')], 4)).toEqual(
      known,
    );
  });

  it('appears per iteration in the metrics, unless there are too many families', () => {
    const episodes = [
      makeTrajectory(0, 'solved'),
      makeTrajectory(0, 'failed'),
      makeTrajectory(0, 'faulted'),
      makeTrajectory(1, 'truncated'),
    ];
    expect(successFigures(episodes)).toEqual({ 'tasks/success/cool': 0.5, 'tasks/success/heat': 0 });
    expect(successFigures([makeTrajectory(1, 'faulted')])).toEqual({});
    expect(
      successFigures(
        Array.from({ length: 25 }, (_, number) => ({
          ...makeTrajectory(0, 'solved'),
          family: `kind ${number}`,
        })),
      ),
    ).toEqual({});
  });
});
