import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';

const quantifiers = ['all', 'no', 'some', 'some-not'] as const;
/** A sentence about two terms, by their places in `terms`. */
const sentence = z.strictObject({
  quantifier: z.enum(quantifiers),
  subject: z.int().min(0).max(4),
  predicate: z.int().min(0).max(4),
});
const question = z.strictObject({
  terms: z.array(z.string()).min(2).max(5),
  premises: z.array(sentence).min(1),
  conclusions: z.array(sentence).min(1).max(9),
});
type Sentence = Readonly<z.output<typeof sentence>>;

/**
 * The regions of the Venn diagram in which a sentence is about nobody or about somebody. Region `r`, from 0 to 2^terms - 1, holds those
 * who have the terms of its bits; a set of regions is a bit mask of at most 32 bits.
 */
function regionsOf({ quantifier, subject, predicate }: Sentence, terms: number): number {
  const wantsPredicate = quantifier === 'no' || quantifier === 'some';
  let regions = 0;
  for (let region = 0; region < 1 << terms; region += 1)
    if ((region >> subject) & 1 && ((region >> predicate) & 1) === (wantsPredicate ? 1 : 0))
      regions |= 1 << region;
  return regions;
}

const membersOf = (term: number, terms: number): number =>
  regionsOf({ quantifier: 'some', subject: term, predicate: term }, terms);

/** The regions that premises empty, and the sets of regions of which one must hold somebody. */
interface World {
  readonly terms: number;
  readonly empty: number;
  readonly inhabited: readonly number[];
}

/** Every term has a member, as in Aristotle's logic. */
function worldOf(premises: readonly Sentence[], terms: number): World {
  let empty = 0;
  const inhabited = Array.from({ length: terms }, (_, term) => membersOf(term, terms));
  for (const premise of premises) {
    const regions = regionsOf(premise, terms);
    if (premise.quantifier === 'all' || premise.quantifier === 'no') empty |= regions;
    else inhabited.push(regions);
  }
  return { terms, empty, inhabited };
}

const isPossible = ({ empty, inhabited }: World): boolean => inhabited.every((set) => (set & ~empty) !== 0);

/**
 * Whether a sentence follows: no model of the premises breaks it. The fullest model decides about universal sentences, and about
 * particular ones whether their regions can be empty too.
 */
function follows(world: World, conclusion: Sentence): boolean {
  const regions = regionsOf(conclusion, world.terms);
  return conclusion.quantifier === 'all' || conclusion.quantifier === 'no'
    ? (regions & ~world.empty) === 0
    : !isPossible({ ...world, empty: world.empty | regions });
}

const nouns =
  'artists bakers climbers dancers editors farmers gamblers hikers jugglers lawyers pilots poets sailors singers swimmers teachers writers'.split(
    ' ',
  );

function say({ quantifier, subject, predicate }: Sentence, terms: readonly string[]): string {
  const [a, b] = [terms[subject], terms[predicate]];
  switch (quantifier) {
    case 'all':
      return `All ${a} are ${b}.`;
    case 'no':
      return `No ${a} are ${b}.`;
    case 'some':
      return `Some ${a} are ${b}.`;
    case 'some-not':
      return `Some ${a} are not ${b}.`;
  }
}

const drawSentence = (rng: Rng, a: number, b: number): Sentence => {
  const [subject, predicate] = rng.int(2) === 0 ? [a, b] : [b, a];
  return { quantifier: rng.pick(quantifiers), subject, predicate };
};

type Answer = readonly number[];
const write = (follow: Answer): string =>
  follow.length === 0 ? 'none' : follow.map((each) => each + 1).join(' ');
interface Given {
  readonly terms: readonly string[];
  readonly premises: readonly Sentence[];
  readonly conclusions: readonly Sentence[];
}
const solve = ({ terms, premises, conclusions }: Given): Answer => {
  const world = worldOf(premises, terms.length);
  return conclusions.flatMap((each, index) => (follows(world, each) ? [index] : []));
};

export const syllogism = definePuzzle({
  name: 'syllogism',
  category: 'logic',
  summary: 'Syllogisms: which conclusions follow from the premises',
  question,
  levels: [
    { terms: 3, conclusions: 3 },
    { terms: 3, conclusions: 5 },
    { terms: 4, conclusions: 6 },
    { terms: 5, conclusions: 8 },
  ],
  generate: (rng, { terms: count, conclusions: wanted }) => {
    const terms = rng.shuffle(nouns).slice(0, count);
    for (;;) {
      const premises = Array.from({ length: count - 1 }, (_, index) => drawSentence(rng, index, index + 1));
      const world = worldOf(premises, count);
      if (!isPossible(world)) continue;
      const conclusions = new Map<string, Sentence>();
      while (conclusions.size < wanted) {
        const [a, b] = rng.shuffle(Array.from({ length: count }, (_, index) => index));
        const drawn = drawSentence(rng, a ?? 0, b ?? 1);
        if (premises.every((premise) => say(premise, terms) !== say(drawn, terms)))
          conclusions.set(say(drawn, terms), drawn);
      }
      const drawn = { terms, premises: rng.shuffle(premises), conclusions: [...conclusions.values()] };
      const solution = solve(drawn);
      // Most random conclusions do not follow; a question in which none does is rare here.
      if (solution.length > 0 || rng.int(8) === 0) return { question: drawn, solution };
    }
  },
  rules:
    'Which of the numbered conclusions follow from the premises with certainty? There is at least one of every kind of people. "Some" means at least one, and perhaps all.',
  render: ({ terms, premises, conclusions }) =>
    [
      'Premises:',
      ...premises.map((each) => say(each, terms)),
      'Conclusions:',
      ...conclusions.map((each, index) => `${index + 1}. ${say(each, terms)}`),
    ].join('\n'),
  answer: {
    format: 'the numbers of the conclusions that follow, with blanks between them, or "none".',
    write,
    read: (text, { conclusions }): Answer | undefined => {
      if (text.toLowerCase() === 'none') return [];
      const parts = text.split(/\s*(?:,|\band\b|\s)\s*/);
      if (!parts.every((part) => /^[1-9]$/.test(part) && Number(part) <= conclusions.length))
        return undefined;
      const list = parts.map((part) => Number(part) - 1).toSorted((a, b) => a - b);
      return new Set(list).size === list.length ? list : undefined;
    },
  },
  verify: ({ terms, premises, conclusions }, answer) => {
    const world = worldOf(premises, terms.length);
    return conclusions.every((each, index) => follows(world, each) === answer.includes(index));
  },
  unique: true,
  solve: (given) => ({ answers: [solve(given)], effort: given.conclusions.length * 2 ** given.terms.length }),
  audit: {
    guess: ({ conclusions }, rng) => conclusions.flatMap((_each, index) => (rng.int(2) === 0 ? [index] : [])),
    chance: (level) => 2 ** -([3, 5, 6, 8][level - 1] ?? 1),
    mutants: (answer, { conclusions }, rng) => {
      const at = rng.int(conclusions.length);
      return {
        'one conclusion changed': answer.includes(at)
          ? answer.filter((each) => each !== at)
          : [...answer, at].toSorted((a, b) => a - b),
        'the opposite of all': conclusions.flatMap((_each, index) => (answer.includes(index) ? [] : [index])),
      };
    },
    equivalents: (answer) => ({
      commas: write(answer).replaceAll(' ', ', '),
      'another order': write(answer.toReversed()),
    }),
  },
});
