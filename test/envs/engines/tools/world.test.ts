import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTable, type AnyRow } from '../../../../envs/engines/tools/tables.ts';
import { Transaction, WorldState } from '../../../../envs/engines/tools/world.ts';
import { runs } from '../../../support/thorough.ts';

const schemas = { things: z.strictObject({ id: z.string(), colour: z.string() }) };
const rows = ['a', 'b', 'c', 'd'].map((id, index) => ({ id, colour: index % 2 === 0 ? 'red' : 'blue' }));
const start = { things: startTable('test', 'things', schemas.things, rows) };
const newWorld = (): WorldState => new WorldState({ schemas, start, facts: new Map() });

const key = fc.constantFrom('a', 'b', 'c', 'd', 'x', 'y');
const colour = fc.constantFrom('red', 'blue', 'green');
const change = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), id: key, colour }),
  fc.record({ kind: fc.constant('remove' as const), id: key }),
);
type Change = (typeof change)['generate'] extends (...given: never) => { value: infer Value } ? Value : never;

function make(changes: readonly Change[], transaction: Transaction, plain: Map<string, AnyRow>): void {
  for (const one of changes) {
    if (one.kind === 'remove') {
      transaction.remove('things', one.id);
      plain.delete(one.id);
    } else {
      transaction.put('things', { id: one.id, colour: one.colour });
      plain.set(one.id, { id: one.id, colour: one.colour });
    }
  }
}
const startRows = (): Map<string, AnyRow> => new Map(rows.map((row) => [row.id, row]));
const sorted = (plain: Map<string, AnyRow>): AnyRow[] =>
  [...plain.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));

describe('world of tables', () => {
  it('reads like a plain map after any changes, by key, by column and whole', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const [world, plain] = [newWorld(), startRows()];
        const transaction = new Transaction(world);
        make(changes, transaction, plain);
        expect(transaction.all('things')).toEqual(sorted(plain));
        for (const one of ['red', 'blue', 'green'])
          expect(transaction.where('things', 'colour', one)).toEqual(
            sorted(plain).filter((row) => row['colour'] === one),
          );
      }),
      { numRuns: runs(300) },
    );
  });

  it('gives equal worlds equal differences, and restores a world from its difference', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), fc.array(change, { maxLength: 8 }), (one, other) => {
        const [left, right] = [newWorld(), newWorld()];
        const [a, b] = [startRows(), startRows()];
        make(one, new Transaction(left), a);
        make(other, new Transaction(right), b);
        const areEqual = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
        expect(left.changesText() === right.changesText()).toBe(areEqual);
        const restored = new WorldState({ schemas, start, facts: new Map(), changes: left.changes() });
        expect(new Transaction(restored).all('things')).toEqual(sorted(a));
      }),
      { numRuns: runs(300) },
    );
  });

  it('takes all changes of a transaction back', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), fc.array(change, { maxLength: 8 }), (kept, undone) => {
        const [world, plain] = [newWorld(), startRows()];
        const first = new Transaction(world);
        make(kept, first, plain);
        first.commit();
        const second = new Transaction(world);
        make(undone, second, new Map());
        second.rollBack();
        expect(new Transaction(world).all('things')).toEqual(sorted(plain));
      }),
      { numRuns: runs(300) },
    );
  });

  it('records what was read, by key and by column', () => {
    const world = newWorld();
    const transaction = new Transaction(world);
    transaction.get('things', 'a');
    transaction.where('things', 'colour', 'blue');
    transaction.commit();
    expect([...world.reads]).toEqual(['things?a', 'things?b', 'things?d', 'things/a']);
    expect([world.hasRead('things', 'a'), world.hasRead('things', 'c')]).toEqual([true, false]);
    const changing = new Transaction(world);
    changing.get('things', 'c');
    changing.put('things', { id: 'c', colour: 'green' });
    changing.commit();
    expect(world.reads.has('things/c')).toBe(false); // to change a row is not to have looked at it
  });

  it('refuses rows that do not match, changes of rows that are not there, and use after the end', () => {
    const transaction = new Transaction(newWorld());
    expect(() => transaction.put('things', { id: 'a', colour: 1 })).toThrow(/does not match its table/);
    expect(() => transaction.update('things', 'z', { colour: 'red' })).toThrow(/there is no row z/);
    expect(() => transaction.get('nothing', 'a')).toThrow(/no table nothing/);
    transaction.commit();
    expect(() => transaction.get('things', 'a')).toThrow(/after the end of the tool call/);
  });

  it('refuses two rows with one id, and rows that do not match', () => {
    const twice = [rows[0], rows[0]];
    expect(() => startTable('task 1', 'things', schemas.things, twice)).toThrow(/two rows have the same id/);
    expect(() => startTable('task 1', 'things', schemas.things, [{ id: 'a' }])).toThrow(/row 0 of things/);
  });

  it('gives new keys that no row has', () => {
    const transaction = new Transaction(newWorld());
    transaction.put('things', { id: 'n1', colour: 'red' });
    expect(transaction.newId('things', 'n')).toBe('n2');
  });
});
