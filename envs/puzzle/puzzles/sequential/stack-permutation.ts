import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';

const letters = z.array(z.string().regex(/^[A-Z]$/));
const question = z.strictObject({ input: letters, goal: letters });
const state = z.strictObject({ input: letters, stack: letters, output: letters, goal: letters });
interface Stacked {
  readonly input: readonly string[];
  readonly stack: readonly string[];
  readonly output: readonly string[];
}
type Operation = 'push' | 'pop';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');

/** The state after an operation; undefined where there is nothing to push or to pop. */
function after<Given extends Stacked>(
  { ...given }: Given,
  operation: Operation,
): (Omit<Given, keyof Stacked> & Stacked) | undefined {
  const { input, stack, output } = given;
  const [moved] = operation === 'push' ? input : stack.slice(-1);
  if (moved === undefined) return undefined;
  return operation === 'push'
    ? { ...given, input: input.slice(1), stack: [...stack, moved] }
    : { ...given, stack: stack.slice(0, -1), output: [...output, moved] };
}

function outputOf(input: readonly string[], operations: readonly Operation[]): string | undefined {
  const stack: string[] = [];
  let [taken, output] = [0, ''];
  for (const operation of operations) {
    const moved = operation === 'push' ? input[taken] : stack.pop();
    if (moved === undefined) return undefined;
    if (operation === 'pop') output += moved;
    else {
      stack.push(moved);
      taken += 1;
    }
  }
  return output;
}

/**
 * The one way to a goal (Knuth, The Art of Computer Programming 1, 2.2.1): the top is popped as soon as it is next, since whatever is
 * pushed onto it would leave before it. Undefined where a stack cannot give this order.
 */
function operationsTo(input: readonly string[], goal: readonly string[]): Operation[] | undefined {
  const stack: string[] = [];
  const operations: Operation[] = [];
  let taken = 0;
  for (const wanted of goal) {
    while (stack.at(-1) !== wanted) {
      const next = input[taken];
      if (next === undefined) return undefined;
      stack.push(next);
      operations.push('push');
      taken += 1;
    }
    stack.pop();
    operations.push('pop');
  }
  return operations;
}

function drawOperations(rng: Rng, count: number): Operation[] {
  const operations: Operation[] = [];
  let [pushed, popped] = [0, 0];
  while (popped < count) {
    const mayPop = popped < pushed;
    const operation = pushed < count && (!mayPop || rng.int(2) === 0) ? 'push' : 'pop';
    operations.push(operation);
    if (operation === 'push') pushed += 1;
    else popped += 1;
  }
  return operations;
}

const show = (list: readonly string[]): string => (list.length === 0 ? 'empty' : list.join(' '));
const write = (operations: readonly Operation[]): string => operations.join(' ');

export const stackPermutation = definePuzzle({
  name: 'stack-permutation',
  category: 'sequential',
  summary: 'Stack permutation: bring letters into another order through one stack',
  question,
  levels: [4, 6, 9, 14],
  generate: (rng, count) => {
    const input = rng.shuffle(alphabet).slice(0, count);
    const solution = drawOperations(rng, count);
    return { question: { input, goal: (outputOf(input, solution) ?? '').split('') }, solution };
  },
  rules:
    'The letters of the input wait in a line. A push moves the first letter of the line onto the top of a stack, which is empty at first. A pop moves the top of the stack to the end of the output. Bring all letters to the output in the order of the goal.',
  render: ({ input, goal }) => `Input: ${show(input)}\nGoal: ${show(goal)}`,
  answer: {
    format: 'the operations in order: push and pop, with blanks between them.',
    write,
    read: (text) => {
      const operations = text.toLowerCase().split(/[\s,]+/);
      const known = operations.filter((each): each is Operation => each === 'push' || each === 'pop');
      return known.length === operations.length ? known : undefined;
    },
  },
  verify: ({ input, goal }, operations) => outputOf(input, operations) === goal.join(''),
  unique: true,
  solve: ({ input, goal }) => {
    const operations = operationsTo(input, goal);
    return { answers: operations === undefined ? [] : [operations], effort: operations?.length ?? 0 };
  },
  audit: {
    guess: ({ input }, rng) => drawOperations(rng, input.length),
    chance: (level) => [0.2, 0.04, 0.005, 0.001][level - 1] ?? 0,
    // Four of 26 letters in order, and 14 orders of the output, of which some are drawn more often.
    variety: (level) => (level === 1 ? 3_000_000 : 1e9),
    mutants: (operations) => {
      const at = operations.findIndex((each, index) => each === 'pop' && operations[index + 1] === 'push');
      return {
        'the last pop missing': operations.slice(0, -1),
        'one pop more': [...operations, 'pop' as const],
        'a push before a pop': at < 0 ? undefined : operations.with(at, 'push').with(at + 1, 'pop'),
        'pop and push confused': operations.map((each) => (each === 'push' ? 'pop' : 'push')),
      };
    },
    equivalents: (operations) => ({
      'commas between operations': operations.join(', '),
      'one operation a line': operations.join('\n'),
      'upper case': write(operations).toUpperCase(),
    }),
  },
  moves: {
    rules: 'A move is push or pop.',
    state,
    start: ({ input, goal }) => ({ input, stack: [], output: [], goal }),
    render: ({ input, stack, output, goal }) =>
      `Input: ${show(input)}\nStack, top last: ${show(stack)}\nOutput: ${show(output)}\nGoal: ${show(goal)}`,
    list: ({ input, stack }) => [...(input.length > 0 ? ['push'] : []), ...(stack.length > 0 ? ['pop'] : [])],
    play: (before, move) => after(before, move === 'pop' ? 'pop' : 'push') ?? before,
    isSolved: ({ output, goal }) =>
      output.length === goal.length && output.every((each, at) => each === goal[at]),
    isLost: ({ output, goal }) => output.at(-1) !== goal[output.length - 1] && output.length > 0,
    plan: (_question, operations) => operations,
    next: ({ stack, output, goal }) =>
      stack.length > 0 && stack.at(-1) === goal[output.length] ? 'pop' : 'push',
    turnLimit: (count) => 2 * count,
    features: ({ input, stack, output, goal }) => ({
      fields: {
        input: input.length,
        stack: stack.length,
        top: stack.at(-1) ?? '',
        next: goal[output.length] ?? '',
        'top is next': stack.length > 0 && stack.at(-1) === goal[output.length],
      },
    }),
    target: (move) => ({ verb: move }),
  },
});
