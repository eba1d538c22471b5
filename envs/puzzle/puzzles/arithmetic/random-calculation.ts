import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';

/** `+`, or an operand such as `7`, `3/4` or `12^2`. The expression is in postfix order: operands before their operator. */
const token = z.string().regex(/^(?:[-+*/]|\d{1,3}(?:\^[23]|\/[1-9]\d{0,2})?)$/);
const question = z.strictObject({ postfix: z.array(token).min(1).max(63) });
type Tokens = readonly string[];
/** A fraction that need not be reduced; the denominator is not 0. */
type Value = readonly [numerator: bigint, denominator: bigint];

function operand(text: string): Value {
  const [, base = '0', power, divisor] = /^(\d+)(?:\^(\d)|\/(\d+))?$/.exec(text) ?? [];
  return [BigInt(base) ** BigInt(power ?? 1), BigInt(divisor ?? 1)];
}

/** The exact value; undefined where the tokens are no expression or divide by zero. */
function evaluate(tokens: Tokens): Value | undefined {
  const stack: Value[] = [];
  for (const each of tokens) {
    if (!'+-*/'.includes(each)) {
      stack.push(operand(each));
      continue;
    }
    const [right, left] = [stack.pop(), stack.pop()];
    if (right === undefined || left === undefined) return undefined;
    const [[a, b], [c, d]] = [left, right];
    if (each === '+') stack.push([a * d + c * b, b * d]);
    else if (each === '-') stack.push([a * d - c * b, b * d]);
    else if (each === '*') stack.push([a * c, b * d]);
    else if (c === 0n) return undefined;
    else stack.push([a * d, b * c]);
  }
  return stack.length === 1 ? stack[0] : undefined;
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** The reduced fraction with a positive denominator. */
function reduce([numerator, denominator]: Value): Value {
  let [a, b] = [absolute(numerator), absolute(denominator)];
  while (b !== 0n) [a, b] = [b, a % b];
  const sign = denominator < 0n ? -1n : 1n;
  return [(sign * numerator) / a, (sign * denominator) / a];
}

/** The expression as people write it, with all its brackets. */
function write(tokens: Tokens): string {
  const stack: string[] = [];
  for (const each of tokens) {
    if (!'+-*/'.includes(each)) stack.push(each.includes('/') ? `(${each})` : each);
    else {
      const [right = '', left = ''] = [stack.pop(), stack.pop()];
      stack.push(`(${left} ${each} ${right})`);
    }
  }
  const [whole = ''] = stack;
  return tokens.length > 1 ? whole.slice(1, -1) : whole;
}

function drawOperand(rng: Rng): string {
  const kind = rng.int(10);
  if (kind < 6) return String(rng.int(101));
  if (kind === 6) return `${2 + rng.int(30)}^2`;
  if (kind === 7) return `${2 + rng.int(9)}^3`;
  return `${1 + rng.int(12)}/${2 + rng.int(11)}`;
}

/** A random expression of a number of steps, each of which has one operator. */
function draw(rng: Rng, steps: number): string[] {
  if (steps === 0) return [drawOperand(rng)];
  const left = rng.int(steps);
  return [...draw(rng, left), ...draw(rng, steps - 1 - left), rng.pick(['+', '+', '-', '-', '*', '/'])];
}

const show = ([numerator, denominator]: Value): string =>
  denominator === 1n ? String(numerator) : `${numerator}/${denominator}`;
const isMinus = (sign: string | undefined): boolean => sign === '-' || sign === '−';
/** Values of questions have at most this numerator and denominator. */
const largest = 1_000_000_000n;

export const randomCalculation = definePuzzle({
  name: 'random-calculation',
  category: 'arithmetic',
  summary: 'Random calculations of any length over integers, fractions, squares and cubes',
  question,
  levels: [1, 2, 4, 8, 16],
  generate: (rng, steps) => {
    for (;;) {
      const postfix = draw(rng, steps);
      const value = evaluate(postfix);
      if (value === undefined) continue;
      const solution = reduce(value);
      if (absolute(solution[0]) <= largest && solution[1] <= largest)
        return { question: { postfix }, solution };
    }
  },
  rules:
    'Calculate the exact value. The sign ^ is a power: 5^2 is 25. Brackets come first, and * and / come before + and -.',
  render: ({ postfix }) => write(postfix),
  answer: {
    format: 'an integer such as -12, a fraction such as 7/3, or a decimal number that is exact, such as 2.5.',
    write: show,
    read: (text): Value | undefined => {
      const [, sign, whole = '', digits, minus = '', divisor] =
        /^([-−+])?(\d{0,30})(?:\.(\d{1,30})|\s*\/\s*([-−+])?(\d{1,30}))?$/.exec(text.replace(/^=\s*/, '')) ??
        [];
      if (whole + (digits ?? '') === '' || (whole === '' && divisor !== undefined)) return undefined;
      if (divisor !== undefined && /^0+$/.test(divisor)) return undefined;
      const isNegative = isMinus(sign) !== isMinus(minus);
      const numerator = BigInt(whole + (digits ?? ''));
      return [
        isNegative ? -numerator : numerator,
        digits === undefined ? BigInt(divisor ?? 1) : 10n ** BigInt(digits.length),
      ];
    },
    symbols: '−',
  },
  verify: ({ postfix }, [numerator, denominator]) => {
    const [a, b] = evaluate(postfix) ?? [0n, 0n];
    return b !== 0n && a * denominator === numerator * b;
  },
  solve: ({ postfix }) => {
    const value = evaluate(postfix);
    return { answers: value === undefined ? [] : [reduce(value)], effort: postfix.length };
  },
  audit: {
    guess: (_given, rng) => [BigInt(rng.int(201)), 1n] as const,
    chance: 0.01,
    mutants: ([numerator, denominator]) => ({
      'one too many': [numerator + denominator, denominator] as const,
      'the wrong sign': numerator === 0n ? undefined : ([-numerator, denominator] as const),
      'upside down':
        numerator <= 1n || numerator === denominator ? undefined : ([denominator, numerator] as const),
      'without the denominator': denominator === 1n ? undefined : ([numerator, 1n] as const),
      'a little more': [numerator * 1000n + 1n, denominator * 1000n] as const,
    }),
    equivalents: ([numerator, denominator]) => ({
      'not reduced': `${numerator * 3n}/${denominator * 3n}`,
      'with an equals sign': `= ${show([numerator, denominator])}`,
      ...(denominator === 1n ? { 'with a decimal point': `${numerator}.0` } : {}),
      'typographic minus': show([numerator, denominator]).replace('-', '−'),
    }),
    variety: (level) => (level === 1 ? 8_000 : 1e9),
  },
});
