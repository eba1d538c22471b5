import { describe, expect, it } from 'vitest';
import type { Trajectory, TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import type { Json } from '../../../envs/core/json.ts';
import { createRng } from '../../../envs/core/rng.ts';
import type { TaskPanel } from '../../../envs/core/task.ts';
import { trainConfigSchema } from '../../../trainers/config/config.ts';
import { absoluteAdvantages } from '../../../trainers/curriculum/arms.ts';
import type { OpenCurriculum } from '../../../trainers/curriculum/curriculum.ts';
import { upperBound } from '../../../trainers/curriculum/dump.ts';
import { openCurriculum } from '../../../trainers/curriculum/open-curriculum.ts';
import { makePanel, makeTrajectory, type Ending } from '../evaluate/make-trajectories.ts';

// The golden numbers were computed by hand from the formulas of the papers; each test shows the calculation.

const names = ['maze level-1', 'maze level-2', 'maze level-10', 'chores heat'];
const panel: TaskPanel = {
  ...makePanel(80),
  categories: Array.from({ length: 80 }, (_, index) => names[index % 4] as string),
};

async function open(taskSampling: object, groups = 8): Promise<OpenCurriculum> {
  const config = trainConfigSchema.parse({ env: 'maze-v1', groups, taskSampling });
  const { start } = await openCurriculum(config.taskSampling);
  return start({ panel, groups, rng: createRng(1) });
}

/** A group of the task; a solved episode has the return 1 − 0.3, another −0.3. */
const group = (index: number, ...ends: readonly Ending[]): TrajectoryGroup => ({
  task: { panel: 'dev', index },
  members: ends.map((end): Trajectory => makeTrajectory(index, end)),
});

/** The share of tasks drawn from each category over many iterations. */
function sharesOf(curriculum: OpenCurriculum, state: Json | undefined): Readonly<Record<string, number>> {
  const drawn = Array.from({ length: 400 }, (_, iteration) => curriculum.next(iteration, state)).flat();
  return Object.fromEntries(
    names.map((name) => [name, drawn.filter(({ index }) => names[index % 4] === name).length / drawn.length]),
  );
}

describe('absolute advantages of a group', () => {
  it('divide the distance from the mean by the unbiased standard deviation', () => {
    // returns 1, 0, 0, 0 (less 0.3): mean 1/4, variance (9/16 + 3/16) / 3 = 1/4, so 3/4 and 1/4 over 1/2
    const [first, ...others] = absoluteAdvantages(group(0, 'solved', 'failed', 'failed', 'failed'));
    expect(first).toBeCloseTo(1.5, 4);
    for (const other of others) expect(other).toBeCloseTo(0.5, 4);
  });

  it('equal 0 where all returns are equal, and leave faulted members out', () => {
    expect(absoluteAdvantages(group(0, 'solved', 'solved'))).toEqual([0, 0]);
    expect(absoluteAdvantages(group(0, 'solved', 'faulted'))).toEqual([0]);
  });
});

describe('curriculum sec', () => {
  it('updates the value of a category as TD(0) does', async () => {
    const sec = await open({ kind: 'sec', rate: 0.5 });
    const mixed = group(0, 'solved', 'failed', 'failed', 'failed'); // mean |Â| = (1.5 + 3 × 0.5) / 4 = 0.75
    const once = sec.learn(undefined, [mixed, group(1, 'failed', 'failed')]);
    expect(valuesOf(once)['maze level-1']).toBeCloseTo(0.375, 4); // 0.5 × 0.75
    expect(valuesOf(once)['maze level-2']).toBe(0);
    const twice = sec.learn(once, [mixed]);
    expect(valuesOf(twice)['maze level-1']).toBeCloseTo(0.5625, 4); // 0.5 × 0.75 + 0.5 × 0.375
  });

  it('draws categories in proportion to exp(value / temperature)', async () => {
    const sec = await open({ kind: 'sec', temperature: 0.5 }, 1);
    const state = { values: [['maze level-1', 0.5]], success: [], admitted: [] };
    const { 'maze level-1': first, 'chores heat': other } = sharesOf(sec, state);
    expect(first).toBeCloseTo(Math.E / (Math.E + 3), 1); // e¹ against three times e⁰: 0.475
    expect(other).toBeCloseTo(1 / (Math.E + 3), 1);
  });

  const valuesOf = (state: Json | undefined): Readonly<Record<string, number>> =>
    Object.fromEntries((state as { readonly values: [string, number][] }).values);
});

describe('curriculum dump', () => {
  it('bounds what can be learned by √(2 ln(n + 1) / (n_d + 1)) above the mean', () => {
    expect(upperBound([], { tasks: 0, total: 0 })).toBe(0);
    expect(upperBound([1.5, 0.5], { tasks: 3, total: 7 })).toBeCloseTo(1 + Math.sqrt(Math.log(8) / 2), 12); // 2.0197
    expect(upperBound([], { tasks: 0, total: 7 })).toBeCloseTo(2.0393, 4); // √(2 ln 8)
  });

  it('keeps the newest advantages of a category, and counts its tasks', async () => {
    const dump = await open({ kind: 'dump', window: 3 });
    const state = dump.learn(undefined, [group(0, 'failed', 'failed'), group(4, 'solved', 'failed')]);
    const [{ name, tasks, advantages }] = (
      state as { readonly played: readonly [{ name: string; tasks: number; advantages: number[] }] }
    ).played;
    expect([name, tasks, advantages.length]).toEqual(['maze level-1', 2, 3]);
    // returns 0.7 and −0.3: mean 0.2, unbiased deviation √½, so 0.5 / 0.7071
    for (const [at, value] of [0, Math.SQRT1_2, Math.SQRT1_2].entries())
      expect(advantages[at]).toBeCloseTo(value, 4);
  });

  it('plays a category that was never played before one whose advantages are small', async () => {
    const dump = await open({ kind: 'dump' }, 1);
    const played = names.slice(0, 3).map((name) => ({ name, tasks: 50, advantages: [0.1] }));
    const shares = sharesOf(dump, { played, success: [], admitted: [] });
    expect(shares['chores heat']).toBeGreaterThan(0.99);
  });
});

describe('the gate of sec and dump', () => {
  it.each(['sec', 'dump'])('admits the next level of an env by success, in %s', async (kind) => {
    const gated = await open({ kind, admitAt: 0.5, memory: 4 }, 4);
    const levelsIn = (state: Json | undefined): readonly string[] =>
      names.filter((name) => (sharesOf(gated, state)[name] ?? 0) > 0);
    expect(levelsIn(undefined)).toEqual(['maze level-1', 'chores heat']);
    // the running success over 4 episodes: 0.25, 0.4375, 0.578
    const two = gated.learn(undefined, [group(0, 'solved', 'solved')]);
    expect(levelsIn(two)).toEqual(['maze level-1', 'chores heat']);
    const three = gated.learn(two, [group(0, 'solved')]);
    expect(levelsIn(three)).toEqual(['maze level-1', 'maze level-2', 'chores heat']);
    const later = gated.learn(three, [group(0, 'failed', 'failed', 'failed')]);
    expect(levelsIn(later)).toContain('maze level-2');
    expect(levelsIn(later)).not.toContain('maze level-10');
  });
});

describe('curriculum adcl', () => {
  const categoriesAt = (
    adcl: OpenCurriculum,
    iteration: number,
    state: Json | undefined,
  ): readonly string[] =>
    [...new Set(adcl.next(iteration, state).map(({ index }) => names[index % 4] as string))].toSorted();

  it('goes through a pass from easy to hard, and plays each task once', async () => {
    const adcl = await open({ kind: 'adcl', batches: 2 }, 20);
    let state: Json | undefined;
    const passes: number[] = [];
    const order: (readonly string[])[] = [];
    for (let iteration = 0; iteration < 4; iteration += 1) {
      order.push(categoriesAt(adcl, iteration, state));
      passes.push(...adcl.next(iteration, state).map(({ index }) => index));
      state = adcl.learn(state, []);
    }
    // nothing is known yet, so the levels decide: none, 1, 2, 10
    expect(order).toEqual([['chores heat'], ['maze level-1'], ['maze level-2'], ['maze level-10']]);
    expect(new Set(passes).size).toBe(80);
  });

  it('sorts the next batch again by the success that the policy has by then', async () => {
    const adcl = await open({ kind: 'adcl', batches: 2, memory: 2 }, 20);
    const solved = [group(2, 'solved', 'solved')]; // level 10 has become easier than level 2
    let state = adcl.learn(undefined, solved);
    expect(categoriesAt(adcl, 1, state)).toEqual(['maze level-1']); // the batch under way keeps its order
    state = adcl.learn(state, []);
    expect(categoriesAt(adcl, 2, state)).toEqual(['maze level-10']);
    expect(categoriesAt(adcl, 3, adcl.learn(state, []))).toEqual(['maze level-2']);
  });
});
