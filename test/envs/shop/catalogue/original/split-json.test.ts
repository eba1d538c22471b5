import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileLimits } from '../../../../../envs/shop/catalogue/original/limits.ts';
import { parseEntry, parseItem } from '../../../../../envs/shop/catalogue/original/parse-piece.ts';
import { JsonSplitter } from '../../../../../envs/shop/catalogue/original/split-json.ts';

const limits: FileLimits = { itemBytes: 1_000, depth: 8, fileBytes: 1_000_000 };

/** The pieces of a text that arrives in chunks of the given sizes, used in rotation. */
function split(
  text: string | Buffer,
  shape: 'list' | 'object',
  sizes: readonly number[] = [1_000_000],
  within: FileLimits = limits,
): string[] {
  const splitter = new JsonSplitter({ file: 'f.json' }, shape, within);
  const bytes = Buffer.from(text);
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    const chunk = Buffer.from(bytes.subarray(at, at + size));
    for (const { number, start, bytes: piece } of splitter.push(chunk)) {
      expect(number).toBe(pieces.length + 1);
      const begins = bytes.subarray(start, start + piece.length).toString();
      expect(begins.trim().startsWith(piece.toString().trim())).toBe(true); // it begins where it claims
      pieces.push(piece.toString());
    }
    chunk.fill(0x78); // a piece that kept a view of the chunk would change
    at += size;
  }
  splitter.end();
  return pieces;
}

const place = { file: 'f.json', item: 1 };

describe('JsonSplitter', () => {
  it('cuts any list into its items, however the chunks fall', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 8 }),
        fc.nat(4),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        (items, indent, sizes) => {
          const wide = { itemBytes: 1_000_000, depth: 20, fileBytes: 1_000_000 };
          const values = split(JSON.stringify(items, undefined, indent), 'list', sizes, wide).map((piece) =>
            parseItem(Buffer.from(piece), place),
          );
          expect(values).toEqual(JSON.parse(JSON.stringify(items)));
        },
      ),
    );
  });

  it('cuts any object into its entries, however the chunks fall', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 8 }),
        fc.nat(4),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        (object, indent, sizes) => {
          const wide = { itemBytes: 1_000_000, depth: 20, fileBytes: 1_000_000 };
          const text = JSON.stringify(object, undefined, indent);
          const entries = split(text, 'object', sizes, wide).map((piece) =>
            parseEntry(Buffer.from(piece), place),
          );
          expect(entries).toEqual(Object.entries(JSON.parse(text) as object));
        },
      ),
    );
  });

  it('accepts empty lists, white space and a byte order mark', () => {
    expect(split('[]', 'list')).toEqual([]);
    expect(split('\uFEFF \n[ ]\r\n\t', 'list', [1])).toEqual([]);
    expect(split('{ }', 'object')).toEqual([]);
    expect(split('\n[1 , 2]\n', 'list', [2])).toEqual(['1 ', ' 2']);
  });

  it('ignores brackets, commas, quotes and backslashes in strings', () => {
    const items = ['],[', '"},{"', String.raw`\\"`, '\\', String.raw`a\u005d`];
    for (const size of [1, 2, 3, 5, 100])
      expect(
        split(JSON.stringify(items), 'list', [size]).map((piece) => JSON.parse(piece) as string),
      ).toEqual(items);
  });

  it.each([
    ['', 'the file is empty'],
    ['  \n ', 'the file is empty'],
    ['{"a": 1}', 'the file is not a list [ … ]'],
    ['[1, 2', 'cut short: it ends at item 2, before its last bracket, after 5 bytes'],
    ['[1, "2', 'cut short: it ends at item 2, before its last bracket'],
    ['[{"a": [1}', 'cut short: it ends at item 1, before its last bracket'],
    ['[1, 2}', 'f.json, item 2: it is closed by the wrong bracket. It begins at byte 3.'],
    ['[1, 2,]', 'f.json, item 3: there is nothing between two commas, or after the last one'],
    ['[1,, 2]', 'f.json, item 2: there is nothing between two commas'],
    ['[,]', 'f.json, item 1: there is nothing between two commas'],
    ['[1] [2]', 'f.json: something stands after the end of [ … ], which has 1 item. It begins at byte 4.'],
    ['[1, 2]x', 'f.json: something stands after the end of [ … ], which has 2 items. It begins at byte 6.'],
    [
      '[1, 2]         x',
      'f.json: something stands after the end of [ … ], which has 2 items. It begins at byte 15.',
    ],
    [`[1, ${'['.repeat(8)}`, 'f.json, item 2: it is more than 8 brackets deep'],
    [`[1, "${'x'.repeat(1_000)}"]`, 'f.json, item 2: it has more than 1000 bytes'],
  ])('refuses %j', (text, words) => {
    for (const size of [1, 7, 1_000_000]) expect(() => split(text, 'list', [size])).toThrow(words);
  });

  it('reports a UTF-16 file, with or without a byte order mark', () => {
    const wide = Buffer.from('\uFEFF[1, 2]', 'utf16le');
    for (const text of [wide, Buffer.from(wide).swap16()]) {
      for (const bytes of [text, text.subarray(2)])
        expect(() => split(bytes, 'list')).toThrow(
          'f.json: the file is UTF-16 text, not UTF-8. Save it as UTF-8',
        );
    }
  });

  it('refuses an item that never ends before it is held in memory', () => {
    const splitter = new JsonSplitter({ file: 'f.json' }, 'list', limits);
    const chunk = Buffer.from(`["${'x'.repeat(998)}`);
    expect([...splitter.push(chunk)]).toEqual([]);
    expect(() => [...splitter.push(Buffer.from('xx'))]).toThrow(
      'f.json, item 1: it has more than 1000 bytes',
    );
  });
});

describe('parseItem', () => {
  it('reads NaN and Infinity of Python as null', () => {
    expect(
      parseItem(
        Buffer.from('{"a": NaN, "b": [-Infinity, Infinity], "c": "NaN, \\"Infinity", "d": 1}'),
        place,
      ),
    ).toEqual({
      a: null,
      b: [null, null],
      c: 'NaN, "Infinity',
      d: 1,
    });
  });

  it.each([
    ['{"a": 1} {"b": 2}', 'f.json, item 1: it is not JSON'],
    ['{"a": tru}', 'f.json, item 1: it is not JSON'],
    ['{"a": NaN, b}', 'f.json, item 1: it is not JSON'],
    ['{"a": "\u0007"}', 'f.json, item 1: it is not JSON'],
  ])('refuses %j', (text, words) => {
    expect(() => parseItem(Buffer.from(text), place)).toThrow(words);
  });

  it('writes no control characters into its error', () => {
    expect(() => parseItem(Buffer.from('\u001B[31m\u202E'), place)).toThrow(/^[\x20-\x7E]*$/);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(() => parseItem(Buffer.from([0x22, 0xff, 0x22]), place)).toThrow(
      'f.json, item 1: it is not UTF-8 text',
    );
  });
});

describe('parseEntry', () => {
  it('returns name and value', () => {
    expect(parseEntry(Buffer.from('"__proto__": {"a": 1}'), place)).toEqual(['__proto__', { a: 1 }]);
  });

  it.each(['1', '"a"', '"a": 1, ', '"a": 1} {"b": 2', ' '])('refuses %j', (text) => {
    expect(() => parseEntry(Buffer.from(text), place)).toThrow('f.json, item 1');
  });
});
