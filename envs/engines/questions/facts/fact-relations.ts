import type { RelationForms } from '../world/relations.ts';

/** What a fact is about: a sense of words, a city or a country. */
export type FactKind = 'word' | 'city' | 'country';

/** A relation of true facts. It is a fact of a subject only where the subject has exactly one object. */
export interface FactRelation extends RelationForms {
  readonly from: FactKind;
  /** `value` ends a chain. */
  readonly to: FactKind | 'value';
}

/** Wordings that each fact and question has. */
export const mostFactWordings = 2;

/** Inhabitants of a large city, and of a city of a million. */
export const [largeCity, millionCity] = [100_000, 1_000_000] as const;

const wordRelation = (
  name: string,
  forms: Pick<FactRelation, 'statements' | 'phrases' | 'questions'>,
): FactRelation => ({ name, from: 'word', to: 'word', ...forms });

/** The relations of WordNet by the symbol of their pointers (`wninput(5WN)`), for nouns, verbs, adjectives and adverbs. */
export const wordRelations = {
  noun: {
    '@': wordRelation('hypernym', {
      statements: ['S is a kind of O.', 'Directly above S stands the noun O.'],
      phrases: ['the noun directly above X', 'the broader noun for X'],
      questions: ['Which noun stands directly above X?', 'Which is the broader noun for X?'],
    }),
    '@i': wordRelation('class', {
      statements: ['S is an instance of O.', 'The class of S is O.'],
      phrases: ['the class of X', 'the class with the instance X'],
      questions: ['Of which class is X an instance?', 'Which class has the instance X?'],
    }),
    '#p': wordRelation('whole', {
      statements: ['S is a part of O.', 'The whole with the part S is O.'],
      phrases: ['the whole with the part X', 'the whole that includes X'],
      questions: ['Of which whole is X a part?', 'Which whole has the part X?'],
    }),
    '#m': wordRelation('group', {
      statements: ['S is a member of O.', 'One member of O is S.'],
      phrases: ['the group with the member X', 'the group that includes X'],
      questions: ['Of which group is X a member?', 'Which group has the member X?'],
    }),
    '#s': wordRelation('product', {
      statements: ['S is a substance in O.', 'O contains the substance S.'],
      phrases: ['the thing with the substance X', 'the thing that contains X'],
      questions: ['What contains the substance X?', 'Which thing has the substance X?'],
    }),
  },
  verb: {
    '@': wordRelation('manner', {
      statements: ['To do S is one way to do O.', 'Directly above S stands the verb O.'],
      phrases: ['the verb directly above X', 'the broader verb for X'],
      questions: ['Which verb stands directly above X?', 'Which is the broader verb for X?'],
    }),
    '*': wordRelation('entailment', {
      statements: ['Whoever does S also does O.', 'The action that S entails is O.'],
      phrases: ['the verb entailed by X', 'the action implied by X'],
      questions: ['Which action does X entail?', 'Which verb does X imply?'],
    }),
    '>': wordRelation('effect', {
      statements: ['To do S causes O.', 'The effect of S is O.'],
      phrases: ['the effect of X', 'the action caused by X'],
      questions: ['What is the effect of X?', 'Which action does X cause?'],
    }),
  },
  adjective: {
    '&': wordRelation('head', {
      statements: ['S is similar in meaning to O.', 'The more central adjective near S is O.'],
      phrases: ['the more central adjective near X', 'the central adjective with the satellite X'],
      questions: ['Which more central adjective is near X?', 'Which central adjective has the satellite X?'],
    }),
    '=': wordRelation('attribute', {
      statements: ['S is a value of the attribute O.', 'The attribute that S describes is O.'],
      phrases: ['the attribute described by X', 'the attribute with the value X'],
      questions: ['Of which attribute is X a value?', 'Which attribute does X describe?'],
    }),
    '\\': wordRelation('origin', {
      statements: ['S pertains to O.', 'The noun behind the adjective S is O.'],
      phrases: ['the noun behind X', 'the noun at the origin of X'],
      questions: ['To what does X pertain?', 'Which noun is behind X?'],
    }),
  },
  adverb: {
    '\\': wordRelation('adjective', {
      statements: ['S is the adverb of O.', 'The adjective behind the adverb S is O.'],
      phrases: ['the adjective behind X', 'the adjective at the origin of X'],
      questions: ['Which adjective has the adverb X?', 'Which adjective is behind X?'],
    }),
  },
  any: {
    ';c': wordRelation('field', {
      statements: ['S is a term of the field O.', 'The field that uses S is O.'],
      phrases: ['the field with the term X', 'the field that uses X'],
      questions: ['To which field does the term X belong?', 'Which field uses the term X?'],
    }),
    ';r': wordRelation('region', {
      statements: ['S is a term of the region O.', 'The region that says S is O.'],
      phrases: ['the region with the term X', 'the region that says X'],
      questions: ['To which region does the term X belong?', 'Which region says X?'],
    }),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, FactRelation>>>>;

/** The opposite, which WordNet has between single words. */
export const oppositeRelation = wordRelation('opposite', {
  statements: ['The opposite of S is O.', 'S and O are opposites.'],
  phrases: ['the opposite of X', 'the word that means the opposite of X'],
  questions: ['What is the opposite of X?', 'Which word means the opposite of X?'],
});

const large = '100,000 or more inhabitants';
const million = 'a million or more inhabitants';

/** Relations of places and countries. Each phrase ends with its subject, so that phrases can be put into each other. */
export const cityRelations = {
  country: {
    name: 'country',
    from: 'city',
    to: 'country',
    statements: ['S is a place in O.', 'The country of S is O.'],
    phrases: ['the country of X', 'the country that contains X'],
    questions: ['In which country does X lie?', 'To which country does X belong?'],
  },
  nearest: {
    name: 'nearest',
    from: 'city',
    to: 'city',
    statements: [
      `Of all other places of ${large} in the country, O is nearest to S.`,
      `From S, the nearest other place of ${large} in the country is O.`,
    ],
    phrases: [
      `the other place of ${large} in the same country that is nearest to X`,
      `the nearest other place, of ${large} and in the same country, to X`,
    ],
    questions: [
      `Which other place of ${large} in the same country is nearest to X?`,
      `Which other place in the same country, of ${large}, stands nearest to X?`,
    ],
  },
  larger: {
    name: 'larger',
    from: 'city',
    to: 'city',
    statements: [
      'By inhabitants, the place that comes directly before S in its country is O.',
      'Among the places of its country by inhabitants, S follows O.',
    ],
    phrases: [
      'the next larger place in the same country after X',
      'the place that comes, by inhabitants in the same country, directly before X',
    ],
    questions: [
      'Which place comes directly before X by inhabitants in its country?',
      'Which is the next larger place in the same country after X?',
    ],
  },
  capital: {
    name: 'capital',
    from: 'country',
    to: 'city',
    statements: ['The capital of S is O.', 'S is governed from its capital O.'],
    phrases: ['the capital of X', 'the seat of government of X'],
    questions: ['What is the capital of X?', 'Which city is the capital of X?'],
  },
  largest: {
    name: 'largest',
    from: 'country',
    to: 'city',
    statements: ['The place with most inhabitants in S is O.', 'No place in S has more inhabitants than O.'],
    phrases: ['the place with most inhabitants in X', 'the most populous place of X'],
    questions: ['Which place has most inhabitants in X?', 'What is the most populous place of X?'],
  },
  smallestMillion: {
    name: 'smallestMillion',
    from: 'country',
    to: 'city',
    statements: [
      `Of the places of ${million} in S, the smallest is O.`,
      `The smallest place of ${million} in S is O.`,
    ],
    phrases: [`the smallest place of ${million} in X`, `the least populous place of ${million} in X`],
    questions: [
      `Which is the smallest place of ${million} in X?`,
      `What is the least populous place of ${million} in X?`,
    ],
  },
  northernmost: {
    name: 'northernmost',
    from: 'country',
    to: 'city',
    statements: [
      `The northernmost place of ${large} in S is O.`,
      `No place of ${large} in S lies further north than O.`,
    ],
    phrases: [`the northernmost place of ${large} in X`, `the place of ${large} furthest north in X`],
    questions: [
      `Which is the northernmost place of ${large} in X?`,
      `Which place of ${large} lies furthest north in X?`,
    ],
  },
  southernmost: {
    name: 'southernmost',
    from: 'country',
    to: 'city',
    statements: [
      `The southernmost place of ${large} in S is O.`,
      `No place of ${large} in S lies further south than O.`,
    ],
    phrases: [`the southernmost place of ${large} in X`, `the place of ${large} furthest south in X`],
    questions: [
      `Which is the southernmost place of ${large} in X?`,
      `Which place of ${large} lies furthest south in X?`,
    ],
  },
  continent: {
    name: 'continent',
    from: 'country',
    to: 'value',
    statements: ['S is a part of the continent O.', 'The continent of S is O.'],
    phrases: [],
    questions: ['On which continent is X?', 'To which continent does X belong?'],
  },
  currency: {
    name: 'currency',
    from: 'country',
    to: 'value',
    statements: ['The money of S has the code O.', 'The currency code of S is O.'],
    phrases: [],
    questions: ['Which currency code does X have?', 'What is the code of the money of X?'],
  },
} as const satisfies Readonly<Record<string, FactRelation>>;

export const factRelations: readonly FactRelation[] = [
  ...Object.values(wordRelations).flatMap((relations): readonly FactRelation[] => Object.values(relations)),
  oppositeRelation,
  ...Object.values(cityRelations),
];
