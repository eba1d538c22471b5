import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActionTarget, Features, TurnFeatures } from '../../../../envs/core/features.ts';
import { ChoiceRows } from '../../../../models/encode/choice-rows.ts';
import { DeclaredFeatures, DeclaredTables } from '../../../../models/encode/declared/declared-features.ts';
import { GridView, ShapeTable } from '../../../../models/encode/declared/grid-view.ts';
import { hashText } from '../../../../models/encode/text.ts';

interface Moment extends TurnFeatures {
  readonly took?: number;
}

/** The features of the last moment: of the state and of each target. */
function featuresAfter(...moments: readonly Moment[]): { state: Set<number>; targets: Set<number>[] } {
  const declared = new DeclaredFeatures(new DeclaredTables());
  const rows = new ChoiceRows(2 ** 24); // so large that two features hardly meet by accident
  for (const moment of moments) {
    rows.clear();
    declared.look(moment);
    declared.addState(rows);
    rows.endState();
    for (const index of moment.targets.keys()) {
      declared.addCandidate(index, rows);
      rows.endCandidate();
    }
    rows.endDecision();
    if (moment.took !== undefined) declared.took(moment.took);
  }
  const batch = rows.pack();
  return {
    state: new Set(batch.stateFeatures),
    targets: Array.from(
      { length: batch.candidateStart.length - 1 },
      (_, row) =>
        new Set(batch.candidateFeatures.subarray(batch.candidateStart[row], batch.candidateStart[row + 1])),
    ),
  };
}

const only = (features: Features, ...targets: readonly ActionTarget[]): Set<number>[] =>
  featuresAfter({ features, targets }).targets;
const shared = (a: Set<number> = new Set(), b: Set<number> = new Set()): number =>
  [...a].filter((feature) => b.has(feature)).length;
const without = (a: Set<number> = new Set(), b: Set<number> = new Set()): number[] =>
  [...a].filter((feature) => !b.has(feature));

describe('the features that an env declares', () => {
  it('add nothing where nothing is declared', () => {
    const { state, targets } = featuresAfter({ features: undefined, targets: [undefined, undefined] });
    expect([state.size, targets[0]?.size, targets[1]?.size]).toEqual([0, 0, 0]);
  });

  it('describe the surroundings of a cell alike wherever it lies', () => {
    const rows = ['...........', '.ab........', '.cd....ab..', '.......cd..', '...........'];
    const [here, there, elsewhere] = only(
      { grid: { rows } },
      { cell: [1, 1] },
      { cell: [2, 7] },
      { cell: [1, 4] },
    );
    expect(shared(here, there)).toBeGreaterThan(shared(here, elsewhere) + 8);
  });

  it('turn with the direction: a door ahead is one thing above and on the right', () => {
    const rows = ['..D..', '.....', '.....', '.....', '.....'];
    const turned = ['.....', '.....', '....D', '.....', '.....'];
    const grid = (cells: readonly string[]): Features => ({ grid: { rows: cells, focus: [2, 2] } });
    const [up] = only(grid(rows), { verb: 'go', direction: [-1, 0] });
    const [right] = only(grid(turned), { verb: 'go', direction: [0, 1] });
    const [down] = only(grid(rows), { verb: 'go', direction: [1, 0] });
    expect(shared(up, right)).toBeGreaterThan(30);
    expect(without(up, right).length).toBeLessThan(6); // the absolute direction and place
    expect(without(up, down).length).toBeGreaterThan(6);
  });

  it('show by path which step comes nearer where walls are declared, else by straight distance', () => {
    const rows = ['.....', '.###.', '.#.X.', '.###.', '..@..'];
    const open = ['.....', '.....', '...X.', '.....', '..@..'];
    const steps: readonly ActionTarget[] = [{ direction: [0, -1] }, { direction: [0, 1] }];
    const change = (walls: readonly string[] | undefined, cells: readonly string[]): number[] => {
      const view = new GridView(
        { rows: cells, focus: [4, 2], ...(walls === undefined ? {} : { walls }) },
        new ShapeTable(),
      );
      const field = view.stepsTo(hashText('X'));
      return steps.map(
        ({ direction = [0, 0] }) =>
          (field[view.indexOf(4, 2 + direction[1])] ?? 0) - (field[view.focus] ?? 0),
      );
    };
    expect(change(undefined, rows)).toEqual([1, -1]);
    expect(change(['#'], open)).toEqual([1, -1]);
    expect(change(['#'], ['.#...', '.###.', '.#.X.', '.##..', '..@#.'])).toEqual([0, 0]); // no way leads there
    expect(change(['#'], rows)).toEqual([1, -1]);
  });

  it('show a value that fits into one cell only, and one that conflicts', () => {
    const rows = ['12..', '..1.', '....', '...1'];
    const put = (value: string, row: number, column: number): ActionTarget => ({
      verb: 'put',
      value,
      cell: [row, column],
    });
    const features: Features = { grid: { rows, block: [2, 2] } };
    const all = rows.flatMap((cells, row) =>
      Array.from(cells).flatMap((cell, column) =>
        cell === '.' ? ['1', '2', '3', '4'].map((value) => put(value, row, column)) : [],
      ),
    );
    const encoded = only(features, ...all);
    const at = (value: string, row: number, column: number): Set<number> =>
      encoded[
        all.findIndex((one) => one.value === value && one.cell?.[0] === row && one.cell[1] === column)
      ] ?? new Set();
    // a 1 can stand in the third row in the second column alone
    const single = at('1', 2, 1);
    const others = encoded.filter((one) => one !== single);
    const alone = [...single].filter((feature) => others.every((one) => !one.has(feature)));
    expect(alone.length).toBeGreaterThan(0);
    expect(shared(at('1', 0, 2), at('1', 0, 3))).toBeGreaterThan(shared(at('1', 0, 2), single));
  });

  it('do not depend on the order of the fields, and keep numbers, texts and truth values apart', () => {
    const stateOf = (fields: Features['fields'] = {}): Set<number> =>
      featuresAfter({ features: { fields }, targets: [{}] }).state;
    expect(stateOf({ sum: 12, ace: true })).toEqual(stateOf({ ace: true, sum: 12 }));
    const values = [1, '1', true, 0, false, '', -1, 1.5, 64, 65, 1e9, -1e9];
    const codes = values.map((value) => JSON.stringify([...stateOf({ it: value })]));
    expect(new Set(codes).size).toBe(values.length);
    expect(shared(stateOf({ it: 900 }), stateOf({ it: 1000 }))).toBeGreaterThan(
      shared(stateOf({ it: 900 }), stateOf({ it: 2 })),
    );
  });

  it('compare the numbers of an action with those of the observation and of other actions', () => {
    const guesses = (low: number): Set<number>[] =>
      only(
        { fields: { low, high: low + 40 } },
        ...[0, 10, 20, 30, 40].map((more) => ({ fields: { number: low + more } })),
      );
    const [first, middle, other] = [guesses(100)[0], guesses(100)[2], guesses(2100)[2]];
    expect(shared(middle, other)).toBeGreaterThan(shared(first, other)); // the middle is one thing at any height
  });

  it('find the kind of cell that a field names, whichever kind it is', () => {
    const nearer = (goal: string, rows: readonly string[]): Set<number>[] =>
      only(
        { grid: { rows, focus: [0, 2] }, fields: { goal } },
        { direction: [0, -1] },
        { direction: [0, 1] },
      );
    const [toA, awayFromA] = nearer('a', ['a...b']);
    const [awayFromB, toB] = nearer('b', ['a...b']);
    const nearing = [...(toA ?? [])].filter((feature) => toB?.has(feature));
    expect(
      nearing.some((feature) => awayFromA?.has(feature) !== true && awayFromB?.has(feature) !== true),
    ).toBe(true);
  });

  it('remember what was done and where the player has been', () => {
    const turn = (focus: readonly [number, number], took?: number): Moment => ({
      features: { grid: { rows: ['....', '....'], focus } },
      targets: [{ direction: [0, -1] }, { direction: [0, 1] }],
      ...(took === undefined ? {} : { took }),
    });
    const fresh = featuresAfter(turn([0, 1])).targets;
    const after = featuresAfter(turn([0, 0], 1), turn([0, 1])).targets;
    expect(without(after[0], fresh[0]).length).toBeGreaterThan(2); // back to a cell where it has been
    const bumped = featuresAfter(turn([0, 1], 0), turn([0, 1])).targets;
    expect(bumped[0]).not.toEqual(after[0]);
  });
});

const kinds = fc.constantFrom('.', '#', 'a', 'b', '@', '1');
const grids = fc
  .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 7 }))
  .chain(([height, width]) =>
    fc.record({
      rows: fc.array(fc.array(kinds, { minLength: width, maxLength: width }), {
        minLength: height,
        maxLength: height,
      }),
      focus: fc.tuple(fc.nat(height - 1), fc.nat(width - 1)),
    }),
  );

describe('GridView', () => {
  it('counts neighbours and steps as a plain search does', () => {
    fc.assert(
      fc.property(grids, ({ rows, focus }) => {
        const view = new GridView({ rows, focus, walls: ['#'] }, new ShapeTable());
        const [kind, own] = [hashText('a'), view.near(hashText('a'))];
        const field = view.stepsTo(kind);
        for (let at = 0; at < view.size; at += 1) {
          const row = Math.floor(at / view.columns);
          const column = at % view.columns;
          const around = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => [down, right] as const));
          const count = around.filter(
            ([down, right]) =>
              (down !== 0 || right !== 0) && view.kindAt(row + down, column + right) === kind,
          ).length;
          expect(own[at]).toBe(count);
          const beside = around
            .filter(([down, right]) => Math.abs(down) + Math.abs(right) === 1)
            .map(([down, right]) => view.indexOf(row + down, column + right))
            .filter((cell) => cell >= 0 && (field[cell] ?? -1) >= 0)
            .map((cell) => field[cell] ?? 0);
          if (view.kinds[at] === kind) expect(field[at]).toBe(0);
          else if (view.isWall(row, column) || beside.length === 0) expect(field[at]).toBe(-1);
          else expect(field[at]).toBe(1 + Math.min(...beside));
        }
      }),
      { numRuns: 60 },
    );
  });
});

const fieldsOf = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', '__proto__'),
  fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.string({ maxLength: 3 })),
);
const cellOf = fc.tuple(fc.integer({ min: -3, max: 9 }), fc.integer({ min: -3, max: 9 }));
const targets = fc.array(
  fc.record(
    { verb: fc.constantFrom('go', 'put'), cell: cellOf, direction: cellOf, value: kinds, fields: fieldsOf },
    { requiredKeys: [] },
  ),
  { minLength: 1, maxLength: 5 },
);

describe('any declaration', () => {
  it('gives the same features each time and in every table', () => {
    fc.assert(
      fc.property(
        fc.option(grids, { nil: undefined }),
        fieldsOf,
        targets,
        fc.boolean(),
        (grid, fields, acts, isWalled) => {
          const features: Features = {
            fields,
            ...(grid === undefined
              ? {}
              : { grid: { ...grid, block: [2, 3], ...(isWalled ? { walls: ['#'] } : {}) } }),
          };
          const moments = [
            { features, targets: acts, took: 0 },
            { features, targets: acts.toReversed() },
          ];
          expect(featuresAfter(...moments)).toEqual(featuresAfter(...structuredClone(moments)));
        },
      ),
      { numRuns: 100 },
    );
  });
});
