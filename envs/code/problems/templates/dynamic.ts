import type { Value } from '../../language/interpret.ts';
import { number, numbers, reaching, text } from '../inputs.ts';
import { each, ends, every, template } from '../template.ts';

const long = (length: number, of: (at: number) => Value): readonly Value[] =>
  Array.from({ length }, (_, at) => of(at));

const heavyStair = (lowest: number): number => (lowest === 1 ? 60 : 120);
const heavyDays = (gap: number): number => 40 * gap + 20;
const gains = { low: -5, high: 20 };
const weights = { low: 1, high: 12 };
const letters = reaching(text('abc', { most: 30 }), text('abc', { most: 6 }));

export const dynamicTemplates = [
  template({
    name: 'stair_ways',
    category: 'dynamic',
    difficulty: 3,
    result: 'number',
    variants: every(each('a', [1, 2]), each('b', [3, 4, 5])).flatMap((variant) => [
      { ...variant, m: 1000 },
      { ...variant, m: 97 },
    ]),
    parameters: ({ a }) => ({ n: reaching(number(0, heavyStair(a)), number(0, 24)) }),
    statement: ({ a, b, m }) =>
      `A stair has n steps, and one goes up ${a} or ${b} at a time. Give the number of ways to go all of it exactly (1 for n = 0), as the rest when it is divided by ${m}.`,
    program: ({ a, b, m }) => `
def stair_ways(n):
    ways = filled(n + 1, 0)
    ways[0] = 1
    for i in range(1, n + 1):
        if i >= ${a}:
            ways[i] += ways[i - ${a}]
        if i >= ${b}:
            ways[i] += ways[i - ${b}]
        ways[i] = ways[i] % ${m}
    return ways[n]`,
    slow: ({ a, b, m }) => `
def count_ways(n):
    if n < 0:
        return 0
    if n == 0:
        return 1
    return count_ways(n - ${a}) + count_ways(n - ${b})

def stair_ways(n):
    return count_ways(n) % ${m}`,
    heavy: ({ a }) => [heavyStair(a)],
  }),
  template({
    name: 'fewest_coins',
    category: 'dynamic',
    difficulty: 4,
    result: 'number',
    variants: every(each('b', [3, 4, 5]), each('c', [7, 9])).flatMap((variant) => [
      { ...variant, missing: -1 },
      { ...variant, missing: 0 },
    ]),
    parameters: () => ({ amount: reaching(number(0, 300), number(0, 40)) }),
    statement: ({ b, c, missing }) =>
      `Coins are worth 2, ${b} and ${c}, as many of each as one likes. Give the fewest that make up the amount exactly; ${missing} where none do.`,
    program: ({ b, c, missing }) => `
def fewest_coins(amount):
    fewest = filled(amount + 1, 999)
    fewest[0] = 0
    for total in range(1, amount + 1):
        for coin in [2, ${b}, ${c}]:
            if coin <= total:
                fewest[total] = min(fewest[total], fewest[total - coin] + 1)
    if fewest[amount] == 999:
        return ${missing}
    return fewest[amount]`,
    slow: ({ b, c, missing }) => `
def search(amount):
    if amount == 0:
        return 0
    best = 999
    for coin in [2, ${b}, ${c}]:
        if coin <= amount:
            best = min(best, search(amount - coin) + 1)
    return best

def fewest_coins(amount):
    best = search(amount)
    if best >= 999:
        return ${missing}
    return best`,
    heavy: () => [300],
  }),
  template({
    name: 'best_rest',
    category: 'dynamic',
    difficulty: 4,
    result: 'number',
    variants: every(ends.slice(0, 1), each('gap', [1, 2, 3]))
      .flatMap((variant) => [
        { ...variant, m: 0 },
        { ...variant, m: 5 },
      ])
      .map(({ gap, m }) => ({ gap, m })),
    parameters: ({ gap }) => ({
      gains: reaching(numbers({ ...gains, most: heavyDays(gap) }), numbers({ ...gains, most: 10 })),
    }),
    statement: ({ gap, m }) =>
      `Choose days so that at least ${gap} ${gap === 1 ? 'day is' : 'days are'} left out between any two chosen ones. Each chosen day earns its gain and costs ${m}. Give the most that can be earned; choosing none earns 0.`,
    program: ({ gap, m }) => `
def best_rest(gains):
    best = [0]
    for at in range(len(gains)):
        before = max(0, at - ${gap})
        append(best, max(best[at], best[before] + gains[at] - ${m}))
    return best[len(gains)]`,
    slow: ({ gap, m }) => `
def search(gains, at):
    if at >= len(gains):
        return 0
    return max(search(gains, at + 1), gains[at] - ${m} + search(gains, at + ${gap} + 1))

def best_rest(gains):
    return search(gains, 0)`,
    heavy: ({ gap }) => [long(heavyDays(gap), (at) => (at * 7) % (gains.high + 1))],
  }),
  template({
    name: 'edit_steps',
    category: 'dynamic',
    difficulty: 5,
    result: 'number',
    variants: every(each('swap', [1, 2, 3]), each('insert', [1, 2])),
    parameters: () => ({ from_text: letters, to_text: letters }),
    statement: ({ swap, insert }) =>
      `Make the first text into the second: to put in or take out a letter costs ${insert}, to replace one costs ${swap}. Give the least cost.`,
    program: ({ swap, insert }) => `
def edit_steps(from_text, to_text):
    row = []
    for j in range(len(to_text) + 1):
        append(row, j * ${insert})
    for i in range(1, len(from_text) + 1):
        above = row
        row = [i * ${insert}]
        for j in range(1, len(to_text) + 1):
            cost = min(above[j], row[j - 1]) + ${insert}
            change = above[j - 1]
            if from_text[i - 1] != to_text[j - 1]:
                change += ${swap}
            append(row, min(cost, change))
    return row[len(to_text)]`,
    slow: ({ swap, insert }) => `
def search(a, b):
    if len(a) == 0:
        return len(b) * ${insert}
    if len(b) == 0:
        return len(a) * ${insert}
    cost = search(a[1:], b[1:])
    if a[0] != b[0]:
        cost += ${swap}
    return min(cost, min(search(a[1:], b), search(a, b[1:])) + ${insert})

def edit_steps(from_text, to_text):
    return search(from_text, to_text)`,
    heavy: () => ['abcabcabcabcabcabcabcabcabcabc', 'cbacbacbacbacbacbacbacbacbacba'],
  }),
  template({
    name: 'pack_weight',
    category: 'dynamic',
    difficulty: 4,
    result: 'number',
    heldOut: true,
    variants: every(each('extra', [0, 1, 2]), each('most', [3, 5, 9])),
    parameters: () => ({
      weights: reaching(numbers({ ...weights, most: 40 }), numbers({ ...weights, most: 8 })),
      room: reaching(number(0, 100), number(0, 40)),
    }),
    statement: ({ extra, most }) =>
      `Pack some of the things, each at most once, into a box. A thing takes its weight and ${extra} more, and things heavier than ${most} do not go in at all. Give the most room that can be used, not more than there is.`,
    program: ({ extra, most }) => `
def pack_weight(weights, room):
    possible = filled(room + 1, False)
    possible[0] = True
    for weight in weights:
        if weight <= ${most}:
            need = weight + ${extra}
            for total in range(room, need - 1, -1):
                if possible[total - need]:
                    possible[total] = True
    best = 0
    for total in range(room + 1):
        if possible[total]:
            best = total
    return best`,
    slow: ({ extra, most }) => `
def search(weights, at, room):
    if at == len(weights):
        return 0
    best = search(weights, at + 1, room)
    need = weights[at] + ${extra}
    if weights[at] <= ${most} and need <= room:
        best = max(best, need + search(weights, at + 1, room - need))
    return best

def pack_weight(weights, room):
    return search(weights, 0, room)`,
    heavy: ({ most }) => [long(40, (at) => 1 + (at % most)), 100],
  }),
];
