import { number, reaching } from '../inputs.ts';
import { each, every, orders, template } from '../template.ts';

export const numberTemplates = [
  template({
    name: 'count_multiples',
    category: 'numbers',
    difficulty: 1,
    result: 'number',
    variants: every(each('a', [3, 4, 5]), [
      { join: 'and', also: 'and' },
      { join: 'or', also: 'or' },
    ]).flatMap((variant) => [
      { ...variant, b: 2 },
      { ...variant, b: 7 },
    ]),
    parameters: () => ({ n: number(0, 80, [14, 35]) }),
    statement: ({ a, b, join }) =>
      `Count the numbers from 1 to n, n included, that are multiples of ${a} ${join} of ${b}.`,
    program: ({ a, b, also }) => `
def count_multiples(n):
    count = 0
    for i in range(1, n + 1):
        if i % ${a} == 0 ${also} i % ${b} == 0:
            count += 1
    return count`,
  }),
  template({
    name: 'digit_sum',
    category: 'numbers',
    difficulty: 1,
    result: 'number',
    variants: every(each('base', [2, 3, 7, 10]), orders)
      .map((variant) => ({ ...variant, k: Math.min(variant.base - 1, variant.base === 2 ? 1 : 2) }))
      .filter(({ base, sign }) => base > 2 || sign === '>='),
    parameters: () => ({ n: number(0, 5000) }),
    statement: ({ base, order, k }) =>
      `Add up those digits of n, written in base ${base}, that are ${order} ${k}.`,
    program: ({ base, sign, k }) => `
def digit_sum(n):
    total = 0
    while n > 0:
        digit = n % ${base}
        if digit ${sign} ${k}:
            total += digit
        n = n // ${base}
    return total`,
  }),
  template({
    name: 'collatz_steps',
    category: 'numbers',
    difficulty: 2,
    result: 'number',
    variants: every(each('factor', [3]), each('most', [5, 10, 20, 40])).flatMap((variant) => [
      { ...variant, goal: 1 },
      { ...variant, goal: 2 },
      { ...variant, goal: 4 },
    ]),
    parameters: () => ({ n: number(1, 60) }),
    statement: ({ goal, most }) =>
      `Halve n where it is even, else take three times n and one more, until it is ${goal}. Give the number of steps that takes, or -1 where it takes more than ${most}.`,
    program: ({ factor, goal, most }) => `
def collatz_steps(n):
    steps = 0
    while n != ${goal}:
        if steps == ${most}:
            return -1
        if n % 2 == 0:
            n = n // 2
        else:
            n = ${factor} * n + 1
        steps += 1
    return steps`,
  }),
  template({
    name: 'count_primes',
    category: 'numbers',
    difficulty: 3,
    result: 'number',
    variants: every(each('m', [3, 4, 5, 6]), each('rest', [1, 2])),
    parameters: () => ({ n: number(0, 120, [2, 11]) }),
    statement: ({ m, rest }) =>
      `Count the primes from 2 to n, n included, that leave the rest ${rest} when they are divided by ${m}.`,
    program: ({ m, rest }) => `
def is_prime(n):
    if n < 2:
        return False
    d = 2
    while d * d <= n:
        if n % d == 0:
            return False
        d += 1
    return True

def count_primes(n):
    count = 0
    for i in range(2, n + 1):
        if i % ${m} == ${rest} and is_prime(i):
            count += 1
    return count`,
  }),
  template({
    name: 'divisor_sum',
    category: 'numbers',
    difficulty: 2,
    result: 'number',
    variants: every(orders, each('k', [2, 4, 6])),
    parameters: ({ k }) => ({ n: number(1, 120, [k, 12]) }),
    statement: ({ order, k }) =>
      `Give the sum of those divisors of n, 1 and n included, that are ${order} ${k}.`,
    program: ({ sign, k }) => `
def divisor_sum(n):
    total = 0
    for d in range(1, n + 1):
        if n % d == 0 and d ${sign} ${k}:
            total += d
    return total`,
  }),
  template({
    name: 'power_rest',
    category: 'numbers',
    difficulty: 4,
    result: 'number',
    variants: each('m', [7, 10, 13, 97, 101, 1000, 1009, 9973]),
    parameters: () => ({ base: number(0, 400), exponent: reaching(number(0, 10 ** 15), number(0, 1000)) }),
    statement: ({ m }) =>
      `Give the rest of base to the power of exponent when it is divided by ${m}; anything to the power of 0 is 1.`,
    program: ({ m }) => `
def power_rest(base, exponent):
    result = 1
    base = base % ${m}
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base % ${m}
        base = base * base % ${m}
        exponent = exponent // 2
    return result`,
    slow: ({ m }) => `
def power_rest(base, exponent):
    result = 1
    for i in range(exponent):
        result = result * base % ${m}
    return result`,
    heavy: () => [3, 999_999_999_999_989],
  }),
  template({
    name: 'common_steps',
    category: 'numbers',
    difficulty: 2,
    result: 'number',
    heldOut: true,
    variants: every(each('a', [2, 3, 4, 6]), each('b', [5, 8, 9])),
    parameters: () => ({ n: number(1, 200) }),
    statement: ({ a, b }) =>
      `A lamp blinks every ${a} seconds, another every ${b}, both for the first time at the start (second 0). Count the seconds from 0 to n, n included, at which exactly one of them blinks.`,
    program: ({ a, b }) => `
def common_steps(n):
    count = 0
    for t in range(0, n + 1):
        blinking = 0
        if t % ${a} == 0:
            blinking += 1
        if t % ${b} == 0:
            blinking += 1
        if blinking == 1:
            count += 1
    return count`,
  }),
];
