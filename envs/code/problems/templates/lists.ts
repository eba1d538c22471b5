import { number, numbers } from '../inputs.ts';
import { each, ends, every, orders, template } from '../template.ts';

const thresholds = each('k', [3, 7, 12]);
const listNear = (k: number) => numbers({ low: -20, high: 40, most: 12, near: [k] });

export const listTemplates = [
  template({
    name: 'count_matching',
    category: 'lists',
    difficulty: 1,
    result: 'number',
    variants: every(orders, thresholds),
    parameters: ({ k }) => ({ values: listNear(k) }),
    statement: ({ order, k }) => `Count the values that are ${order} ${k}.`,
    program: ({ sign, k }) => `
def count_matching(values):
    count = 0
    for value in values:
        if value ${sign} ${k}:
            count += 1
    return count`,
  }),
  template({
    name: 'sum_matching',
    category: 'lists',
    difficulty: 1,
    result: 'number',
    variants: every(orders, thresholds),
    parameters: ({ k }) => ({ values: listNear(k) }),
    statement: ({ order, k }) => `Give the sum of the values that are ${order} ${k}; 0 where there are none.`,
    program: ({ sign, k }) => `
def sum_matching(values):
    total = 0
    for value in values:
        if value ${sign} ${k}:
            total += value
    return total`,
  }),
  template({
    name: 'keep_matching',
    category: 'lists',
    difficulty: 1,
    result: 'numbers',
    variants: every(orders, each('m', [2, 3, 5])),
    parameters: () => ({ values: numbers({ low: 0, high: 60, most: 12 }), limit: number(0, 30) }),
    statement: ({ order, m }) =>
      `Keep, in their order, the values that are ${order} the limit and are multiples of ${m}.`,
    program: ({ sign, m }) => `
def keep_matching(values, limit):
    kept = []
    for value in values:
        if value ${sign} limit and value % ${m} == 0:
            append(kept, value)
    return kept`,
  }),
  template({
    name: 'end_index',
    category: 'lists',
    difficulty: 2,
    result: 'number',
    variants: every(ends, [
      { which: 'first', tie: '' },
      { which: 'last', tie: '=' },
    ]),
    parameters: () => ({ values: numbers({ low: -5, high: 9, most: 12 }) }),
    statement: ({ end, which }) =>
      `Give the index (from 0) of the ${end} value; where there are several, of the ${which} of them; -1 for an empty list.`,
    program: ({ beats, tie }) => `
def end_index(values):
    if len(values) == 0:
        return -1
    best = 0
    for at in range(1, len(values)):
        if values[at] ${beats}${tie} values[best]:
            best = at
    return best`,
  }),
  template({
    name: 'longest_run',
    category: 'lists',
    difficulty: 2,
    result: 'number',
    variants: every(orders, each('k', [2, 5, 9])),
    parameters: ({ k }) => ({ values: numbers({ low: 0, high: 14, most: 14, near: [k] }) }),
    statement: ({ order, k }) =>
      `Give the length of the longest run of neighbours that are all ${order} ${k}.`,
    program: ({ sign, k }) => `
def longest_run(values):
    best = 0
    current = 0
    for value in values:
        if value ${sign} ${k}:
            current += 1
            best = max(best, current)
        else:
            current = 0
    return best`,
  }),
  template({
    name: 'window_sum',
    category: 'lists',
    difficulty: 3,
    result: 'number',
    variants: every(ends, each('w', [2, 3, 4, 5])),
    parameters: () => ({ values: numbers({ low: -9, high: 20, most: 14 }) }),
    statement: ({ end, w }) =>
      `Give the ${end} sum of ${w} neighbours in the list; 0 where the list is shorter than ${w}.`,
    program: ({ beats, w }) => `
def window_sum(values):
    if len(values) < ${w}:
        return 0
    current = sum(values[:${w}])
    best = current
    for at in range(${w}, len(values)):
        current = current + values[at] - values[at - ${w}]
        if current ${beats} best:
            best = current
    return best`,
  }),
  template({
    name: 'count_rises',
    category: 'lists',
    difficulty: 2,
    result: 'number',
    variants: every(orders, each('k', [1, 4, 6])),
    parameters: ({ k }) => ({ values: numbers({ low: 0, high: 12, most: 14, near: [k] }) }),
    statement: ({ order, k }) =>
      `Count the neighbours in the list of which the second minus the first is ${order} ${k}.`,
    program: ({ sign, k }) => `
def count_rises(values):
    count = 0
    for at in range(1, len(values)):
        if values[at] - values[at - 1] ${sign} ${k}:
            count += 1
    return count`,
  }),
  template({
    name: 'pairs_with_sum',
    category: 'lists',
    difficulty: 3,
    result: 'number',
    variants: every(orders, each('k', [5, 11, 18])),
    parameters: ({ k }) => ({ values: numbers({ low: 0, high: 20, most: 10, near: [k] }) }),
    statement: ({ order, k }) =>
      `Count the pairs of places i < j whose values add up to something ${order} ${k}.`,
    program: ({ sign, k }) => `
def pairs_with_sum(values):
    count = 0
    for i in range(len(values)):
        for j in range(i + 1, len(values)):
            if values[i] + values[j] ${sign} ${k}:
                count += 1
    return count`,
  }),
  template({
    name: 'rotate_by',
    category: 'lists',
    difficulty: 2,
    result: 'numbers',
    heldOut: true,
    variants: every(
      [
        { side: 'left', sign: '+' },
        { side: 'right', sign: '-' },
      ],
      each('k', [1, 2, 3, 4, 5]),
    ),
    parameters: () => ({ values: numbers({ low: 0, high: 30, most: 10 }) }),
    statement: ({ side, k }) =>
      `Turn the list by ${k} places to the ${side}: what leaves on one side comes in on the other.`,
    program: ({ sign, k }) => `
def rotate_by(values):
    turned = []
    if len(values) == 0:
        return turned
    for at in range(len(values)):
        append(turned, values[(at ${sign} ${k}) % len(values)])
    return turned`,
  }),
];
