import type { ActionTarget, Features } from '../../../core/features.ts';
import {
  apply,
  numbersOf,
  operators,
  readFraction,
  writeFraction,
  type Expression,
  type Fraction,
  type Operator,
} from './expression.ts';

/** A way to combine numbers to a target, as steps: each takes two of the numbers and puts the result at the end. */
interface Step {
  readonly operator: Operator;
  readonly left: number;
  readonly right: number;
}

/** What a search found. */
export interface Found {
  /** Undefined where the search found none. */
  readonly steps: readonly Step[] | undefined;
  /** Pairs of numbers that were combined. */
  readonly tried: number;
  /** Ways that were found. */
  readonly ways: number;
}

const close = 1e-9;

/**
 * Combines numbers to a target, each number once, two at a time. It computes in floating point and proves each hit in
 * fractions. Tables of at least four numbers that were met before are not searched again.
 *
 * @param most ways after which the search ends; it meets the same way in several orders
 */
export function reachTarget(numbers: readonly Fraction[], target: number, most: number): Found {
  const trail: Step[] = [];
  const met = new Set<string>();
  let [tried, ways] = [0, 0];
  let first: readonly Step[] | undefined;
  const search = (values: readonly number[]): void => {
    if (values.length > 3) {
      const table = values.toSorted((a, b) => a - b).join(' ');
      if (met.has(table)) return;
      met.add(table);
    }
    for (let left = 0; left < values.length; left += 1) {
      for (let right = 0; right < values.length; right += 1) {
        if (left === right) continue;
        for (const operator of operators) {
          // a sum or product is the same in both orders
          if (right < left && (operator === '+' || operator === '*')) continue;
          tried += 1;
          const value = compute(operator, values[left] as number, values[right] as number);
          if (!Number.isFinite(value)) continue;
          if (values.length === 2 && Math.abs(value - target) > close) continue;
          trail.push({ operator, left, right });
          if (values.length > 2) search(taken(values, left, right, value));
          else if (isExact(numbers, target, trail)) {
            ways += 1;
            first ??= [...trail];
          }
          trail.pop();
          if (ways >= most) return;
        }
      }
    }
  };
  if (numbers.length > 1) search(numbers.map(([numerator, denominator]) => numerator / denominator));
  return { steps: first, tried, ways };
}

function compute(operator: Operator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return Math.abs(right) < close ? Number.NaN : left / right;
  }
}

/** The items without the two that were taken, with their result at the end. */
function taken<Item>(items: readonly Item[], left: number, right: number, result: Item): Item[] {
  const rest: Item[] = [];
  for (let index = 0; index < items.length; index += 1)
    if (index !== left && index !== right) rest.push(items[index] as Item);
  rest.push(result);
  return rest;
}

function isExact(numbers: readonly Fraction[], target: number, steps: readonly Step[]): boolean {
  let table = numbers;
  for (const { operator, left, right } of steps) {
    const value = apply(operator, table[left] as Fraction, table[right] as Fraction);
    if (value === undefined) return false;
    table = taken(table, left, right, value);
  }
  return table[0]?.[0] === target && table[0][1] === 1;
}

/** The steps as an expression. */
export function expressionOf(numbers: readonly number[], steps: readonly Step[]): Expression {
  let table: readonly Expression[] = numbers;
  for (const { operator, left, right } of steps)
    table = taken(table, left, right, {
      operator,
      left: table[left] as Expression,
      right: table[right] as Expression,
    });
  return table[0] as Expression;
}

/** Whether an expression uses exactly these numbers, each as often as it is there. */
export function usesExactly(expression: Expression, numbers: readonly number[]): boolean {
  const used = numbersOf(expression).toSorted((a, b) => a - b);
  const given = numbers.toSorted((a, b) => a - b);
  return used.length === given.length && used.every((number, index) => number === given[index]);
}

/** The step-wise form: two of the numbers on the table become one. */
export interface Table {
  /** As {@link writeFraction} writes them, in ascending order, so that equal tables are equal states. */
  readonly numbers: readonly string[];
  readonly target: number;
}

/** The moves of a table, such as `3 + 5`. Sums and products have the smaller number first. */
export function movesOf({ numbers }: Table): string[] {
  const moves: string[] = [];
  const pairs = new Set<string>();
  for (const [first, left] of numbers.entries()) {
    for (const [second, right] of numbers.entries()) {
      const pair = `${left} ${right}`;
      if (first === second || pairs.has(pair)) continue;
      pairs.add(pair);
      if (first < second) moves.push(`${left} + ${right}`, `${left} * ${right}`);
      moves.push(`${left} - ${right}`);
      if (right !== '0') moves.push(`${left} / ${right}`);
    }
  }
  return moves;
}

export function playMove({ numbers, target }: Table, move: string): { numbers: string[]; target: number } {
  const [left = '', operator = '+', right = ''] = move.split(' ');
  const value = apply(operator as Operator, readFraction(left), readFraction(right)) ?? [0, 1];
  const rest = [...numbers];
  for (const used of [left, right]) rest.splice(rest.indexOf(used), 1);
  const place = rest.findIndex((other) => quotient(other) > value[0] / value[1]);
  rest.splice(place < 0 ? rest.length : place, 0, writeFraction(value));
  return { numbers: rest, target };
}

const quotient = (text: string): number => {
  const [numerator, denominator] = readFraction(text);
  return numerator / denominator;
};

export const isReached = ({ numbers, target }: Table): boolean =>
  numbers.length === 1 && numbers[0] === String(target);

/** The moves that compute an expression, inner parts first. */
export function movesFor(expression: Expression): string[] {
  const moves: string[] = [];
  const value = (part: Expression): Fraction => {
    if (typeof part === 'number') return [part, 1];
    if ('negated' in part) return apply('-', [0, 1], value(part.negated)) ?? [0, 1]; // solutions have none
    const [left, right] = [value(part.left), value(part.right)];
    moves.push(moveOf(part.operator, left, right));
    return apply(part.operator, left, right) ?? [0, 1];
  };
  value(expression);
  return moves;
}

function moveOf(operator: Operator, left: Fraction, right: Fraction): string {
  const isSwapped = (operator === '+' || operator === '*') && right[0] / right[1] < left[0] / left[1];
  const [first, second] = isSwapped ? [right, left] : [left, right];
  return `${writeFraction(first)} ${operator} ${writeFraction(second)}`;
}

/** The first move towards the target; undefined where there is none. */
export function nextMove({ numbers, target }: Table): string | undefined {
  const values = numbers.map(readFraction);
  const [step] = reachTarget(values, target, 1).steps ?? [];
  if (step === undefined) return undefined;
  return moveOf(step.operator, values[step.left] as Fraction, values[step.right] as Fraction);
}

/** The target and the numbers that are left. Fractions are rounded. */
export const featuresOf = ({ numbers, target }: Table): Features => ({
  fields: {
    target,
    count: numbers.length,
    ...(numbers.length > 3
      ? {}
      : Object.fromEntries(numbers.map((number, at) => [`number ${at + 1}`, quotient(number)]))),
  },
});

/** The operator, both numbers and their result, which a policy compares with the target. */
export function targetOf(move: string): ActionTarget {
  const [left = '0', operator = '+', right = '0'] = move.split(' ');
  const [numerator, denominator] = apply(operator as Operator, readFraction(left), readFraction(right)) ?? [
    0, 1,
  ];
  const result = numerator / denominator;
  return {
    verb: operator,
    fields: { left: quotient(left), right: quotient(right), result, whole: denominator === 1 },
  };
}
