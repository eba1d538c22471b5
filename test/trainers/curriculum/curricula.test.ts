import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Trajectory, TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import type { Json } from '../../../envs/core/json.ts';
import { createRng } from '../../../envs/core/rng.ts';
import { trainConfigSchema } from '../../../trainers/config/config.ts';
import type { OpenCurriculum } from '../../../trainers/curriculum/curriculum.ts';
import { curricula } from '../../../trainers/curriculum/list.ts';
import { openCurriculum } from '../../../trainers/curriculum/open-curriculum.ts';
import { useFolder } from '../../support/own-folder.ts';
import { makePanel, makeTrajectory } from '../evaluate/make-trajectories.ts';

const inFolder = useFolder();
const panel = makePanel(60);

async function open(taskSampling: object, seed = 1): Promise<OpenCurriculum> {
  const config = trainConfigSchema.parse({ env: 'maze-v1', groups: 6, taskSampling });
  const { start } = await openCurriculum(config.taskSampling);
  return start({ panel, groups: config.groups, rng: createRng(seed) });
}

const groupsOf = (...members: readonly Trajectory[]): readonly TrajectoryGroup[] => [
  { task: { panel: 'train', index: 0 }, members },
];

/** Goes through JSON, as a checkpoint does. */
const stored = (state: Json | undefined): Json | undefined =>
  state === undefined ? undefined : (JSON.parse(JSON.stringify(state)) as Json);

describe.each(curricula.map(({ kind }) => kind))('curriculum %s', (kind) => {
  const outcome = fc.constantFrom('solved', 'failed', 'truncated', 'faulted' as const);

  it('continues from a checkpoint at any iteration with the tasks of an uninterrupted run', async () => {
    const rounds = fc.array(fc.array(fc.tuple(fc.nat(59), outcome), { maxLength: 5 }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(rounds, fc.nat(), async (played, seed) => {
        const whole = await open({ kind }, seed);
        let kept: Json | undefined;
        let restored: Json | undefined;
        for (const [iteration, episodes] of played.entries()) {
          const groups = groupsOf(...episodes.map(([index, end]) => makeTrajectory(index, end)));
          kept = whole.learn(kept, groups);
          const resumed = await open({ kind }, seed);
          restored = resumed.learn(stored(restored), groups);
          expect(resumed.next(iteration + 1, stored(restored))).toEqual(whole.next(iteration + 1, kept));
        }
      }),
      { numRuns: 40 },
    );
  });

  it('plays as many different tasks as an iteration has groups', async () => {
    const curriculum = await open({ kind });
    const state = curriculum.learn(undefined, groupsOf(makeTrajectory(0, 'solved')));
    for (let iteration = 0; iteration < 40; iteration += 1) {
      const tasks = curriculum.next(iteration, state);
      expect(new Set(tasks.map(({ index }) => index)).size).toBe(6);
    }
  });

  it('refuses the state of another curriculum in a checkpoint', async () => {
    const curriculum = await open({ kind });
    expect(() => curriculum.validate({ strange: 1 })).toThrow(
      new RegExp(`state of curriculum "${kind}" in a checkpoint`),
    );
  });
});

describe('curriculum passes', () => {
  it('serves as the default, and plays every task once a pass', async () => {
    const config = trainConfigSchema.parse({ env: 'maze-v1' });
    expect(config.taskSampling).toEqual({ kind: 'passes' });
    const passes = await open({ kind: 'passes' });
    const met = Array.from({ length: 10 }, (_, iteration) => passes.next(iteration, undefined)).flat();
    expect(new Set(met.map(({ index }) => index)).size).toBe(60);
  });
});

describe('curriculum unsolved', () => {
  it('remembers success per family as pairs, whatever the families’ names', async () => {
    const unsolved = await open({ kind: 'unsolved', memory: 2 });
    const strange = { ...makeTrajectory(1, 'failed'), family: '__proto__' };
    const state = unsolved.learn(undefined, groupsOf(makeTrajectory(0, 'solved'), strange));
    expect(stored(state)).toEqual({
      success: [
        ['cool', 0.75],
        ['__proto__', 0.25],
      ],
    });
  });

  it('draws other tasks than passes, and new ones in each iteration', async () => {
    const unsolved = await open({ kind: 'unsolved' });
    const passes = await open({ kind: 'passes' });
    const state = { success: [['cool', 0.75]] };
    expect(unsolved.next(4, state)).toEqual(unsolved.next(4, state));
    expect(unsolved.next(4, state)).not.toEqual(passes.next(4, undefined));
    const draws = Array.from({ length: 40 }, (_, iteration) => unsolved.next(iteration, state));
    expect(new Set(draws.map((tasks) => JSON.stringify(tasks))).size).toBe(40);
  });

  it('gives a mastered family the share that its floor sets', async () => {
    const success = [
      ['cool', 1],
      ['heat', 1],
      ['look', 0],
    ];
    const shareOfLook = async (floor: number): Promise<number> => {
      const unsolved = await open({ kind: 'unsolved', floor });
      const drawn = Array.from({ length: 50 }, (_, iteration) =>
        unsolved.next(iteration, { success }),
      ).flat();
      return drawn.filter(({ index }) => panel.families[index] === 'look').length / drawn.length;
    };
    expect(await shareOfLook(0.001)).toBeGreaterThan(0.95);
    expect(await shareOfLook(1000)).toBeCloseTo(1 / 3, 1);
  });

  it.each([7e9, -0.1])('refuses a success of %d in a checkpoint', async (share) => {
    const unsolved = await open({ kind: 'unsolved' });
    expect(() => unsolved.validate({ success: [['look', share]] })).toThrow(/restore it, or delete it/);
  });
});

const ownCurriculum = `import { defineCurriculum } from 'cairn-gym/trainers';
import { z } from 'zod';

export const curriculum = defineCurriculum({
  kind: 'window',
  summary: 'moves on once half of the episodes are solved',
  options: z.strictObject({ step: z.int().min(1).default(4) }),
  state: z.strictObject({ from: z.int().min(0) }),
  create: ({ step }, { panel, groups }) => ({
    initial: { from: 0 },
    next: (_iteration, { from }) => panel.tasks.slice(from, from + groups),
    learn: ({ from }, played) => ({ from: played.length > 0 ? from + step : from }),
  }),
});
`;

describe('user-defined curriculum', () => {
  it('chooses the tasks when the config names its file', async () => {
    const file = inFolder('window.ts');
    await writeFile(file, ownCurriculum);
    const config = trainConfigSchema.parse({ env: 'maze-v1', taskSampling: { kind: 'module', file } });
    const opened = await openCurriculum(config.taskSampling);
    expect(opened.config).toEqual({ kind: 'module', file, options: { step: 4 } });
    expect(opened.versions).toEqual({ 'curriculum-file': expect.stringMatching(/^sha256:/) as string });
    const curriculum = opened.start({ panel, groups: 3, rng: createRng(0) });
    const state = curriculum.learn(undefined, groupsOf(makeTrajectory(0, 'solved')));
    expect(state).toEqual({ from: 4 });
    expect(curriculum.next(1, state).map(({ index }) => index)).toEqual([4, 5, 6]);
  });

  it.each([
    ['an unknown option', ownCurriculum, { stride: 2 }, /options.*stride/],
    ['a module without a curriculum', 'export const other = 1;', {}, /it exports other but no `curriculum`/],
    [
      'a definition without a state schema',
      ownCurriculum.replace(/ {2}state:.*\n/, ''),
      {},
      /module "[^"]*", curriculum: state: /,
    ],
  ])('refuses %s', async (what, text, options, message) => {
    const file = inFolder(`${what.replaceAll(' ', '-')}.ts`);
    await writeFile(file, text);
    await expect(openCurriculum({ kind: 'module', file, options })).rejects.toThrow(message);
  });

  it('refuses a state that is not plain JSON', async () => {
    const file = inFolder('no-json.ts');
    await writeFile(
      file,
      ownCurriculum
        .replace('z.strictObject({ from: z.int().min(0) })', 'z.any()')
        .replace('from + step', 'new Map()'),
    );
    const { start } = await openCurriculum({ kind: 'module', file, options: {} });
    const curriculum = start({ panel, groups: 3, rng: createRng(0) });
    expect(() => curriculum.learn(undefined, groupsOf(makeTrajectory(0, 'solved')))).toThrow(
      /not plain JSON/,
    );
  });
});
