import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRng } from '../../../envs/core/rng.ts';
import type { TaskRef } from '../../../envs/core/task.ts';
import { trainConfigSchema } from '../../../trainers/loop/config.ts';
import { successAfter, successCounters, successFigures, successFrom } from '../../../trainers/loop/family-success.ts';
import { createTaskSampler } from '../../../trainers/loop/task-sampler.ts';
import { countersOf, initialState, stateFrom } from '../../../trainers/loop/train-state.ts';
import { drawUnsolved } from '../../../trainers/loop/unsolved-tasks.ts';
import { makePanel, makeTrajectory } from '../evaluate/make-trajectories.ts';

/** So many tasks of each family, one panel after another. */
const familiesOf = (sizes: Readonly<Record<string, number>>): ReadonlyMap<string, readonly TaskRef[]> =>
  new Map(Object.entries(sizes).map(([family, size]) => [family, Array.from({ length: size }, (_, index) => ({ panel: family, index }))]));

describe('tasks drawn by what is not solved yet', () => {
  const shapes = fc.dictionary(fc.string({ minLength: 1 }), fc.record({ size: fc.integer({ min: 1, max: 9 }), success: fc.double({ min: 0, max: 1, noNaN: true }) }), { minKeys: 1, maxKeys: 6 });

  it('are different ones, as many as asked for or there are', () => {
    fc.assert(
      fc.property(shapes, fc.integer({ min: 1, max: 60 }), fc.nat(), (shape, count, seed) => {
        const families = familiesOf(Object.fromEntries(Object.entries(shape).map(([family, { size }]) => [family, size])));
        const success = Object.fromEntries(Object.entries(shape).map(([family, of]) => [family, of.success]));
        const drawn = drawUnsolved(families, success, { count, floor: 0.15, rng: createRng(seed) });
        const there = [...families.values()].flat();
        expect(drawn).toHaveLength(Math.min(count, there.length));
        expect(new Set(drawn).size).toBe(drawn.length);
        for (const task of drawn) expect(there).toContain(task);
      }),
    );
  });

  it('are of a family as often as its weight says, and any of its tasks as often as another', () => {
    const families = familiesOf({ mastered: 100, half: 25, never: 4 });
    const success = { mastered: 1, half: 0.5, never: 0 };
    const draws = 30_000;
    const seen = new Map<string, number>();
    for (let seed = 0; seed < draws; seed += 1) {
      const [task] = drawUnsolved(families, success, { count: 1, floor: 0.2, rng: createRng(seed) });
      for (const name of [task?.panel ?? '', `${task?.panel} ${task?.index}`]) seen.set(name, (seen.get(name) ?? 0) + 1);
    }
    // By hand: 0.2 * 10, 0.7 * 5 and 1.2 * 2.
    const total = 2 + 3.5 + 2.4;
    for (const [name, share] of [['mastered', 2 / total], ['half', 3.5 / total], ['never', 2.4 / total], ['never 0', 0.6 / total], ['never 3', 0.6 / total]] as const) {
      const spread = 4 * Math.sqrt((share * (1 - share)) / draws);
      expect(Math.abs((seen.get(name) ?? 0) / draws - share), name).toBeLessThan(spread);
    }
  });

  it('take a family that was never played for half solved', () => {
    const families = familiesOf({ known: 9, unknown: 9 });
    const draw = (known: number): unknown => drawUnsolved(families, { known }, { count: 12, floor: 0.15, rng: createRng(7) });
    expect(draw(0.5)).toEqual(drawUnsolved(families, {}, { count: 12, floor: 0.15, rng: createRng(7) }));
    expect(draw(1)).not.toEqual(draw(0.5));
  });
});

describe('success by family', () => {
  it('is a running mean over the episodes in their order', () => {
    const episodes = [makeTrajectory(0, 'solved'), makeTrajectory(1, 'failed'), makeTrajectory(3, 'solved'), makeTrajectory(3, 'truncated')];
    // cool: 0.5, then two solved and one not, a quarter of the way each; heat: one not solved.
    expect(successAfter({}, episodes, 4)).toEqual({ cool: (0.5 + 0.125 + (1 - 0.625) / 4) * 0.75, heat: 0.375 });
    expect(successAfter({ heat: 0.2, other: 1 }, episodes.slice(1, 2), 2)).toEqual({ heat: 0.1, other: 1 });
  });

  it('learns nothing from episodes that faulted', () => {
    expect(successAfter({ cool: 0.3 }, [makeTrajectory(0, 'faulted'), makeTrajectory(1, 'faulted')], 4)).toEqual({ cool: 0.3 });
  });

  it('is told in the metrics, unless there are more families than anybody reads', () => {
    expect(successFigures({ cool: 0.25, heat: 1 })).toEqual({ 'tasks/success/cool': 0.25, 'tasks/success/heat': 1 });
    expect(successFigures(Object.fromEntries(Array.from({ length: 25 }, (_, family) => [`kind ${family}`, 0.5])))).toEqual({});
  });

  it('comes back from a checkpoint to the last digit, whatever the families are called', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.double({ min: 0, max: 1, noNaN: true })), (familySuccess) => {
        expect(successFrom(successCounters(familySuccess))).toEqual({ ...familySuccess });
        const state = { ...initialState, iteration: 3, episodes: 8, familySuccess: { ...familySuccess } };
        const counters = z.record(z.string(), z.number()).parse(JSON.parse(JSON.stringify(countersOf(state))));
        expect(stateFrom({ iteration: 3, counters })).toEqual(state);
      }),
    );
  });
});

describe('a task sampler', () => {
  const panel = makePanel(30);
  const families = ['cool', 'heat', 'look'];
  const source = { panels: [], describeTask: ({ index }: TaskRef) => ({ family: families[index % 3] as string, instruction: '', content: index }) };
  const sampler = (config: object): ReturnType<typeof createTaskSampler> =>
    createTaskSampler({ config: trainConfigSchema.parse({ env: 'maze-v1', groups: 6, ...config }), panel, source, rng: createRng(1) });

  it('goes through the panel pass by pass unless told otherwise, and keeps nothing in mind', () => {
    const passes = sampler({});
    const met = [0, 1, 2, 3, 4].flatMap((iteration) => passes.next(iteration, {})).map(({ index }) => index);
    expect(new Set(met).size).toBe(30);
    expect(passes.learn({}, [makeTrajectory(0, 'solved')])).toEqual({});
  });

  it('draws by what is not solved where told to, differently in each iteration and alike when asked again', () => {
    const unsolved = sampler({ taskSampling: { kind: 'unsolved', memory: 2 } });
    const known = unsolved.learn({}, [makeTrajectory(0, 'solved'), makeTrajectory(1, 'failed')]);
    expect(known).toEqual({ cool: 0.75, heat: 0.25 });
    expect(unsolved.next(4, known)).toEqual(unsolved.next(4, known));
    expect(unsolved.next(4, known)).not.toEqual(unsolved.next(5, known));
    expect(unsolved.next(4, known)).not.toEqual(sampler({}).next(4, known));
  });
});
