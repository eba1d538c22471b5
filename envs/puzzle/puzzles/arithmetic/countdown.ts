import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import {
  arithmeticSymbols,
  evaluate,
  operators,
  parseExpression,
  writeExpression,
  type Expression,
  type Fraction,
  type Operator,
} from './expression.ts';
import { definePuzzle } from '../../define-puzzle.ts';
import {
  expressionOf,
  featuresOf,
  isReached,
  movesFor,
  movesOf,
  nextMove,
  playMove,
  reachTarget,
  targetOf,
  usesExactly,
  type Found,
} from './reach-target.ts';

interface TargetLevel {
  readonly count: number;
  /** The numbers are 1 to this. */
  readonly largest: number;
  /** The target lies between these. */
  readonly target: readonly [number, number];
  /** The number of solutions lies between these. Default: it is not counted. */
  readonly ways?: readonly [number, number];
}

interface TargetPuzzle<Name extends string> {
  readonly name: Name;
  readonly summary: string;
  readonly rules: string;
  readonly levels: readonly TargetLevel[];
  /** The effort of the solver: pairs that it combined for its first solution, or on average for each of all. */
  readonly effort: 'first' | 'mean';
  readonly chance: (level: number) => number;
  readonly variety?: (level: number) => number;
}

const number = z.int().min(1).max(100);
const question = z.strictObject({
  numbers: z.array(number).min(2).max(6),
  target: z.int().min(0).max(100_000),
});
const fraction = z.string().regex(/^-?\d+(\/\d+)?$/);

/** A random expression over the numbers, each used once, in random order. */
function drawExpression(rng: Rng, numbers: readonly number[]): Expression {
  const parts: Expression[] = rng.shuffle(numbers);
  while (parts.length > 1) {
    const [left] = parts.splice(rng.int(parts.length), 1);
    const [right] = parts.splice(rng.int(parts.length), 1);
    parts.push({ operator: rng.pick(operators), left: left as Expression, right: right as Expression });
  }
  return parts[0] as Expression;
}

const whole = (value: number): Fraction => [value, 1];

/** All ways by numbers and target. Puzzles that count ways have four numbers up to 13, so there are 1,820 entries. */
const foundBefore = new Map<string, Found>();

function foundFor(sorted: readonly number[], target: number): Found {
  const name = `${sorted.join(' ')} ${target}`;
  const found = foundBefore.get(name) ?? reachTarget(sorted.map(whole), target, 10_000);
  foundBefore.set(name, found);
  return found;
}

/** One try to draw numbers and a target; undefined where they do not belong to the level. */
function drawTarget(rng: Rng, { count, largest, target, ways }: TargetLevel) {
  const numbers = Array.from({ length: count }, () => 1 + rng.int(largest));
  if (ways !== undefined) {
    const [goal] = target;
    const sorted = numbers.toSorted((a, b) => a - b);
    const found = foundFor(sorted, goal);
    if (found.steps === undefined || found.ways < ways[0] || found.ways > ways[1]) return undefined;
    return { question: { numbers, target: goal }, solution: expressionOf(sorted, found.steps) };
  }
  const solution = drawExpression(rng, numbers);
  const [value, divisor] = evaluate(solution) ?? [0, 0];
  const fits = divisor === 1 && value >= target[0] && value <= target[1];
  return fits ? { question: { numbers, target: value }, solution } : undefined;
}

/** Combine numbers to a target, each number once. */
function defineTarget<Name extends string>({
  name,
  summary,
  rules,
  levels,
  effort,
  chance,
  variety,
}: TargetPuzzle<Name>) {
  return definePuzzle({
    name,
    category: 'arithmetic',
    summary,
    question,
    levels,
    generate: (rng, level) => {
      for (;;) {
        const generated = drawTarget(rng, level);
        if (generated !== undefined) return generated;
      }
    },
    rules,
    render: ({ numbers, target }) => `Numbers: ${numbers.join(' ')}\nTarget: ${target}`,
    answer: {
      format: 'one expression of the numbers, + - * / and brackets, without an equals sign.',
      write: (expression) => writeExpression(expression),
      read: (text, { target }) => parseExpression(text.replace(new RegExp(`\\s*=\\s*${target}$`), '')),
      symbols: arithmeticSymbols,
      longest: 256,
    },
    verify: ({ numbers, target }, expression) => {
      if (!usesExactly(expression, numbers)) return false; // this also bounds the size of every value
      const [value, divisor] = evaluate(expression) ?? [0, 0];
      return value === target && divisor === 1;
    },
    solve: ({ numbers, target }) => {
      const { steps, tried, ways } = reachTarget(numbers.map(whole), target, effort === 'first' ? 1 : 10_000);
      return {
        answers: steps === undefined ? [] : [expressionOf(numbers, steps)],
        effort: tried / Math.max(1, ways),
      };
    },
    audit: {
      guess: ({ numbers }, rng) => drawExpression(rng, numbers),
      chance,
      mutants: (solution, { numbers, target }, rng) => {
        const other = drawExpression(rng, numbers);
        const [value, divisor] = evaluate(other) ?? [0, 0];
        const withNumber = (operator: Operator, right: number): Expression => ({
          operator,
          left: solution,
          right,
        });
        return {
          'a number left out': typeof solution === 'object' && 'left' in solution ? solution.left : undefined,
          'a number used twice': withNumber('+', numbers[0] as number),
          'the target itself': target,
          'a foreign number': withNumber('*', 1),
          'another value': value === target && divisor === 1 ? undefined : other,
        };
      },
      equivalents: (solution, { target }) => {
        const text = writeExpression(solution);
        return {
          'without blanks': text.replaceAll(' ', ''),
          'all in brackets': `((${text}))`,
          'with an equals sign': `${text} = ${target}`,
          'signs of typography': text.replaceAll('*', '×').replaceAll('/', '÷').replaceAll('-', '−'),
        };
      },
      ...(variety === undefined ? {} : { variety }),
    },
    moves: {
      rules:
        'A move takes two numbers from the table and puts their result back, such as 3 + 5. At the end the target alone must lie there.',
      state: z.strictObject({ numbers: z.array(fraction), target: z.int() }),
      start: ({ numbers, target }) => ({ numbers: numbers.toSorted((a, b) => a - b).map(String), target }),
      render: ({ numbers, target }) => `Numbers: ${numbers.join(' ')}\nTarget: ${target}`,
      list: movesOf,
      play: playMove,
      isSolved: isReached,
      plan: (_question, solution) => movesFor(solution),
      next: nextMove,
      turnLimit: ({ count }) => count,
      features: featuresOf,
      target: targetOf,
    },
  });
}

export const countdown = defineTarget({
  name: 'countdown',
  summary: 'Countdown: combine all numbers to a target',
  rules:
    'Combine the numbers to the target. Use each number once, with + - * / and brackets. Results in between may be fractions or negative.',
  levels: [
    { count: 3, largest: 20, target: [10, 100] },
    { count: 4, largest: 50, target: [10, 200] },
    { count: 5, largest: 100, target: [10, 500] },
    { count: 6, largest: 100, target: [100, 999] },
  ],
  effort: 'first',
  chance: (level) => [0.1, 0.02, 0.01, 0.01][level - 1] ?? 0,
  variety: (level) => (level === 1 ? 40_000 : 1e9),
});
export const game24 = defineTarget({
  name: 'game-24',
  summary: '24 points: combine four numbers to 24',
  rules:
    'Combine the four numbers to 24. Use each number once, with + - * / and brackets. Results in between may be fractions or negative.',
  levels: [
    { count: 4, largest: 13, target: [24, 24], ways: [40, 10_000] },
    { count: 4, largest: 13, target: [24, 24], ways: [12, 39] },
    { count: 4, largest: 13, target: [24, 24], ways: [1, 11] },
  ],
  effort: 'mean',
  chance: (level) => [0.08, 0.03, 0.01][level - 1] ?? 0,
  variety: (level) => [3_000, 6_000, 6_000][level - 1] ?? 1,
});
