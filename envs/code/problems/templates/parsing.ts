import { drawn, text, texts, type Input } from '../inputs.ts';
import { each, every, orders, template } from '../template.ts';

/** Settings such as `a=3`, now and then broken. */
const settings = (): Input =>
  drawn({
    form: 'texts',
    says: 'a list of up to 8 words, most of them a letter from a to d, "=", and a whole number from 0 to 30',
    draw: (rng) =>
      Array.from({ length: rng.int(9) }, () => {
        const key = rng.pick(['a', 'b', 'c', 'd']);
        return rng.int(6) === 0
          ? rng.pick([key, `${key}:${rng.int(9)}`, `=${key}`])
          : `${key}=${rng.int(31)}`;
      }),
    edges: [[], ['a=0'], ['a'], ['a=5', 'a=6']],
  });

/** Sums such as `3+12-4`. */
const sums = (): Input =>
  drawn({
    form: 'text',
    says: 'whole numbers from 0 to 40 with "+" or "-" between them, without blanks',
    draw: (rng) =>
      Array.from(
        { length: 1 + rng.int(6) },
        (_, at) => `${at === 0 ? '' : rng.pick(['+', '-'])}${rng.int(41)}`,
      ).join(''),
    edges: ['0', '7', '10-20', '1-2+3'],
  });

export const parsingTemplates = [
  template({
    name: 'bracket_depth',
    category: 'parsing',
    difficulty: 3,
    result: 'number',
    variants: every(
      [
        { open: '(', close: ')' },
        { open: '<', close: '>' },
        { open: '[', close: ']' },
      ],
      each('k', [0, 1, 2]),
    ),
    parameters: ({ open, close }) => ({
      code: text(`${open}${close}x`, { most: 12, says: `"${open}", "${close}" and "x"` }),
    }),
    statement: ({ open, close, k }) =>
      `Every "${open}" opens a bracket and every "${close}" closes one. Give -1 where a bracket is closed that is not open or one stays open; else count the x that stand in more than ${k} open brackets.`,
    program: ({ open, close, k }) => `
def bracket_depth(code):
    depth = 0
    count = 0
    for c in code:
        if c == "${open}":
            depth += 1
        elif c == "${close}":
            depth -= 1
            if depth < 0:
                return -1
        elif depth > ${k}:
            count += 1
    if depth != 0:
        return -1
    return count`,
  }),
  template({
    name: 'read_settings',
    category: 'parsing',
    difficulty: 3,
    result: 'number',
    variants: every(orders, each('k', [5, 10, 20])),
    parameters: () => ({ words: settings() }),
    statement: ({ order, k }) =>
      `Words of the form letter, "=", number set the letter to the number; later ones replace earlier ones; words without exactly one "=" or with nothing on a side of it are passed over. Give the sum of the letters' last numbers that are ${order} ${k}.`,
    program: ({ sign, k }) => `
def read_settings(words):
    values = new_map()
    for word in words:
        parts = split(word, "=")
        if len(parts) == 2 and len(parts[0]) > 0 and len(parts[1]) > 0:
            put(values, parts[0], int(parts[1]))
    total = 0
    for key in keys(values):
        if get(values, key, 0) ${sign} ${k}:
            total += get(values, key, 0)
    return total`,
  }),
  template({
    name: 'evaluate_sum',
    category: 'parsing',
    difficulty: 4,
    result: 'number',
    variants: every(each('most', [9, 20, 30]), [
      { what: 'passed over', done: 'value = 0' },
      { what: 'counted as {most}', done: 'value = {most}' },
    ]),
    parameters: () => ({ line: sums() }),
    statement: ({ most, what }) =>
      `Work out the sum from left to right. Numbers greater than ${most} are ${what.replace('{most}', String(most))}.`,
    program: ({ most, done }) => `
def evaluate_sum(line):
    total = 0
    sign = 1
    at = 0
    while at < len(line):
        if line[at] == "+":
            sign = 1
            at += 1
        elif line[at] == "-":
            sign = -1
            at += 1
        else:
            value = 0
            while at < len(line) and is_digit(line[at]):
                value = value * 10 + int(line[at])
                at += 1
            if value > ${most}:
                ${done.replace('{most}', String(most))}
            total += sign * value
    return total`,
  }),
  template({
    name: 'unpack_runs',
    category: 'parsing',
    difficulty: 3,
    result: 'text',
    variants: each('k', [3, 4, 5, 6, 7, 8]),
    parameters: ({ k }) => ({
      packed: drawn({
        form: 'text',
        says: 'letters a to c and digits, a digit only behind a letter',
        draw: (rng) =>
          Array.from(
            { length: rng.int(6) },
            () => `${rng.pick(['a', 'b', 'c'])}${rng.int(3) === 0 ? '' : rng.int(10)}`,
          ).join(''),
        edges: ['', 'a', 'a0', `b${k}`, `c${k + 1}`],
      }),
    }),
    statement: ({ k }) =>
      `A digit says how often the letter before it is written; a letter without a digit is written once, and none more than ${k} times. Write them out.`,
    program: ({ k }) => `
def unpack_runs(packed):
    out = ""
    at = 0
    while at < len(packed):
        count = 1
        letter = packed[at]
        at += 1
        if at < len(packed) and is_digit(packed[at]):
            count = min(int(packed[at]), ${k})
            at += 1
        out = cat(out, times(letter, count))
    return out`,
  }),
  template({
    name: 'path_depth',
    category: 'parsing',
    difficulty: 3,
    result: 'number',
    heldOut: true,
    variants: every(
      [
        { asked: 'in the end', keep: 'answer = depth' },
        { asked: 'at the deepest', keep: 'answer = max(answer, depth)' },
      ],
      each('start', [0, 1, 2, 3]),
    ),
    parameters: () => ({ steps: texts('ab.', { most: 9, longest: 2 }) }),
    statement: ({ asked, start }) =>
      `One begins ${start} folders below the root. The word ".." goes up, but never above the root, "." stays, and any other word goes down into a folder of that name. Give how many folders below the root one is ${asked}.`,
    program: ({ keep, start }) => `
def path_depth(steps):
    depth = ${start}
    answer = ${start}
    for step in steps:
        if step == "..":
            if depth > 0:
                depth -= 1
        elif step != ".":
            depth += 1
        ${keep}
    return answer`,
  }),
];
