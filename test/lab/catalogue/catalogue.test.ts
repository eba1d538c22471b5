import { describe, expect, it } from 'vitest';
import { builtInEnvs } from '../../../envs/catalog.ts';
import { createContext } from '../../../envs/core/context.ts';
import type { AnyEnvDefinition } from '../../../envs/core/env.ts';
import { mapDefinition } from '../../../envs/core/map-env.ts';
import { createRegistry } from '../../../envs/core/registry.ts';
import { defineTextEnv } from '../../../envs/kit/text-env.ts';
import { entryOf, filterEnvs, fingerprintDefinition } from '../../../lab/catalogue/entry.ts';
import { measureEnv } from '../../../lab/catalogue/measure-env.ts';
import { recordedCatalogue } from '../../support/recorded-catalogue.ts';

const registry = createRegistry([...builtInEnvs]);
const idsOf = (definitions: readonly AnyEnvDefinition[]): readonly string[] =>
  definitions.map(({ id }) => id);

describe('the recorded catalogue', () => {
  const { envs } = recordedCatalogue();

  it('lists every env, in the order of the list (npm run catalogue)', () => {
    expect(Object.keys(envs)).toEqual(idsOf(builtInEnvs));
  });

  it('belongs to the definitions as they are (npm run catalogue -- ID)', () => {
    const stale = builtInEnvs.filter(
      (definition) => envs[definition.id]?.definition !== fingerprintDefinition(definition),
    );
    expect(idsOf(stale)).toEqual([]);
  });

  it('leaves out only envs that need something, and says why', () => {
    for (const definition of builtInEnvs) {
      const result = envs[definition.id]?.result;
      expect(result?.kind, definition.id).toBe(
        entryOf(definition).needs.length === 0 ? 'measured' : 'unmeasured',
      );
    }
  });

  it('every built-in env states its family, tags and licence', () => {
    for (const definition of builtInEnvs) {
      expect(definition.catalogue?.family, definition.id).toBeDefined();
      expect(entryOf(definition).tags, definition.id).not.toEqual([]);
      expect(entryOf(definition).licence, definition.id).toBeDefined();
    }
  });
});

describe('a catalogue entry', () => {
  const env = (catalogue?: object): AnyEnvDefinition =>
    mapDefinition(registry.find('game-maze'), { catalogue } as Partial<AnyEnvDefinition>);

  it('stays when members of the definition are changed, and has defaults', () => {
    const changed = mapDefinition(registry.find('household'), { summary: 'another' });
    expect(entryOf(changed)).toEqual(entryOf(registry.find('household')));
    expect(entryOf({ id: 'my-lab/sort-v2' })).toEqual({
      family: 'sort',
      licence: undefined,
      tags: [],
      needs: [],
    });
  });

  it.each([
    [{ family: 'My Family' }, /catalogue of game-maze-v1: .*words in lower case with hyphens/],
    [{ tags: ['grid '] }, /words in lower case/],
    [{ needs: ['docker'] }, /needs/],
    [{ licenses: 'MIT' }, /licenses/],
  ])('%o is refused', (catalogue, refusal) => {
    expect(() => entryOf(env(catalogue))).toThrow(refusal);
  });

  it('changes the fingerprint of a definition with its turn limit and config', () => {
    const maze = registry.find('game-maze');
    const before = fingerprintDefinition(maze);
    expect(fingerprintDefinition(mapDefinition(maze, { turnLimit: () => 7 }))).not.toBe(before);
    expect(fingerprintDefinition(mapDefinition(maze, { summary: 'other words' }))).toBe(before);
  });
});

describe('the filter of the catalogue', () => {
  it('narrows by family, by all tags, and by what an env needs at most', () => {
    const puzzles = filterEnvs(builtInEnvs, { family: 'puzzle', tags: ['grid', 'step-wise'], needs: 'none' });
    expect(idsOf(puzzles)).toContain('puzzle-sudoku-moves-v1');
    expect(idsOf(puzzles)).not.toContain('puzzle-sudoku-v1');
    expect(idsOf(filterEnvs(builtInEnvs, { tags: [], needs: 'browser' }))).toEqual([
      'shop-browser-v1',
      'web-v1',
    ]);
  });

  it.each([
    [
      { family: 'puzle', tags: [] },
      /--family puzle: no environment has it\. Did you mean puzzle\? Choose one of .*sql/,
    ],
    [{ tags: ['gird'] }, /--tag gird: .*Did you mean grid\?/],
    [{ tags: [], needs: 'nothing' }, /Choose one of none, browser, sandbox, data/],
  ])('refuses what no env has: %o', (filter, refusal) => {
    expect(() => filterEnvs(builtInEnvs, filter)).toThrow(refusal);
  });
});

describe('a measurement', () => {
  /** Counts to three; action `up` counts. The searcher knows it. */
  const count = defineTextEnv({
    id: 'count-v1',
    summary: 'counts',
    panels: { train: 5, dev: 5 },
    turnLimit: 4,
    task: ({ panel, index }) => ({ instruction: 'Count to three.', start: { panel, index, at: 0 } }),
    observe: ({ at }) => String(at),
    actions: () => ['up', 'stay'],
    step: (state, action) => {
      const at = state.at + (action === 'up' ? 1 : 0);
      return at === 3
        ? { state: { ...state, at }, outcome: 'solved', reward: { solved: 1 } }
        : { state: { ...state, at } };
    },
    experts: { searcher: () => ({ act: () => 'up' }) },
  });
  const measure = (definition: AnyEnvDefinition) =>
    measureEnv(definition, {
      plan: { episodes: 4, playerMs: 60_000 },
      context: createContext({ seed: 0, now: () => performance.now() }),
      clock: () => performance.now(),
    });

  it('plays random choices and the searcher on the first tasks of dev', async () => {
    const result = await measure(count);
    expect(result).toMatchObject({
      kind: 'measured',
      panel: 'dev',
      keys: { state: true, anchor: true },
      snapshots: true,
      experts: ['searcher'],
      random: { episodes: 4 },
      expert: { kind: 'searcher', episodes: 4, success: 1, high: 1, score: 1, steps: 3 },
    });
  });

  it('does not open an env that needs something', async () => {
    const needing = mapDefinition(count, {
      catalogue: { needs: ['browser', 'data'] },
      open: () => Promise.reject(new Error('opened')),
    });
    expect(await measure(needing)).toEqual({
      kind: 'unmeasured',
      why: 'it needs a browser, and it needs data that the user brings',
    });
  });
});
