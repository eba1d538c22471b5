import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';

const place = z.int().min(0).max(15);
const amount = z.int().min(0).max(16);
/** A statement about the statements, which are numbered from 0. `value` says whether true or false ones are counted. */
const statement = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['least', 'most', 'exactly']), amount, value: z.boolean() }),
  z.strictObject({ kind: z.literal('one-of'), first: place, second: place }),
  z.strictObject({ kind: z.literal('prime'), value: z.boolean() }),
  z.strictObject({ kind: z.literal('composite'), value: z.boolean() }),
  z.strictObject({ kind: z.literal('is'), first: place, value: z.boolean() }),
]);
const question = z.strictObject({ statements: z.array(statement).min(1).max(16) });
type Statement = Readonly<z.output<typeof statement>>;

const primes = new Set([2, 3, 5, 7, 11, 13]);

function ones(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Whether a statement holds. Bit `n` of `truths` says that statement `n` is true, and `count` is their number. */
function holds(said: Statement, truths: number, count: number, all: number): boolean {
  switch (said.kind) {
    case 'one-of':
      return (((truths >> said.first) ^ (truths >> said.second)) & 1) === 1;
    case 'is':
      return ((truths >> said.first) & 1) === (said.value ? 1 : 0);
    default: {
      const counted = said.value ? count : all - count;
      if (said.kind === 'prime') return primes.has(counted);
      if (said.kind === 'composite') return counted > 3 && !primes.has(counted);
      if (said.kind === 'least') return counted >= said.amount;
      return said.kind === 'most' ? counted <= said.amount : counted === said.amount;
    }
  }
}

/** Whether exactly the statements that hold are true. */
function isConsistent(statements: readonly Statement[], truths: number): boolean {
  const count = ones(truths);
  for (let at = 0; at < statements.length; at += 1)
    if (holds(statements[at] as Statement, truths, count, statements.length) !== (((truths >> at) & 1) === 1))
      return false;
  return true;
}

function solve(statements: readonly Statement[]): number[] {
  const found: number[] = [];
  for (let truths = 0; truths < 1 << statements.length && found.length < 2; truths += 1)
    if (isConsistent(statements, truths)) found.push(truths);
  return found;
}

function drawStatement(rng: Rng, all: number, own: number): Statement {
  const other = (): number => (own + 1 + rng.int(all - 1)) % all;
  const value = rng.int(2) === 0;
  const kind = rng.pick([
    'least',
    'most',
    'exactly',
    'exactly',
    'one-of',
    'prime',
    'composite',
    'is',
  ] as const);
  if (kind === 'is') return { kind, first: other(), value };
  if (kind === 'prime' || kind === 'composite') return { kind, value };
  if (kind !== 'one-of') return { kind, amount: 1 + rng.int(all - 1), value };
  const first = other();
  const second = (first + 1 + rng.int(all - 1)) % all;
  return { kind, first, second };
}

function say(said: Statement, all: number): string {
  const truth = 'value' in said && said.value ? 'true' : 'false';
  switch (said.kind) {
    case 'least':
      return `At least ${said.amount} of these ${all} statements are ${truth}.`;
    case 'most':
      return `At most ${said.amount} of these ${all} statements are ${truth}.`;
    case 'exactly':
      return `Exactly ${said.amount} of these ${all} statements are ${truth}.`;
    case 'one-of':
      return `Either statement ${said.first + 1} or statement ${said.second + 1} is true, but not both.`;
    case 'is':
      return `Statement ${said.first + 1} is ${truth}.`;
    default:
      return `The number of ${truth} statements is a ${said.kind} number.`;
  }
}

const flags = (truths: number, all: number): boolean[] =>
  Array.from({ length: all }, (_, at) => ((truths >> at) & 1) === 1);
const bitsOf = (answer: readonly boolean[]): number =>
  answer.reduce((bits, isTrue, at) => bits | (isTrue ? 1 << at : 0), 0);
const write = (answer: readonly boolean[]): string =>
  answer.map((isTrue) => (isTrue ? 'true' : 'false')).join(' ');

export const selfReference = definePuzzle({
  name: 'self-reference',
  category: 'logic',
  summary: 'Self-reference: statements about how many of them are true, with one solution',
  question,
  levels: [3, 5, 7, 10],
  generate: (rng, count) => {
    for (;;) {
      // Statements are drawn until they agree with the truths that were chosen for them.
      const truths = rng.int(1 << count);
      const right = ones(truths);
      const statements = Array.from({ length: count }, (_, own) => {
        for (;;) {
          const said = drawStatement(rng, count, own);
          if (holds(said, truths, right, count) === (((truths >> own) & 1) === 1)) return said;
        }
      });
      if (solve(statements).length === 1) return { question: { statements }, solution: flags(truths, count) };
    }
  },
  rules:
    'Each statement below is true or false, and speaks about the statements themselves. Find out which are true, so that exactly those hold. A prime number has exactly two divisors, and a composite number has more.',
  render: ({ statements }) =>
    statements.map((said, at) => `${at + 1}. ${say(said, statements.length)}`).join('\n'),
  answer: {
    format: 'true or false for each statement in order, with blanks between them.',
    write,
    read: (text, { statements }) => {
      const parts = text.toLowerCase().split(/[\s,]+/);
      if (parts.length !== statements.length || parts.some((part) => !/^(true|false|t|f)$/.test(part)))
        return undefined;
      return parts.map((part) => part.startsWith('t'));
    },
  },
  verify: ({ statements }, answer) =>
    answer.length === statements.length && isConsistent(statements, bitsOf(answer)),
  unique: true,
  solve: ({ statements }) => ({
    answers: solve(statements).map((truths) => flags(truths, statements.length)),
    effort: 1 << statements.length,
  }),
  audit: {
    guess: ({ statements }, rng) => statements.map(() => rng.int(2) === 0),
    chance: (level) => 2 ** -([3, 5, 7, 10][level - 1] ?? 1),
    mutants: (answer, _question, rng) => {
      const at = rng.int(answer.length);
      return {
        'one statement changed': answer.map((isTrue, index) => (index === at ? !isTrue : isTrue)),
        'all statements changed': answer.map((isTrue) => !isTrue),
      };
    },
    equivalents: (answer) => ({
      letters: answer.map((isTrue) => (isTrue ? 'T' : 'F')).join(' '),
      'one line each': write(answer).replaceAll(' ', '\n'),
      commas: write(answer).replaceAll(' ', ', '),
    }),
    variety: (level) => (level === 1 ? 1_500 : level === 2 ? 100_000 : 1e9),
  },
});
