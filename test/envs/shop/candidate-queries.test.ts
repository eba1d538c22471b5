import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidateQueries } from '../../../envs/shop/candidate-queries.ts';
import { readCommand, searchFor } from '../../../envs/shop/command.ts';
import { readInstruction } from '../../../envs/shop/instruction-parts.ts';
import { runs } from '../../support/thorough.ts';

describe('readInstruction', () => {
  it('splits an instruction into wish, options and price', () => {
    expect(
      readInstruction(
        "Find me machine wash women's shorts with high waist with color: dark, blue, and size: xx-large, and price lower than 1,040.50 dollars",
      ),
    ).toEqual({
      wish: "machine wash women's shorts with high waist with color: dark, blue, and size: xx-large",
      kind: "machine wash women's shorts with high waist",
      options: [
        { name: 'color', value: 'dark, blue' },
        { name: 'size', value: 'xx-large' },
      ],
      priceUpper: 1040.5,
    });
  });

  it.each([
    ['i need a lamp, and price lower than 50.00 dollars', 'lamp', 50],
    ['i need a lamp under $50', 'lamp', 50],
    ['i am looking for a lamp for less than 50 dollars.', 'lamp', 50],
    ['please show me some lamps that cost no more than 1,250 usd', 'lamps', 1250],
    ["i'd like to buy the lamp priced below $ 19.99 with a shade", 'lamp with a shade', 19.99],
    ['i need a lamp', 'lamp', Number.POSITIVE_INFINITY],
    ['a lamp 50 cm tall', 'lamp 50 cm tall', Number.POSITIVE_INFINITY],
  ])('reads %j as a wish for %j below %d', (instruction, wish, priceUpper) => {
    expect(readInstruction(instruction)).toMatchObject({ wish, priceUpper });
  });
});

describe('candidateQueries', () => {
  it('lists the whole wish first, then fewer words of it', () => {
    expect(
      candidateQueries(
        "Find me light weight women's shorts with high waist with color: black, and size: large, and price lower than 40.00 dollars",
      ),
    ).toEqual([
      "light weight women's shorts with high waist with color: black, and size: large",
      "light weight women's shorts with high waist",
      "light weight women's shorts high waist color black size large",
      "light weight women's shorts high waist",
      "light weight women's shorts",
      "women's shorts",
      "light weight women's shorts black large",
      "light weight women's shorts black",
      "light weight women's shorts large",
    ]);
    expect(
      candidateQueries('i need a pair of oak tables for my hall, and price lower than 90.00 dollars'),
    ).toEqual([
      'pair of oak tables for my hall',
      'pair oak tables hall',
      'pair of oak tables',
      'oak tables',
      'pair of oak tables hall',
    ]);
  });

  it('returns one to ten different, searchable queries for any instruction', () => {
    const words = fc.constantFrom(
      'i need',
      'a',
      'with',
      'color: red',
      ', and',
      'for',
      'that',
      '[',
      ']',
      '\n',
      'price lower than 5 dollars',
      'lamp',
      ':',
      '.',
      'of',
      'and',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'grapheme' }),
          fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' ')),
        ),
        (instruction) => {
          const queries = candidateQueries(instruction);
          expect(queries.length).toBeGreaterThanOrEqual(1);
          expect(queries.length).toBeLessThanOrEqual(10);
          expect(new Set(queries).size).toBe(queries.length);
          for (const query of queries) {
            expect(readCommand(searchFor(query), { strict: false })).toEqual({ kind: 'search', query });
            expect(query).toBe(query.trim());
            expect(query).not.toBe('');
          }
          expect(candidateQueries(instruction)).toEqual(queries);
        },
      ),
      { seed: 20_260_101, numRuns: runs(2000) },
    );
  });

  it('ends soon for an instruction of 200 KB', () => {
    expect(candidateQueries('with a: '.repeat(20_000)).length).toBeGreaterThan(0);
    expect(candidateQueries(`find me ${', and price '.repeat(20_000)}`).length).toBeGreaterThan(0);
    expect(candidateQueries(`find me ${'and '.repeat(50_000)}`).length).toBeGreaterThan(0);
  });
});
