import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';

/** Coefficients by power, from the constant on, without zeros at the end. */
type Polynomial = readonly number[];
const coefficients = z.array(z.int());
const question = z.strictObject({
  task: z.enum(['expand', 'differentiate', 'compose', 'divide']),
  /** Factors of a product, or f and g. */
  parts: z.array(coefficients).min(1).max(3),
});
interface Given {
  readonly task: 'expand' | 'differentiate' | 'compose' | 'divide';
  readonly parts: readonly (readonly number[])[];
}

const trim = (list: readonly number[]): Polynomial => {
  let length = list.length;
  while (length > 0 && list[length - 1] === 0) length -= 1;
  return list.slice(0, length);
};
const add = (one: Polynomial, other: Polynomial): Polynomial =>
  trim(
    Array.from({ length: Math.max(one.length, other.length) }, (_, at) => (one[at] ?? 0) + (other[at] ?? 0)),
  );
const multiply = (one: Polynomial, other: Polynomial): Polynomial => {
  const product = Array.from({ length: Math.max(one.length + other.length - 1, 0) }, () => 0);
  for (const [at, a] of one.entries())
    for (const [by, b] of other.entries()) product[at + by] = (product[at + by] ?? 0) + a * b;
  return trim(product);
};
const differentiate = (of: Polynomial): Polynomial => trim(of.slice(1).map((value, at) => value * (at + 1)));
/** f(g(x)), by Horner's rule. */
const compose = (f: Polynomial, g: Polynomial): Polynomial =>
  f.reduceRight((sum: Polynomial, value) => add(multiply(sum, g), [value]), []);
/** The quotient of a division without remainder. The divisor begins with 1. */
function divide(dividend: Polynomial, divisor: Polynomial): Polynomial {
  const rest = [...dividend];
  const quotient: number[] = [];
  for (let at = rest.length - divisor.length; at >= 0; at -= 1) {
    const factor = rest[at + divisor.length - 1] ?? 0;
    quotient[at] = factor;
    for (const [by, value] of divisor.entries()) rest[at + by] = (rest[at + by] ?? 0) - factor * value;
  }
  return trim(quotient);
}

const one: Polynomial = [1];

function solve({ task, parts }: Given): Polynomial {
  const [first = [], second = []] = parts;
  switch (task) {
    case 'expand':
      return parts.reduce<Polynomial>((product, part) => multiply(product, part), one);
    case 'differentiate':
      return differentiate(parts.reduce<Polynomial>((product, part) => multiply(product, part), one));
    case 'compose':
      return compose(first, second);
    case 'divide':
      return divide(first, second);
  }
}

/** `3x^2 - x + 5`, with the highest power first. */
export function writePolynomial(of: readonly number[]): string {
  const terms = of.flatMap((value, power) => {
    if (value === 0) return [];
    const size = Math.abs(value) === 1 && power > 0 ? '' : String(Math.abs(value));
    const variable = power === 0 ? '' : power === 1 ? 'x' : `x^${power}`;
    return [`${value < 0 ? '-' : '+'} ${size}${variable}`];
  });
  const text = terms.toReversed().join(' ');
  return text === '' ? '0' : text.startsWith('+ ') ? text.slice(2) : text.replace('- ', '-');
}

/** The largest power and the most digits of a number in an answer. */
const [highest, digits] = [12, 12];

/** Reads a sum of terms in any order. Terms of one power are added. */
function read(text: string): Polynomial | undefined {
  const plain = text.replaceAll(/[\s*]/g, '').replaceAll('−', '-').toLowerCase();
  const sum: number[] = Array.from({ length: highest + 1 }, () => 0);
  let at = 0;
  for (const match of plain.matchAll(/([+-]?)(\d*)(x(?:\^(\d{1,2}))?)?/gy)) {
    const [term, sign = '', size = '', variable, power] = match;
    if (term === '') break;
    if ((size === '' && variable === undefined) || size.length > digits || (at > 0 && sign === ''))
      return undefined;
    const of = variable === undefined ? 0 : Number(power ?? '1');
    if (of > highest) return undefined;
    sum[of] = (sum[of] ?? 0) + (sign === '-' ? -1 : 1) * Number(size === '' ? '1' : size);
    at += term.length;
  }
  return at === plain.length && at > 0 ? trim(sum) : undefined;
}

const ofDegree = (rng: Rng, degree: number, size: number): number[] =>
  Array.from({ length: degree + 1 }, (_, at) => {
    const value = rng.int(2 * size + 1) - size;
    return at === degree && value === 0 ? 1 : value;
  });

interface Level {
  readonly tasks: readonly Given['task'][];
  readonly degree: number;
  readonly size: number;
  readonly factors: number;
}

function draw(rng: Rng, { tasks, degree, size, factors }: Level): Given {
  const task = rng.pick(tasks);
  const pair = [ofDegree(rng, degree, size), ofDegree(rng, degree, size)];
  if (task === 'compose') return { task, parts: pair };
  if (task === 'divide') {
    const divisor = [...ofDegree(rng, degree - 1, size), 1];
    return { task, parts: [[...multiply(ofDegree(rng, degree, size), divisor)], divisor] };
  }
  return { task, parts: Array.from({ length: factors }, () => ofDegree(rng, degree, size)) };
}

const inBrackets = (parts: Given['parts']): string =>
  parts.map((part) => `(${writePolynomial(part)})`).join(' ');

export const polynomial = definePuzzle({
  name: 'polynomial',
  category: 'arithmetic',
  summary: 'Symbolic algebra: products, derivatives, compositions and quotients of polynomials',
  question,
  levels: [
    { tasks: ['expand', 'differentiate'], degree: 1, size: 9, factors: 2 },
    { tasks: ['expand', 'differentiate', 'divide'], degree: 2, size: 9, factors: 2 },
    { tasks: ['expand', 'differentiate', 'divide', 'compose'], degree: 2, size: 12, factors: 3 },
    { tasks: ['compose', 'divide', 'expand'], degree: 3, size: 12, factors: 3 },
  ] satisfies readonly Level[],
  generate: (rng, level) => {
    for (;;) {
      const given = draw(rng, level);
      const solution = solve(given);
      if (solution.length > 1) return { question: given as z.output<typeof question>, solution };
    }
  },
  rules: 'Calculate with polynomials in x, and give the result without brackets.',
  render: ({ task, parts }) => {
    const [first = [], second = []] = parts;
    switch (task) {
      case 'expand':
        return `Expand ${inBrackets(parts)}.`;
      case 'differentiate':
        return `Differentiate ${inBrackets(parts)} with respect to x.`;
      case 'compose':
        return `f(x) = ${writePolynomial(first)}\ng(x) = ${writePolynomial(second)}\nWrite f(g(x)).`;
      case 'divide':
        return `Divide ${writePolynomial(first)} by ${writePolynomial(second)}. There is no remainder.`;
    }
  },
  answer: {
    format: 'a sum of terms, such as 3x^2 - x + 5.',
    write: writePolynomial,
    read: (text) => read(text),
    symbols: '−',
    longest: 400,
  },
  verify: (given, answer) => {
    const right = solve(given);
    return right.length === answer.length && right.every((value, at) => value === answer[at]);
  },
  unique: true,
  solve: (given) => ({
    answers: [solve(given)],
    effort: given.parts.reduce((work, part) => work * part.length, 1),
  }),
  audit: {
    guess: (given, rng) => {
      const right = solve(given).length;
      return trim(ofDegree(rng, right - 1, 20));
    },
    chance: (level) => [5e-3, 1e-3, 1e-4, 1e-4][level - 1] ?? 1,
    mutants: (answer, _given, rng) => {
      const at = rng.int(answer.length);
      return {
        'one coefficient larger': trim(answer.with(at, (answer[at] ?? 0) + 1)),
        'the wrong sign': answer.map((value) => -value),
        'one power higher': [0, ...answer],
        'powers in another order':
          answer.join() === answer.toReversed().join() ? undefined : trim(answer.toReversed()),
      };
    },
    variety: (level) => [130_000, 4_000_000, 1e9, 1e9][level - 1] ?? 1,
    equivalents: (answer) => ({
      'without blanks': writePolynomial(answer).replaceAll(' ', ''),
      'lowest power first': answer
        .map((value, power) => `${value < 0 ? '-' : '+'}${Math.abs(value)}x^${power}`)
        .join(' '),
      'with signs of multiplication': writePolynomial(answer).replaceAll(/(\d)x/g, '$1*x'),
      'typographic minus': writePolynomial(answer).replaceAll('-', '−'),
    }),
  },
});
