import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInEnvs } from '../../../envs/catalog.ts';
import { checkEnv } from '../../../envs/check/check-env.ts';
import { createContext } from '../../../envs/core/context.ts';
import type { AnyEnvDefinition } from '../../../envs/core/env.ts';
import { FeatureReader } from '../../../envs/core/features.ts';
import { parseMixture } from '../../../envs/core/mixture-name.ts';
import { createRng } from '../../../envs/core/rng.ts';
import { readPanel, type PanelInfo } from '../../../envs/core/task.ts';
import { strictTextual, textAt } from '../../../envs/core/textual.ts';
import { drawMixturePanels } from '../../../envs/mixture/mixture-panels.ts';
import { createReferences } from '../../../envs/references.ts';
import { openEnv } from '../../../envs/open.ts';
import { makeEnv } from '../../../gym/make-env.ts';
import { offerTools } from '../../../agents/prompt/tool-calls.ts';
import { recipeFor } from '../../../trainers/recipes/recipe.ts';

const registry = createReferences([...builtInEnvs]);
const context = createContext({ seed: 0, now: () => 0 });
const open = async (id: string, config: object = {}) => {
  const definition = registry.find(id);
  return { definition, host: await openEnv(definition, config, context) };
};

describe('the name of a mixture', () => {
  it.each([
    ['mix:game-maze=2', /it has one environment\. Name it alone: game-maze/],
    ['mix:game-maze,household=1', /game-maze has no weight\. Write it as mix:/],
    ['mix:game-maze=,household=1', /game-maze has no weight/],
    ['mix:game-maze=0,household=1', /the weight of game-maze is 0\. Leave the environment out/],
    ['mix:game-maze=-1,household=1', /the weight of game-maze is "-1", which is no number/],
    ['mix:game-maze=two,household=1', /is "two", which is no number/],
    ['mix:game-maze=1=2,household=1', /is "1=2", which is no number/],
    ['mix:game-maze=1e9,household=1', /is "1e9", which is no number/],
    ['mix:game-maze=9999999,household=1', /is above 1000000/],
    ['mix:game-maze=1,game-maze=2', /game-maze is named twice/],
    ['mix:game-maze=1,game-maze-v1=2', /game-maze-v1 is named twice/],
    ['mix:game-maze=1,', /"" names no environment/],
    ['mix:', /"" names no environment/],
    ['mix:mix:a=1,household=1', /cannot contain a mixture/],
    [
      'mix:game-mase=1,household=1',
      /env "game-mase": this environment does not exist\. Did you mean game-maze/,
    ],
    ['mix:alfworld=1,household=1', undefined],
  ])('%s', (id, refusal) => {
    if (refusal === undefined) expect(registry.find(id).id).toBe('mix:alfworld-v1=1,household-v1=1');
    else expect(() => registry.find(id)).toThrow(refusal);
  });

  it('becomes one id, in whatever order the envs are named', () => {
    const one = registry.find('mix:household=2,game-maze=0.5');
    expect(one.id).toBe('mix:game-maze-v1=0.5,household-v1=2');
    expect(registry.find('mix:game-maze-v1=.5, household=2').id).toBe(one.id);
    expect(registry.find(one.id).id).toBe(one.id);
    expect(parseMixture(one.id)).toEqual([
      { name: 'game-maze-v1', weight: 0.5 },
      { name: 'household-v1', weight: 2 },
    ]);
  });
});

describe('the panels of a mixture', () => {
  const panelsOf = (size: number): readonly PanelInfo[] =>
    (['train', 'dev', 'held-out'] as const).map((purpose) => ({ name: purpose, size, purpose, summary: '' }));
  const shapes = fc.array(
    fc.record({ weight: fc.integer({ min: 1, max: 9 }), size: fc.integer({ min: 1, max: 400 }) }),
    { minLength: 2, maxLength: 4 },
  );

  it('follow the weights in every prefix, and repeat no task outside of training', () => {
    fc.assert(
      fc.property(shapes, fc.nat(), (shape, seed) => {
        const shares = shape.map(({ weight, size }, at) => ({
          id: `e${at}`,
          weight,
          panels: panelsOf(size),
        }));
        const drawn = drawMixturePanels(shares, createRng(seed));
        const sum = shape.reduce((total, { weight }) => total + weight, 0);
        for (const { name, size } of drawn.panels) {
          const places = Array.from({ length: size }, (_, index) => drawn.find({ panel: name, index }));
          for (const [member, share] of shape.entries()) {
            const own = places.filter((place) => place.member === member).map(({ task }) => task.index);
            expect(own.length).toBeGreaterThan(0);
            expect(Math.max(...own)).toBeLessThan(share.size);
            if (name !== 'train') expect(new Set(own).size).toBe(own.length);
            const half = places.slice(0, Math.floor(size / 2)).filter((place) => place.member === member);
            expect(Math.abs(half.length - (Math.floor(size / 2) * share.weight) / sum)).toBeLessThanOrEqual(
              shape.length,
            );
          }
        }
        expect(drawn.panels.find(({ name }) => name === 'train')?.size).toBeGreaterThanOrEqual(1_000);
      }),
      { numRuns: 40 },
    );
  });

  it('depend on the seed of the config, and have a fingerprint of their own', async () => {
    const fingerprintOf = async (config: object): Promise<string> => {
      const { definition, host } = await open('mix:game-maze=2,game-taxi=1', config);
      const panel = readPanel(host, { env: definition.id, config: {}, name: 'dev', atMost: 9 });
      expect(panel.families.filter((family) => family === 'game-maze-v1')).toHaveLength(6);
      await host.close();
      return panel.fingerprint;
    };
    const [first, again, other] = [
      await fingerprintOf({}),
      await fingerprintOf({ seed: 0 }),
      await fingerprintOf({ seed: 1 }),
    ];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it('name the env that has no panel of a purpose', () => {
    const shares = [
      { id: 'one', weight: 1, panels: panelsOf(4) },
      { id: 'two', weight: 1, panels: panelsOf(4).slice(0, 1) },
    ];
    const drawn = drawMixturePanels(shares, createRng(0));
    expect(drawn.panels.map(({ name }) => name)).toEqual(['train']);
    expect(drawn.unavailablePanels.map(({ name, why }) => `${name}: ${why}`)).toEqual([
      'dev: two has no panel of purpose dev',
      'unseen: two has no panel of purpose held-out',
    ]);
    const none = [{ id: 'one', weight: 1, panels: panelsOf(4).slice(1) }, ...shares];
    expect(() => drawMixturePanels(none, createRng(0))).toThrow(/one has no panel of purpose train/);
  });
});

describe('a mixture', () => {
  it('keeps all laws of the contract', async () => {
    const report = await checkEnv(registry.find('mix:game-maze=2,puzzle-hanoi-moves=1,household=1'), {
      tasksPerPanel: 3,
      episodes: 1,
      maxSteps: 12,
      panels: ['dev'],
    });
    expect(report.findings).toEqual([]);
    expect(report.checked['snapshot']).toBeGreaterThan(0);
    expect(report.checked['hidden']).toBeGreaterThan(0);
  });

  it('keeps keys, turn limits and categories of its envs apart', async () => {
    const { host } = await open('mix:puzzle-hanoi-moves=1,game-maze=1', {
      'puzzle-hanoi-moves-v1': { difficulty: 2 },
    });
    const env = await host.create();
    const turns = [];
    for (const index of [0, 1]) turns.push(await env.reset({ panel: 'train', index }, context));
    const [maze, hanoi] =
      turns[0]?.stateKey?.startsWith('game-maze-v1 ') === true ? turns : turns.toReversed();
    expect(maze?.stepsLeft).toBe(100);
    expect(hanoi?.stateKey).toMatch(/^puzzle-hanoi-moves-v1 /);
    expect(hanoi?.anchorKey).toMatch(/^puzzle-hanoi-moves-v1 /);
    expect(hanoi?.stepsLeft).not.toBe(100);
    const infos = [0, 1].map((index) => host.describeTask({ panel: 'train', index }));
    expect(infos.map(({ family }) => family).toSorted()).toEqual(['game-maze-v1', 'puzzle-hanoi-moves-v1']);
    expect(infos.map(({ category }) => category)).toContain('puzzle-hanoi-moves-v1 level-2');
    const foreign = { env: 'game-maze-v1', action: 'move up' };
    await env.reset(
      { panel: 'train', index: infos.findIndex(({ family }) => family !== 'game-maze-v1') },
      context,
    );
    await expect(env.step(foreign, context)).rejects.toThrow(
      /is one of game-maze-v1, and the episode is one of puzzle-hanoi-moves-v1/,
    );
    await env.close();
    await host.close();
  });

  it('refuses config keys of envs that it does not contain', async () => {
    await expect(open('mix:game-maze=1,household=1', { 'sql-v1': {} })).rejects.toThrow(/sql-v1/);
    await expect(open('mix:game-maze=1,household=1', { 'game-maze-v1': { view: 'none' } })).rejects.toThrow(
      /game-maze-v1\.view/,
    );
  });

  it('plays in words, which the env of the turn reads', async () => {
    await using env = await makeEnv('mix:game-maze=1,household=1');
    const { actions = [] } = await env.reset(0);
    const step = await env.step(actions[0] ?? '');
    expect(step.inadmissible).toBe(false);
    await expect(env.step('')).rejects.toThrow(/no action/);
  });
});

describe('the words of a mixture', () => {
  const mixture = registry.find('mix:lights-out=1,web=1,sql=1,game-maze=1');
  const strict = strictTextual(mixture);
  const turn = (env: string, observation: unknown = {}): unknown => ({ env, observation });

  it('read the same text as actions of different envs', () => {
    expect(textAt(strict, turn('game-maze-v1')).parse('move up')).toEqual({
      kind: 'action',
      action: { env: 'game-maze-v1', action: 'move up' },
    });
    expect(textAt(strict, turn('lights-out-v1')).parse('move up').kind).toBe('malformed');
    expect(strict.parse('move up').kind).toBe('malformed');
  });

  it('derive the tools of a turn from the schema of its env', () => {
    const { text, action } = strict.at?.(turn('lights-out-v1')) ?? mixture;
    const { tools, read } = offerTools({ text, action }, undefined, 10);
    expect(Object.keys((tools[0]?.parameters['properties'] ?? {}) as object)).toEqual(['row', 'column']);
    expect(read({ name: 'act', arguments: { row: 1, column: 2 } })).toEqual({
      kind: 'action',
      action: { env: 'lights-out-v1', action: { row: 1, column: 2 } },
    });
  });

  it('declare what each env declares alone, and nothing where it declares nothing', () => {
    const reader = new FeatureReader(mixture.text);
    const alone = registry.find('lights-out');
    const board = { board: ['#.', '.#'] };
    const candidates = ['press row 1 column 2'];
    expect(reader.read(turn(alone.id, board), candidates, 'here')).toEqual(
      new FeatureReader((alone as AnyEnvDefinition).text).read(board, candidates, 'here'),
    );
    expect(reader.read(turn('sql-v1'), ['x'], 'here')).toEqual({ features: undefined, targets: [undefined] });
  });
});

it('a mixture refuses the training that one of its envs refuses', () => {
  const mixture = registry.find('mix:game-maze=1,puzzle-sudoku=1');
  expect(() => recipeFor(mixture)).toThrow(/of puzzle-sudoku-v1: it trains a choice policy/);
  expect(recipeFor(registry.find('mix:game-maze=1,household=1')).credit.kind).toBe('gigpo');
});
