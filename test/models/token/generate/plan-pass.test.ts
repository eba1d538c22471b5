import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDrawnFrom, packPass, planPass } from '../../../../models/token/generate/plan-pass.ts';
import { SlotTable } from '../../../../models/token/generate/slot-table.ts';

const contextLength = 50;
const writings = fc
  .array(
    fc.record({
      held: fc.integer({ min: 0, max: 20 }),
      more: fc.integer({ min: 1, max: 20 }),
      isBegun: fc.boolean(),
    }),
    { maxLength: 8 },
  )
  .map((rows) =>
    rows.map(({ held, more, isBegun }, index) => {
      const tokens = Array.from({ length: held + (isBegun ? 1 : more) }, (_, place) => 100 * index + place);
      return {
        slot: { firstRow: index * contextLength, tokens: tokens.slice(0, held), version: 0 },
        tokens,
        isBegun,
      };
    }),
  );

describe('planPass', () => {
  it('takes the next token of each writer, then prompts in order, within its token limit', () => {
    fc.assert(
      fc.property(writings, fc.integer({ min: 8, max: 60 }), (live, most) => {
        const parts = planPass(live, most);
        const total = parts.reduce((sum, { count }) => sum + count, 0);
        expect(total).toBe(
          Math.min(
            most,
            live.reduce((sum, { slot, tokens }) => sum + tokens.length - slot.tokens.length, 0),
          ),
        );
        const taken = new Map(parts.map((part) => [part.writing, part] as const));
        expect(
          live.filter(({ isBegun }) => isBegun).every((writing) => taken.get(writing)?.count === 1),
        ).toBe(true);
        const prompts = live.filter(({ isBegun }) => !isBegun);
        const whole = prompts.map((writing) =>
          taken.has(writing) && isDrawnFrom(taken.get(writing) ?? expect.fail('no part'))
            ? 2
            : taken.has(writing)
              ? 1
              : 0,
        );
        expect(whole).toEqual(whole.toSorted((a, b) => b - a)); // whole ones, at most one part of one, none
        expect(whole.filter((part) => part === 1).length).toBeLessThan(2);
      }),
    );
  });

  it('packs each token with its position, its slot and its cache row', () => {
    fc.assert(
      fc.property(
        writings.filter((live) => live.length > 0),
        (live) => {
          const parts = planPass(live, 1_000);
          const { packed, places } = packPass(parts);
          const expected = parts.flatMap(({ writing: { slot, tokens }, count }) =>
            tokens.slice(slot.tokens.length, slot.tokens.length + count).map((id, index) => {
              const position = slot.tokens.length + index;
              return [id, position, slot.firstRow, slot.firstRow + position];
            }),
          );
          expect(
            Array.from(packed.ids, (id, at) => [id, packed.positions[at], packed.from[at], packed.until[at]]),
          ).toEqual(expected);
          expect(Array.from(places, (place) => packed.ids[place])).toEqual(
            parts.filter(isDrawnFrom).map(({ writing }) => writing.tokens.at(-1)),
          );
        },
      ),
    );
  });
});

describe('SlotTable', () => {
  it('chooses the slot with the longest common prefix, or else the one freed longest ago', () => {
    const table = new SlotTable(3, 10);
    const [one, two, three] = [table.take([1]), table.take([1]), table.take([1])];
    expect([one?.firstRow, two?.firstRow, three?.firstRow, table.take([1])]).toEqual([0, 10, 20, undefined]);
    if (one === undefined || two === undefined || three === undefined)
      return expect.fail('slots are missing');
    one.tokens = [1, 2, 3];
    two.tokens = [1, 2, 4, 5];
    three.tokens = [9];
    for (const slot of [three, one, two]) table.giveBack(slot);
    expect(table.take([1, 2, 4, 5, 6])).toBe(two);
    expect(table.take([7])).toBe(three);
    expect(table.take([7])).toBe(one);
  });
});
