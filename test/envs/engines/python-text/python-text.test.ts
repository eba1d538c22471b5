import { describe, expect, it } from 'vitest';
import {
  pythonDict,
  pythonFloat,
  pythonJson,
  pythonStrip,
  templateJson,
} from '../../../../envs/engines/python-text/python-text.ts';

// What CPython 3.11 wrote: json.dumps(d); json.dumps(d, sort_keys=True) with < > & ' as \uXXXX, as Flask's tojson does; str(d); repr(x).
const written: readonly {
  readonly pairs: readonly (readonly [string, string])[];
  readonly json: string;
  readonly template: string;
  readonly dict: string;
}[] = [
  { pairs: [], json: '{}', template: '{}', dict: '{}' },
  {
    pairs: [
      ['size', '20"x20"'],
      ['color', "vanilla 'n fudge"],
    ],
    json: String.raw`{"size": "20\"x20\"", "color": "vanilla 'n fudge"}`,
    template: String.raw`{"color": "vanilla \u0027n fudge", "size": "20\"x20\""}`,
    dict: `{'size': '20"x20"', 'color': "vanilla 'n fudge"}`,
  },
  {
    pairs: [
      ['é', 'café'],
      ['b', 'back\\slash'],
      ['a', 'tab\there\nline\r\u0000\u007F\u00A0\u200B😀\u2028'],
    ],
    json: String.raw`{"\u00e9": "caf\u00e9", "b": "back\\slash", "a": "tab\there\nline\r\u0000\u007f\u00a0\u200b\ud83d\ude00\u2028"}`,
    template: String.raw`{"a": "tab\there\nline\r\u0000\u007f\u00a0\u200b\ud83d\ude00\u2028", "b": "back\\slash", "\u00e9": "caf\u00e9"}`,
    dict: String.raw`{'é': 'café', 'b': 'back\\slash', 'a': 'tab\there\nline\r\x00\x7f\xa0\u200b😀\u2028'}`,
  },
  {
    pairs: [
      ['q', "it's"],
      ['r', 'say "hi"'],
      ['s', `both ' and "`],
    ],
    json: String.raw`{"q": "it's", "r": "say \"hi\"", "s": "both ' and \""}`,
    template: String.raw`{"q": "it\u0027s", "r": "say \"hi\"", "s": "both \u0027 and \""}`,
    dict: String.raw`{'q': "it's", 'r': 'say "hi"', 's': 'both \' and "'}`,
  },
  {
    pairs: [
      ['z<', 'a&b>'],
      ['A', '1'],
    ],
    json: '{"z<": "a&b>", "A": "1"}',
    template: String.raw`{"A": "1", "z\u003c": "a\u0026b\u003e"}`,
    dict: "{'z<': 'a&b>', 'A': '1'}",
  },
  {
    pairs: [
      ['\uFFFF', 'x'],
      ['\u{10000}', 'y'],
    ],
    json: String.raw`{"\uffff": "x", "\ud800\udc00": "y"}`,
    template: String.raw`{"\uffff": "x", "\ud800\udc00": "y"}`,
    dict: `{'${String.raw`\uffff`}': 'x', '\u{10000}': 'y'}`,
  },
];

describe('pythonJson, templateJson and pythonDict', () => {
  it.each(written)('write a dictionary as Python does: $dict', ({ pairs, json, template, dict }) => {
    expect(pythonJson(new Map(pairs))).toBe(json);
    expect(templateJson(new Map(pairs))).toBe(template);
    expect(pythonDict(new Map(pairs))).toBe(dict);
  });
});

describe('pythonFloat', () => {
  it.each([
    [0, '0.0'],
    [1, '1.0'],
    [1 / 9, '0.1111111111111111'],
    [1 / 3, '0.3333333333333333'],
    [0.6, '0.6'],
    [0.00012, '0.00012'],
    [0.0001, '0.0001'],
    [0.00005, '5e-05'],
    [1.5e-7, '1.5e-07'],
    [2, '2.0'],
    [0.1 + 0.2, '0.30000000000000004'],
    [5 / 6, '0.8333333333333334'],
  ])('writes %d as %s', (number, text) => {
    expect(pythonFloat(number)).toBe(text);
  });
});

describe('pythonStrip', () => {
  it('removes the white space of Python and no other', () => {
    const spaces = [
      0x9, 0xa, 0xb, 0xc, 0xd, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x200a, 0x2028,
      0x2029, 0x202f, 0x205f, 0x3000,
    ];
    const all = String.fromCodePoint(...spaces);
    expect(pythonStrip(`${all}a${all}b${all}`)).toBe(`a${all}b`);
    expect(pythonStrip(all)).toBe('');
    expect(pythonStrip('\uFEFFa\u200B')).toBe('\uFEFFa\u200B');
  });
});
