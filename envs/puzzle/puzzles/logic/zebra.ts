import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';
import { clueHolds, solveZebra, type ZebraClue } from './zebra-solver.ts';

const value = z.int().min(0).max(35);
const house = z.int().min(0).max(5);
const clue = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['same', 'next', 'left', 'just-left', 'apart']), a: value, b: value }),
  z.strictObject({ kind: z.enum(['at', 'not-at']), a: value, house }),
]);
/** The values by category. Clues name a value by its place in all of them, one category after the other. */
const question = z.strictObject({
  categories: z
    .array(z.strictObject({ name: z.string(), values: z.array(z.string()).min(2).max(6) }))
    .min(1)
    .max(6),
  clues: z.array(clue),
});
interface Street {
  readonly categories: readonly { readonly name: string; readonly values: readonly string[] }[];
  readonly clues: readonly ZebraClue[];
}

const stock: readonly (readonly [name: string, values: string])[] = [
  ['name', 'Anna Boris Carla David Elena Felix Greta'],
  ['pet', 'cat dog fish horse parrot rabbit zebra'],
  ['drink', 'coffee juice milk tea water cocoa lemonade'],
  ['colour', 'red green blue yellow white black orange'],
  ['job', 'baker doctor farmer lawyer painter pilot teacher'],
  ['fruit', 'apple banana cherry grape melon peach plum'],
];

const housesOf = ({ categories }: Street): number => categories[0]?.values.length ?? 0;
const wordsOf = ({ categories }: Street): string[] => categories.flatMap(({ values }) => values);
const problemOf = (given: Street) => ({
  houses: housesOf(given),
  values: given.categories.length * housesOf(given),
  clues: given.clues,
});

/** Random clues that hold, in random order: first those that say much. */
function drawClues(rng: Rng, where: readonly number[], houses: number, isDirect: boolean): ZebraClue[] {
  const clues: ZebraClue[] = [];
  for (let a = 0; a < where.length; a += 1) {
    const at = where[a] as number;
    if (isDirect) clues.push({ kind: 'at', a, house: at });
    clues.push({ kind: 'not-at', a, house: (at + 1 + rng.int(houses - 1)) % houses });
    for (let b = 0; b < where.length; b += 1) {
      if (Math.floor(a / houses) === Math.floor(b / houses) && a > b) continue;
      const away = (where[b] as number) - at;
      if (away === 0 && a < b) clues.push({ kind: 'same', a, b });
      if (away === 1) clues.push({ kind: 'just-left', a, b });
      if (away > 0) clues.push({ kind: 'left', a, b });
      if (Math.abs(away) === 1 && a < b) clues.push({ kind: 'next', a, b });
    }
  }
  return rng.shuffle(clues);
}

/** Adds clues until one solution is left, then drops those that are not needed. */
function drawStreet(
  rng: Rng,
  size: { houses: number; categories: number; isDirect: boolean },
): { street: Street; where: number[] } {
  const { houses, isDirect } = size;
  const categories = rng
    .shuffle(stock)
    .slice(0, size.categories)
    .map(([name, values]) => ({ name, values: rng.shuffle(values.split(' ')).slice(0, houses) }));
  const order = Array.from({ length: houses }, (_, at) => at);
  const where = categories.flatMap(() => rng.shuffle(order));
  const drawn = drawClues(rng, where, houses, isDirect);
  const isEnough = (clues: readonly ZebraClue[]): boolean =>
    solveZebra({ houses, values: where.length, clues }).found.length === 1;
  let [low, high] = [1, drawn.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isEnough(drawn.slice(0, middle))) high = middle;
    else low = middle + 1;
  }
  let clues = drawn.slice(0, low);
  for (const each of clues) {
    const fewer = clues.filter((other) => other !== each);
    if (isEnough(fewer)) clues = fewer;
  }
  return { street: { categories, clues }, where };
}

function say(said: ZebraClue, words: readonly string[]): string {
  const a = words[said.a];
  if (said.house !== undefined)
    return `${a} is ${said.kind === 'at' ? '' : 'not '}in house ${said.house + 1}.`;
  const b = words[said.b];
  switch (said.kind) {
    case 'same':
      return `${a} and ${b} are in the same house.`;
    case 'apart':
      return `${a} and ${b} are in different houses.`;
    case 'next':
      return `${a} and ${b} are in houses next to each other.`;
    case 'just-left':
      return `${a} is in the house directly to the left of ${b}.`;
    case 'left':
      return `${a} is in a house somewhere to the left of ${b}.`;
  }
}

/** The house of each value. */
type Answer = readonly number[];

function write(where: Answer, given: Street): string {
  const houses = housesOf(given);
  const words = wordsOf(given);
  return Array.from({ length: houses }, (_, at) => {
    const here = words.filter((_word, index) => where[index] === at);
    return `${at + 1}: ${here.join(' ')}`;
  }).join('\n');
}

function read(text: string, given: Street): Answer | undefined {
  const words = wordsOf(given).map((word) => word.toLowerCase());
  const where = words.map(() => -1);
  for (const line of text.toLowerCase().split(/\s*[\n;]\s*/)) {
    const [, number = '', list = ''] = /^(?:house )?([1-6])\s*:\s*([a-z ,]+)$/.exec(line) ?? [];
    if (number === '') return undefined;
    for (const word of list.split(/[ ,]+/).filter((each) => each !== '')) {
      const index = words.indexOf(word);
      if (index < 0 || where[index] !== -1) return undefined;
      where[index] = Number(number) - 1;
    }
  }
  return where.includes(-1) ? undefined : where;
}

export const zebra = definePuzzle({
  name: 'zebra',
  category: 'logic',
  summary: 'Zebra puzzles: who lives where, by clues that leave one solution',
  question,
  levels: [
    { houses: 3, categories: 2, isDirect: true },
    { houses: 3, categories: 3, isDirect: true },
    { houses: 4, categories: 4, isDirect: false },
    { houses: 5, categories: 5, isDirect: false },
  ],
  generate: (rng, level) => {
    const { street, where } = drawStreet(rng, level);
    return { question: street, solution: where as Answer };
  },
  rules:
    'Houses stand in a row, numbered from left to right. In every house there is exactly one value of each category, and no value is in two houses. Find out what is in which house.',
  render: (given) =>
    [
      `Houses: 1 to ${housesOf(given)}`,
      ...given.categories.map(({ name, values }) => `${name}: ${values.join(', ')}`),
      'Clues:',
      ...given.clues.map((said, index) => `${index + 1}. ${say(said, wordsOf(given))}`),
    ].join('\n'),
  answer: {
    format: 'one line for each house, with its number and its values, such as "1: Anna cat tea".',
    write,
    read,
  },
  verify: (given, where) => {
    const houses = housesOf(given);
    for (let first = 0; first < where.length; first += houses)
      if (new Set(where.slice(first, first + houses)).size !== houses) return false;
    return where.every((at) => at < houses) && given.clues.every((said) => clueHolds(said, where));
  },
  unique: true,
  solve: (given) => {
    const { found, tried } = solveZebra(problemOf(given));
    return { answers: found, effort: tried };
  },
  audit: {
    guess: (given, rng) => {
      const order = Array.from({ length: housesOf(given) }, (_, at) => at);
      return given.categories.flatMap(() => rng.shuffle(order));
    },
    chance: (level) => [1 / 36, 1 / 216, 0.001, 0.001][level - 1] ?? 0,
    mutants: (where, given, rng) => {
      const houses = housesOf(given);
      const first = houses * rng.int(given.categories.length);
      const swapped = [...where];
      [swapped[first], swapped[first + 1]] = [where[first + 1] as number, where[first] as number];
      return {
        'two values swapped': swapped,
        'from right to left': where.map((at) => houses - 1 - at),
        'two values in one house': where.map((at, index) =>
          index === first ? (where[first + 1] as number) : at,
        ),
      };
    },
    equivalents: (where, given) => ({
      'one line': write(where, given).replaceAll('\n', '; '),
      'small letters': write(where, given).toLowerCase(),
      'with the word house': write(where, given).replaceAll(/^/gm, 'House '),
      'another order': write(where, given).split('\n').toReversed().join('\n'),
    }),
  },
});
