import { z } from 'zod';
import type { EnvDefinition, Searcher } from '../core/env.ts';
import type { Rng } from '../core/rng.ts';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import type { TextStep } from '../kit/text-world.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import { gameCatalogue, gameRecipes, wordLicence } from './recipes.ts';
import { answerWords, otherWords } from './tables/five-letter-words.ts';

/** Tries of a game, in both sets of rules. */
const tries = 6;
const letters = 5;

interface Game {
  /** The words that can be hidden. The player knows them. */
  readonly vocabulary: readonly string[];
  /** The hidden word. By the rules of LMRL-Gym it is drawn in each turn, and this is empty. */
  readonly hidden: string;
  /** Guesses with their marks, such as `crane gybbb`. A word that is not accepted has no marks. */
  readonly guesses: readonly string[];
}

const config = z.strictObject({
  words: z.int().min(20).max(400).default(200).describe('number of words that can be hidden, all listed'),
});

const accepted = new Set([...answerWords, ...otherWords]);

/** The marks of the official game: g for right, y for elsewhere, b for absent. A letter gets no more marks than the hidden word has of it. */
function officialMarks(guess: string, hidden: string): string {
  const marks = Array.from({ length: letters }, (_, at): string => (guess[at] === hidden[at] ? 'g' : 'b'));
  const left = hidden.split('').filter((_letter, at) => marks[at] !== 'g');
  for (let at = 0; at < letters; at += 1) {
    const found = marks[at] === 'g' ? -1 : left.indexOf(guess.charAt(at));
    if (found < 0) continue;
    marks[at] = 'y';
    left.splice(found, 1);
  }
  return marks.join('');
}

/** LMRL-Gym's view of one letter: nothing is known, the letter is absent, or where it can be. */
type Knowledge = Map<string, string>;
const anywhere = '?????';
const nowhere = '-----';

/** What LMRL-Gym's game remembers: for each letter and position `?` for possible, `-` for not here, `+` for here. */
function knowledgeOf(guesses: readonly string[]): Knowledge {
  const known: Knowledge = new Map();
  for (const guess of guesses) {
    const [word = '', marks = ''] = guess.split(' ');
    for (let at = 0; at < marks.length; at += 1) {
      const letter = word.charAt(at);
      const before = known.get(letter) ?? anywhere;
      const sign = marks[at] === 'g' ? '+' : '-';
      known.set(letter, marks[at] === 'b' ? nowhere : `${before.slice(0, at)}${sign}${before.slice(at + 1)}`);
    }
  }
  return known;
}

function fits(word: string, known: Knowledge): boolean {
  for (const [letter, places] of known) {
    if (places === anywhere) continue;
    if (places === nowhere) {
      if (word.includes(letter)) return false;
      continue;
    }
    if (!word.includes(letter)) return false;
    for (let at = 0; at < letters; at += 1) {
      if (places[at] === '+' && word[at] !== letter) return false;
      if (places[at] === '-' && word[at] === letter) return false;
    }
  }
  return true;
}

/** LMRL-Gym's marks: a letter is yellow wherever the hidden word has it, and the marks show what is remembered after the guess. */
function lmrlMarks(guess: string, hidden: string, guesses: readonly string[]): string {
  const plain = guess
    .split('')
    .map((letter, at) => (letter === hidden[at] ? 'g' : hidden.includes(letter) ? 'y' : 'b'))
    .join('');
  const known = knowledgeOf([...guesses, `${guess} ${plain}`]);
  return guess
    .split('')
    .map((letter, at) => {
      const places = known.get(letter) ?? anywhere;
      return places[at] === '+' ? 'g' : places === nowhere ? 'b' : 'y';
    })
    .join('');
}

/** The lists of actions, by the vocabulary that a state keeps. */
const listed = new WeakMap<readonly string[], readonly string[]>();

function actionsOf(vocabulary: readonly string[]): readonly string[] {
  const known = listed.get(vocabulary) ?? vocabulary.map((word) => `guess ${word}`);
  listed.set(vocabulary, known);
  return known;
}

const wordOf = (action: string): string => action.replace(/^guess /, '').toLowerCase();

/** Words that LMRL-Gym or the official game can still hide, as a player infers from the marks. */
function candidatesOf(vocabulary: readonly string[], guesses: readonly string[], rules: Rules): string[] {
  if (rules === 'lmrl') {
    const known = knowledgeOf(guesses);
    return vocabulary.filter((word) => fits(word, known));
  }
  return vocabulary.filter((word) =>
    guesses.every(
      (guess) =>
        guess.length === letters || officialMarks(guess.slice(0, letters), word) === guess.slice(letters + 1),
    ),
  );
}

type Rules = 'official' | 'lmrl';

function describe({ guesses }: Pick<Game, 'guesses'>): string {
  if (guesses.length === 0) return 'No guess so far.';
  return guesses
    .map((guess) => {
      const [word = '', marks] = guess.split(' ');
      return marks === undefined
        ? `${word}: not a word`
        : `${word}: ${marks
            .split('')
            .map((mark) => `<${mark}>`)
            .join('')}`;
    })
    .join('\n');
}

const readGuesses = (observation: string): string[] =>
  observation
    .split('\n')
    .filter((line) => line.includes('>') || line.endsWith(': not a word'))
    .map((line) =>
      line.includes('>') ? line.replace(': ', ' ').replaceAll(/[<>]/g, '') : line.slice(0, letters),
    );

function stepBy(
  rules: Rules,
  { vocabulary, hidden, guesses }: Game,
  action: string,
  rng: Rng,
): TextStep<Game> {
  const word = wordOf(action);
  const isWord = rules === 'lmrl' ? vocabulary.includes(word) : accepted.has(word);
  if (!isWord) {
    const state = { vocabulary, hidden, guesses: [...guesses, word.slice(0, letters).padEnd(letters, '-')] };
    return { state, reward: { bad: -1 }, ...(state.guesses.length === tries ? { outcome: 'failed' } : {}) };
  }
  const answer = rules === 'lmrl' ? rng.pick(candidatesOf(vocabulary, guesses, rules)) : hidden;
  const marks = rules === 'lmrl' ? lmrlMarks(word, answer, guesses) : officialMarks(word, answer);
  const state = { vocabulary, hidden, guesses: [...guesses, `${word} ${marks}`] };
  const left = rules === 'lmrl' ? candidatesOf(vocabulary, state.guesses, rules) : [];
  // LMRL-Gym's game is won when one word is left and has been guessed.
  const isSolved =
    rules === 'lmrl'
      ? left.length === 1 && state.guesses.some((guess) => guess.startsWith(left[0] ?? ' '))
      : word === hidden;
  if (isSolved) return { state, outcome: 'solved', reward: rules === 'lmrl' ? { guess: 0 } : { solved: 1 } };
  const reward = rules === 'lmrl' ? { guess: -1 } : {};
  return state.guesses.length === tries ? { state, reward, outcome: 'failed' } : { state, reward };
}

/** One number for each letter and position: what is known of it. */
function fieldsOf(observation: string): Readonly<Record<string, number | string>> {
  const known = knowledgeOf(readGuesses(observation));
  return { guesses: readGuesses(observation).length, ...Object.fromEntries(known) };
}

function worldOf(rules: Rules) {
  return {
    recipes: gameRecipes,
    catalogue: gameCatalogue(['words', 'hidden-information'], wordLicence),
    turnLimit: tries,
    observe: describe,
    actions: ({ vocabulary }: Game) => actionsOf(vocabulary),
    accepts: (_state: Game, action: string) => /^guess [a-z]{5}$/i.test(action),
    refuse: () => (rules === 'lmrl' ? { reward: { bad: -1 } } : {}),
    step: (game: Game, action: string, { rng }: { readonly rng: Rng }) => stepBy(rules, game, action, rng),
    information: ({ guesses }: Game) => [...guesses],
    features: (observation: string) => ({ fields: fieldsOf(observation) }),
    target: (action: string) => ({
      verb: 'guess',
      fields: Object.fromEntries(
        wordOf(action)
          .split('')
          .map((letter, at) => [`letter ${at + 1}`, letter]),
      ),
    }),
    experts: {
      searcher: (rng: Rng): Searcher<string, string> => ({
        act: ({ observation, admissible }) => {
          const words = (admissible ?? []).map(wordOf);
          const left = candidatesOf(words, readGuesses(observation), rules);
          return `guess ${rng.pick(left.length > 0 ? left : words)}`;
        },
      }),
    },
  };
}

const drawVocabulary = (rng: Rng, count: number, from: readonly string[]): readonly string[] =>
  rng.shuffle(from).slice(0, count).toSorted();

/** Words of each panel: a hidden word of one panel is hidden in no other. */
const panelWords = (() => {
  const at = (rest: number): readonly string[] => answerWords.filter((_word, index) => index % 10 === rest);
  const train = answerWords.filter((_word, index) => index % 10 > 1);
  return { train, dev: at(0), unseen: at(1) };
})();

const instruction = (rules: Rules): string =>
  `Guess the hidden word of five letters in six tries. After each guess, <g> marks a letter in the right place, <y> a letter that the word has elsewhere, and <b> a letter that it ${rules === 'lmrl' ? 'does not have' : 'has no more of'}. The hidden word is one of the listed ones.`;

/**
 * Wordle by the official rules. The hidden word is one of 200 listed ones by default, and any of 5,000 words can be guessed. A solved game
 * pays 1. No hidden word of one panel is hidden in another.
 */
export const wordleEnv = defineTextEnv({
  ...worldOf('official'),
  ...drawnTasks({
    id: 'game-wordle-v1',
    config,
    instruction: instruction('official'),
    draw: (rng, { words }): Game => {
      const panel = rng.pick(['train', 'dev', 'unseen'] as const);
      const hidden = rng.pick(panelWords[panel]);
      const others = answerWords.filter((word) => word !== hidden);
      const vocabulary = [hidden, ...drawVocabulary(rng, words - 1, others)].toSorted();
      return { vocabulary, hidden, guesses: [] };
    },
    apart: ({ hidden }) => hidden,
    panelOf: ({ hidden }) =>
      (['dev', 'unseen'] as const).find((panel) => panelWords[panel].includes(hidden)) ?? 'train',
  }),
  summary: 'Wordle by the official rules, over a list of words that the player knows',
  unchecked: { secrets: 'the hidden word is one of the listed actions' },
  audit: {
    swapHidden: (game, rng) => {
      const left = candidatesOf(game.vocabulary, game.guesses, 'official').filter(
        (word) => word !== game.hidden,
      );
      if (left.length === 0) return undefined;
      const hidden = rng.pick(left);
      const differs = (word: string): boolean =>
        officialMarks(word, hidden) !== officialMarks(word, game.hidden);
      return { state: { ...game, hidden }, reveals: (action) => differs(wordOf(action)) };
    },
  },
});

/**
 * Wordle by the rules of LMRL-Gym (2023). The hidden word is drawn again in each turn, from the words that fit the marks so far. A letter is
 * yellow wherever the word has it. A guess costs 1, the last right one 0, and a word outside of the vocabulary costs 1.
 */
export const wordleLmrlEnv: EnvDefinition<'game-wordle-lmrl-v1', typeof config, string, string> =
  defineTextEnv({
    ...worldOf('lmrl'),
    ...drawnTasks({
      id: 'game-wordle-lmrl-v1',
      config,
      instruction: instruction('lmrl'),
      draw: (rng, { words }): Game => ({
        vocabulary: drawVocabulary(rng, words, answerWords),
        hidden: '',
        guesses: [],
      }),
    }),
    summary: "Wordle by LMRL-Gym's rules: the hidden word is drawn again in each turn",
    deterministic: false,
    unchecked: {
      secrets: 'the word is drawn at the guess, so none is hidden before it',
      hidden: 'the word is drawn at the guess, so none is hidden before it',
      experts: 'the word is drawn at the guess, so none is hidden before it',
    },
  });
