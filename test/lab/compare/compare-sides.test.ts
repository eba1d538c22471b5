import { describe, expect, it } from 'vitest';
import { compareSides } from '../../../lab/compare/compare-sides.ts';
import { describeSettingsApart } from '../../../lab/compare/describe-sides.ts';
import { makeSide, type Member, type Side } from '../../../lab/compare/side.ts';
import { lineageOf, readSettings } from '../../../trainers/run/lineage.ts';
import { summarise } from '../../../trainers/results/summarise.ts';
import { makeFacts, makeGroups } from '../../trainers/evaluate/make-trajectories.ts';

/** A side of one run. */
function sideOf(
  name: string,
  seed: number,
  versions: Readonly<Record<string, string>>,
  {
    evaluations,
    adapter,
  }: { readonly evaluations?: Member['evaluations']; readonly adapter?: { readonly from: string } } = {},
): Side {
  const config = {
    env: 'household-v1',
    seed,
    policy: { kind: 'token', model: `/models/${name}`, ...(adapter === undefined ? {} : { adapter }) },
  };
  const training = lineageOf(
    { config, versions },
    { name, seed, checkpoint: 'iteration-00002', iteration: 2 },
  );
  const result = {
    ...summarise([{ seed: 1, groups: makeGroups([['solved'], ['failed']]) }], makeFacts(2, { agent: name })),
    training,
  };
  return makeSide(name, [
    {
      where: name,
      name,
      result,
      settings: readSettings({ config, versions }, name),
      versions,
      ...(evaluations === undefined ? {} : { evaluations }),
      notes: [],
    },
  ]);
}

describe('sides of language models', () => {
  it('report different initial weights, and stay silent about equal ones', () => {
    const first = sideOf('a', 0, { start: 'sha256:1' });
    expect(compareSides([first, sideOf('b', 1, { start: 'sha256:2' })]).notes).toEqual([
      'a and b began from different weights.',
    ]);
    expect(compareSides([first, sideOf('b', 1, { start: 'sha256:1' })]).notes).toEqual([]);
  });

  it('list the different initial weights of their runs: by digest if known, and adapters by folder', () => {
    const pooled = (...sides: readonly Side[]) =>
      compareSides([
        makeSide(
          'a',
          sides.flatMap(({ members }) => members),
        ),
        sideOf('c', 0, {}),
      ]).notes.filter((note) => note.startsWith('a: '));
    expect(pooled(sideOf('a', 0, { start: 'sha256:1' }), sideOf('b', 1, { start: 'sha256:2' }))).toEqual([
      'a: its runs began from different weights: /models/a; /models/b.',
    ]);
    expect(pooled(sideOf('a', 0, { start: 'sha256:1' }), sideOf('b', 1, { start: 'sha256:1' }))).toEqual([]);
    const adapted = (seed: number, from: string): Side =>
      sideOf('a', seed, { base: 'sha256:1' }, { adapter: { from } });
    expect(pooled(adapted(0, '/one'), adapted(1, '/two'))).toEqual([
      'a: its runs began from different weights: /models/a, /one; /models/a, /two.',
    ]);
    expect(pooled(adapted(0, '/one'), adapted(1, '/one'))).toEqual([]);
  });

  it('report whether their seeds differ', () => {
    const told = (seed: number) =>
      compareSides([sideOf('a', 0, {}), sideOf('b', seed, {})]).settings.map(describeSettingsApart);
    expect(told(1)).toEqual(['a and b were trained with the same settings but for their seeds.']);
    expect(told(0)).toEqual(['a and b were trained with the same settings and seeds.']);
  });

  it('report how many of their seeds have curves', () => {
    const [known, unknown] = [sideOf('a', 0, {}, { evaluations: [] }), sideOf('a', 1, {})];
    const both = makeSide('a', [...known.members, ...unknown.members]);
    expect(compareSides([both, sideOf('b', 0, {}, { evaluations: [] })]).notes).toContain(
      'a: curves and steps are of 1 of its 2 seeds; the others are known by their results alone.',
    );
  });
});
