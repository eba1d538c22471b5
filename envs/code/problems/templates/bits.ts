import { number, numbers } from '../inputs.ts';
import { each, every, orders, template } from '../template.ts';

const bitCount = `
def ones(n):
    count = 0
    while n > 0:
        count += n & 1
        n = n >> 1
    return count
`;

export const bitTemplates = [
  template({
    name: 'many_ones',
    category: 'bits',
    difficulty: 2,
    result: 'number',
    variants: every(orders, each('k', [1, 2, 4])),
    parameters: () => ({ values: numbers({ low: 0, high: 255, most: 10 }) }),
    statement: ({ order, k }) => `Count the values whose number of ones in binary is ${order} ${k}.`,
    program: ({ sign, k }) => `${bitCount}
def many_ones(values):
    count = 0
    for value in values:
        if ones(value) ${sign} ${k}:
            count += 1
    return count`,
  }),
  template({
    name: 'bit_distance',
    category: 'bits',
    difficulty: 2,
    result: 'number',
    variants: every(each('mask', [255, 240, 85, 15]), [
      { what: 'differ', join: '^' },
      { what: 'are both 1', join: '&' },
    ]),
    parameters: () => ({ a: number(0, 255), b: number(0, 255) }),
    statement: ({ mask, what }) => `Of the bits that are 1 in ${mask}, count those at which a and b ${what}.`,
    program: ({ mask, join }) => `${bitCount}
def bit_distance(a, b):
    return ones((a ${join} b) & ${mask})`,
  }),
  template({
    name: 'set_bits',
    category: 'bits',
    difficulty: 3,
    result: 'numbers',
    variants: every(each('plus', [0, 1, 10]), [
      { which: '1', want: 1 },
      { which: '0', want: 0 },
    ]),
    parameters: () => ({ n: number(0, 1023) }),
    statement: ({ plus, which }) =>
      `List, from the lowest on, the places of the bits of n that are ${which}, up to its highest 1; the lowest bit has place ${plus}. There are none for n = 0.`,
    program: ({ plus, want }) => `
def set_bits(n):
    places = []
    at = ${plus}
    while n > 0:
        if n % 2 == ${want}:
            append(places, at)
        at += 1
        n = n // 2
    return places`,
  }),
  template({
    name: 'checksum',
    category: 'bits',
    difficulty: 2,
    result: 'number',
    variants: every(each('seed', [0, 1, 90]), each('turn', [1, 2, 3])),
    parameters: () => ({ values: numbers({ low: 0, high: 255, most: 10 }) }),
    statement: ({ seed, turn }) =>
      `Begin with ${seed}. For each value: turn the 8 bits of the sum so far left by ${turn} (what leaves above comes in below), then take the exclusive or with the value. Give what comes out.`,
    program: ({ seed, turn }) => `
def checksum(values):
    total = ${seed}
    for value in values:
        total = ((total << ${turn}) | (total >> (8 - ${turn}))) & 255
        total = total ^ value
    return total`,
  }),
  template({
    name: 'longest_ones',
    category: 'bits',
    difficulty: 3,
    result: 'number',
    heldOut: true,
    variants: every(
      [
        { which: '1', want: 1 },
        { which: '0', want: 0 },
      ],
      each('width', [6, 8, 10, 12]),
    ),
    parameters: ({ width }) => ({ n: number(0, 2 ** width - 1) }),
    statement: ({ which, width }) =>
      `Write n with ${width} bits. Give the length of the longest run of neighbouring bits that are ${which}.`,
    program: ({ want, width }) => `
def longest_ones(n):
    best = 0
    current = 0
    for at in range(${width}):
        if (n >> at) & 1 == ${want}:
            current += 1
            best = max(best, current)
        else:
            current = 0
    return best`,
  }),
];
