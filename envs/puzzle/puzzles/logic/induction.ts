import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';

const list = z.array(z.int().min(-999).max(9_999)).max(64);
const question = z.strictObject({
  examples: z.array(z.strictObject({ input: list, output: list })).min(1),
  input: list,
  /** The rule has at most this many steps. */
  depth: z.int().min(1).max(2),
});
type List = readonly number[];
interface Induction {
  readonly examples: readonly { readonly input: List; readonly output: List }[];
  readonly input: List;
  readonly depth: number;
}

/** A step of a rule that may explain the examples. */
export interface ListStep {
  /** In words, for the player, with `N` for a number. */
  readonly words: string;
  readonly apply: (list: List, n: number) => List;
  /** The numbers that the generator draws for N. Undefined for a step without a number. A player may think of every number of the range. */
  readonly drawn?: readonly number[];
  /** The numbers of which one may turn the first list into the second. It makes the search faster. Default: every number of the range. */
  readonly numbers?: (before: List, after: List, all: readonly number[]) => readonly number[];
}

/** A step with its number. */
type Applied = (list: List) => List;

interface InductionLevel {
  readonly depth: 1 | 2;
  readonly examples: number;
  readonly length: number;
}

const isSame = (a: List, b: List): boolean => a.length === b.length && a.every((each, at) => each === b[at]);
const still: Applied = (given) => given;
const write = (answer: List): string => (answer.length === 0 ? 'empty' : answer.join(' '));

/**
 * Find the rule behind examples and apply it. The steps are known, and N is any integer of the range, so all rules are known. The
 * answer is the result that every rule gives that fits the examples.
 */
export function defineInduction<Name extends string>({
  name,
  summary,
  rules,
  known,
  range,
  levels,
  drawList,
}: {
  readonly name: Name;
  readonly summary: string;
  readonly rules: string;
  readonly known: readonly ListStep[];
  /** The least and the greatest N, both included. */
  readonly range: readonly [least: number, greatest: number];
  readonly levels: readonly InductionLevel[];
  readonly drawList: (rng: Rng, length: number) => List;
}) {
  const [least, greatest] = range;
  const all = Array.from({ length: greatest - least + 1 }, (_, index) => least + index);
  const withNumber = ({ apply }: ListStep, numbers: readonly number[]): Applied[] =>
    numbers.map((n) => (list) => apply(list, n));
  const first = known.flatMap((step) => withNumber(step, step.drawn === undefined ? [0] : all));
  const drawn = known.flatMap((step) => withNumber(step, step.drawn ?? [0]));
  /** The steps that may turn the first list into the second. */
  const between = (before: List, after: List): Applied[] =>
    known.flatMap((step) =>
      withNumber(step, step.drawn === undefined ? [0] : (step.numbers?.(before, after, all) ?? all)),
    );
  /** The different results of the rules that fit, at most two, and the number of rules that were tried. */
  const search = ({ examples, input, depth }: Induction): { results: List[]; tried: number } => {
    const results: List[] = [];
    const seen = new Set<string>();
    let tried = 0;
    const [{ input: start, output: end } = { input: [], output: [] }] = examples;
    for (const inner of depth === 1 ? between(start, end) : first) {
      const lists = [...examples.map((each) => inner(each.input)), inner(input)];
      const text = lists.join(' ');
      if (seen.has(text)) continue; // many numbers do the same, such as keeping the first 20 and the first 21
      seen.add(text);
      for (const outer of depth === 1 ? [still] : [still, ...between(lists[0] ?? [], end)]) {
        tried += 1;
        if (!examples.every((each, at) => isSame(outer(lists[at] ?? []), each.output))) continue;
        const result = outer(lists.at(-1) ?? []);
        if (!results.some((other) => isSame(other, result))) results.push(result);
        if (results.length === 2) return { results, tried };
      }
    }
    return { results, tried };
  };
  /** The results of the question that was searched last: its answers are judged one after the other. */
  const remembered = new WeakMap<Induction, List[]>();
  const resultsOf = (given: Induction): List[] => {
    const results = remembered.get(given) ?? search(given).results;
    remembered.set(given, results);
    return results;
  };
  return definePuzzle({
    name,
    category: 'logic',
    summary,
    question,
    levels,
    generate: (rng, { depth, examples: count, length }) => {
      for (;;) {
        const steps = Array.from({ length: depth }, () => rng.pick(drawn));
        const run = (given: List): List => steps.reduce((done, step) => step(done), given);
        const examples = Array.from({ length: count }, () => {
          const input = drawList(rng, length);
          return { input, output: run(input) };
        });
        const input = drawList(rng, length);
        const solution = run(input);
        if (isSame(solution, input) || examples.every((each) => isSame(each.input, each.output))) continue;
        const asked = { examples, input, depth };
        if (search(asked).results.length === 1) return { question: asked, solution };
      }
    },
    rules: `${rules} The steps that a rule may have, with N for an integer from ${least} to ${greatest} that is the same for all lists:\n${known.map(({ words }) => words).join('\n')}`,
    render: ({ examples, input, depth }) =>
      [
        `Steps of the rule: ${depth === 1 ? '1' : '1 or 2'}`,
        ...examples.map((each) => `${write(each.input)} => ${write(each.output)}`),
        `${write(input)} => ?`,
      ].join('\n'),
    answer: {
      format: 'the numbers of the result in order, with blanks between them, or "empty".',
      write,
      read: (text): List | undefined => {
        if (text.toLowerCase() === 'empty') return [];
        const parts = text.split(/\s*,\s*|\s+/);
        return parts.every((part) => /^-?\d{1,4}$/.test(part)) ? parts.map(Number) : undefined;
      },
    },
    verify: (given, answer) => resultsOf(given).some((result) => isSame(result, answer)),
    solve: (given) => {
      const { results, tried } = search(given);
      return { answers: results, effort: tried };
    },
    audit: {
      guess: ({ input }, rng) => rng.shuffle(input),
      chance: 0.02,
      mutants: (answer, { input }, rng) => {
        const at = rng.int(Math.max(1, answer.length));
        return {
          'the input itself': input,
          'one number changed':
            answer.length === 0 ? [0] : answer.map((each, index) => (index === at ? each + 1 : each)),
          'one number missing': answer.length === 0 ? undefined : answer.slice(1),
          'one number more': [...answer, answer.at(-1) ?? 0],
        };
      },
      equivalents: (answer) => ({
        commas: answer.length === 0 ? 'EMPTY' : answer.join(', '),
        'in brackets': answer.length === 0 ? 'Empty' : `[${answer.join(', ')}]`,
      }),
    },
  });
}
