import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../envs/core/json.ts';
import { createRng } from '../../../envs/core/rng.ts';
import { assemble } from '../../../envs/code/own-assembly.ts';
import { offersIn, withPiece } from '../../../envs/code/assembly.ts';
import { ownPanelSizes, ownProblem, type OwnPanel } from '../../../envs/code/problems/own-panels.ts';
import type { Value } from '../../../envs/code/language/interpret.ts';
import { contentOf } from '../../../envs/code/problems/problem.ts';
import { templates } from '../../../envs/code/problems/templates/templates.ts';

const panels = Object.keys(ownPanelSizes) as readonly OwnPanel[];
const all = panels.flatMap((panel) =>
  Array.from({ length: ownPanelSizes[panel] }, (_, index) => ({ panel, own: ownProblem(panel, index) })),
);

describe('the built-in problems of code-v1', () => {
  it('contain more than 500 distinct problems in ten families', () => {
    expect(all.length).toBeGreaterThanOrEqual(500);
    expect(new Set(all.map(({ own }) => own.problem.family)).size).toBe(10);
    const contents = all.map(({ own }) => canonicalJson(contentOf(own.problem)));
    expect(new Set(contents).size).toBe(all.length);
    const statements = all.map(({ own }) => own.problem.statement);
    expect(new Set(statements).size).toBe(all.length);
    process.stdout.write(
      `own problems: ${panels.map((panel) => `${panel} ${ownPanelSizes[panel]}`).join(', ')}\n`,
    );
  });

  it('repeat on every machine', () => {
    const digest = createHash('sha256');
    for (const { own } of all) digest.update(canonicalJson(contentOf(own.problem)));
    expect(digest.digest('hex').slice(0, 16)).toMatchInlineSnapshot(`"e587eb0906b8d669"`);
  });

  it('keep held-out templates out of train and dev', () => {
    const templatesOf = (panel: OwnPanel): Set<string> =>
      new Set(
        all.filter((each) => each.panel === panel).map(({ own }) => own.problem.name.replace(/-\d+$/, '')),
      );
    const [train, dev, unseen] = [templatesOf('train'), templatesOf('dev'), templatesOf('unseen')];
    expect([...unseen].filter((name) => train.has(name) || dev.has(name))).toEqual([]);
    expect([...dev].filter((name) => !train.has(name))).toEqual([]);
    expect(unseen.size).toBe(templates.filter(({ heldOut }) => heldOut === true).length);
  });

  it('solutions pass disjoint visible and hidden tests, and there are slips to find', () => {
    for (const { own } of all) {
      const { name, visible, hidden } = own.problem;
      expect(own.passes(own.solution, 'visible') && own.passes(own.solution, 'hidden'), name).toBe(true);
      const shown = new Set(visible.map((test) => canonicalJson(test)));
      expect(
        hidden.filter((test) => shown.has(canonicalJson(test))),
        name,
      ).toEqual([]);
      expect(own.killable.length, name).toBeGreaterThanOrEqual(4);
      expect(hidden.length, name).toBeGreaterThanOrEqual(8);
    }
  });

  it('give inputs within the bounds of their statements, in speed tests too', () => {
    for (const template of templates) {
      for (const variant of template.variants) {
        const heavy = template.heavy?.(variant);
        const parameters = Object.entries(template.parameters(variant));
        for (const [at, [name, input]] of parameters.entries()) {
          const isStated = statedBounds(input.says);
          const given = [
            ...input.edges,
            ...Array.from({ length: 20 }, (_, draw) => input.draw(createRng(draw))),
            ...(heavy === undefined ? [] : [heavy[at] as Value]),
          ];
          expect(
            given.filter((value) => !isStated(value)),
            `${template.name}, ${name}: ${input.says}`,
          ).toEqual([]);
        }
      }
    }
  });

  it('reject nearly all slips, and nearly all pairs of slips, by hidden tests', () => {
    const sample = all.filter((_, at) => at % 20 === 0).map(({ own }) => own);
    const slips = sample.flatMap((own) =>
      own
        .mutants()
        .filter(({ slip }) => slip !== 'too slow')
        .map(({ program }) => ({ own, program })),
    );
    const pairs = sample.flatMap((own) => own.doubleMutants(4).map(({ program }) => ({ own, program })));
    const share = (of: typeof slips, tests: 'visible' | 'hidden'): number =>
      of.filter(({ own, program }) => !own.passes(program, tests)).length / of.length;
    process.stdout.write(
      `strength of ${sample.length} suites: ${slips.length} slips, hidden ${share(slips, 'hidden').toFixed(4)}, visible ${share(slips, 'visible').toFixed(4)}; ${pairs.length} pairs, hidden ${share(pairs, 'hidden').toFixed(4)}, visible ${share(pairs, 'visible').toFixed(4)}\n`,
    );
    expect(share(slips, 'hidden')).toBeGreaterThan(0.995); // a few take very long but are right in the end
    expect(share(pairs, 'hidden')).toBeGreaterThan(0.98);
    expect(share(slips, 'visible')).toBeLessThan(share(slips, 'hidden'));
  });
});

describe('programs assembled from pieces', () => {
  const assemblies = all.map(({ own }) => assemble(own, 'python', 3));

  it('the right pieces give the solution, and every offered piece changes the program', () => {
    for (const [at, assembly] of assemblies.entries()) {
      const { own } = all[at] as (typeof all)[number];
      expect(assembly.write(assembly.right)).toBe(own.problem.solutions.python);
      for (const offer of offersIn(assembly, assembly.start, new Map()))
        expect(assembly.write(withPiece(assembly, assembly.start, offer) ?? [])).not.toBe(
          assembly.write(assembly.start),
        );
    }
  });

  it('neither the order of pieces nor the first program reveals the right ones', () => {
    const places = assemblies.flatMap(({ pieces, start, right }) =>
      pieces.map((count, at) => ({ count, start: start[at], right: right[at] as number })),
    );
    const numbers = places.filter(({ count }) => count === 3);
    for (const at of [0, 1, 2])
      expect(numbers.filter(({ right }) => right === at).length / numbers.length).toBeCloseTo(1 / 3, 1);
    const expected = places.reduce((sum, { count }) => sum + 1 / count, 0);
    expect(places.filter(({ start, right }) => start === right).length / expected).toBeCloseTo(1, 0);
  });

  it('offers do not depend on which pieces are right', () => {
    for (const assembly of assemblies.slice(0, 50)) {
      const other = {
        ...assembly,
        right: assembly.right.map((piece, at) => (piece + 1) % (assembly.pieces[at] as number)),
      };
      expect(offersIn(other, other.start, new Map())).toEqual(offersIn(assembly, assembly.start, new Map()));
    }
  });
});

/** What a statement allows. Anything, when it mentions neither numbers nor texts. */
function statedBounds(says: string): (value: Value) => boolean {
  const isBetween = (value: Value | undefined, low = '', high = ''): boolean =>
    Number(value) >= Number(low) && Number(value) <= Number(high);
  const list = /^a list of (\d+) to (\d+) whole numbers from (-?\d+) to (-?\d+)$/.exec(says);
  if (list !== null)
    return (value) =>
      Array.isArray(value) &&
      isBetween(value.length, list[1], list[2]) &&
      value.every((each: Value) => isBetween(each, list[3], list[4]));
  const number = /^a whole number from (-?\d+) to (-?\d+)$/.exec(says);
  if (number !== null) return (value) => isBetween(value, number[1], number[2]);
  const text = /^a text of (\d+) to (\d+) characters/.exec(says);
  if (text !== null) return (value) => typeof value === 'string' && isBetween(value.length, text[1], text[2]);
  return () => true;
}
