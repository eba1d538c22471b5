import { z } from 'zod';
import { definePuzzle } from '../../define-puzzle.ts';

type Step = (text: string) => string;
const isVowel = (letter: string): boolean => 'aeiou'.includes(letter);
const letters = (text: string): string[] => text.split('');
const half = (text: string): number => Math.ceil(text.length / 2);
const next = (letter: string): string => String.fromCharCode(97 + ((letter.charCodeAt(0) - 96) % 26));

/** The functions of strings, with their definitions. */
const functions = {
  reverse: ['writes the string backwards', (text) => letters(text).toReversed().join('')],
  rotate: ['moves the first letter to the end', (text) => text.slice(1) + text.slice(0, 1)],
  double: ['writes the string twice', (text) => text + text],
  stutter: [
    'writes every letter twice',
    (text) =>
      letters(text)
        .map((each) => each + each)
        .join(''),
  ],
  sort: ['puts the letters into alphabetical order', (text) => letters(text).toSorted().join('')],
  swap: [
    'swaps the first and the last letter',
    (text) => (text.length < 2 ? text : text.slice(-1) + text.slice(1, -1) + text.slice(0, 1)),
  ],
  odds: [
    'keeps the letters at the places 1, 3, 5 and so on',
    (text) =>
      letters(text)
        .filter((_each, at) => at % 2 === 0)
        .join(''),
  ],
  tail: [
    'drops the first letter, unless it is the only one',
    (text) => (text.length < 2 ? text : text.slice(1)),
  ],
  halves: [
    'puts the second half before the first; of an odd number of letters the first half has one more',
    (text) => text.slice(half(text)) + text.slice(0, half(text)),
  ],
  next: [
    'replaces each letter by the next one of the alphabet; a follows z',
    (text) => letters(text).map(next).join(''),
  ],
  mark: [
    'writes an x after each vowel',
    (text) =>
      letters(text)
        .map((each) => (isVowel(each) ? `${each}x` : each))
        .join(''),
  ],
  bare: [
    'drops all vowels, unless there is nothing else',
    (text) =>
      letters(text)
        .filter((each) => !isVowel(each))
        .join('') || text,
  ],
  once: ['drops letters that occurred before', (text) => [...new Set(letters(text))].join('')],
  wrap: ['writes a q before and after the string', (text) => `q${text}q`],
} as const satisfies Readonly<Record<string, readonly [words: string, apply: Step]>>;
type Name = keyof typeof functions;
const names = Object.keys(functions).filter((name): name is Name => name in functions);

/** `steps` has the innermost function first. */
const question = z.strictObject({
  steps: z.array(z.enum(names)).min(1).max(12),
  text: z.string().regex(/^[a-z]{1,20}$/),
});
interface Composition {
  readonly steps: readonly Name[];
  readonly text: string;
}

const run = ({ steps, text }: Composition): string =>
  steps.reduce((done, name) => functions[name][1](done), text);
const longest = 64;

export const stringComposition = definePuzzle({
  name: 'string-composition',
  category: 'sequential',
  summary: 'Composed functions of strings: f(g(x)) by the definitions of f and g',
  question,
  levels: [1, 2, 3, 5, 8],
  generate: (rng, depth) => {
    for (;;) {
      const text = Array.from({ length: 4 + rng.int(5) }, () => String.fromCharCode(97 + rng.int(26))).join(
        '',
      );
      const steps = Array.from({ length: depth }, () => rng.pick(names));
      const solution = run({ steps, text });
      if (solution.length <= longest && solution !== text) return { question: { steps, text }, solution };
    }
  },
  rules: `Apply functions to a string of small letters, the innermost function first.\n${names.map((name) => `${name} ${functions[name][0]}.`).join('\n')}`,
  render: ({ steps, text }) =>
    `${steps
      .toReversed()
      .map((name) => `${name}(`)
      .join('')}"${text}"${')'.repeat(steps.length)}`,
  answer: {
    format: 'the resulting string.',
    write: (text) => text,
    read: (text) => /^(["']?)([a-z]+)\1$/.exec(text)?.[2],
  },
  verify: (given, text) => run(given) === text,
  unique: true,
  solve: (given) => ({ answers: [run(given)], effort: given.steps.length }),
  audit: {
    guess: ({ text }, rng) => rng.shuffle(letters(text)).join(''),
    chance: (level) => (level === 1 ? 0.02 : 0.01),
    mutants: (text, given) => {
      const without = run({ ...given, steps: given.steps.slice(0, -1) });
      return {
        'the string itself': given.text,
        'the outermost function forgotten': without === text ? undefined : without,
        'one letter more': `${text}a`,
        'one letter missing': text.length > 1 ? text.slice(1) : undefined,
      };
    },
    equivalents: (text) => ({ 'in quotation marks': `"${text}"` }),
  },
});
