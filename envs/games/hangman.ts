import { z } from 'zod';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import { gameCatalogue, gameRecipes, wordLicence } from './recipes.ts';
import { longWords } from './tables/long-words.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz'.split('');

interface Game {
  readonly word: string;
  /** The letters that were tried, in the order of the alphabet. */
  readonly tried: string;
}

const config = z.strictObject({
  misses: z.int().min(1).max(20).default(6).describe('wrong letters after which the game is lost'),
});

const shown = (word: string, tried: string): string =>
  word
    .split('')
    .map((letter) => (tried.includes(letter) ? letter : '_'))
    .join('');
const missesOf = ({ word, tried }: Game): string[] =>
  tried.split('').filter((letter) => !word.includes(letter));

function describe(game: Game, { misses }: z.output<typeof config>): string {
  const wrong = missesOf(game);
  return `Word: ${shown(game.word, game.tried).split('').join(' ')}\nWrong letters: ${wrong.length === 0 ? 'none' : wrong.join(' ')}\nMisses left: ${misses - wrong.length}`;
}

interface Seen {
  readonly pattern: string;
  readonly wrong: string;
}

function readGame(observation: string): Seen {
  const [word = '', wrong = ''] = observation.split('\n').map((line) => line.slice(line.indexOf(':') + 2));
  return { pattern: word.replaceAll(' ', ''), wrong: wrong === 'none' ? '' : wrong.replaceAll(' ', '') };
}

/** Words that a pattern and the wrong letters leave possible. */
function candidatesOf({ pattern, wrong }: Seen): string[] {
  const known = new Set(pattern.replaceAll('_', ''));
  return longWords.filter(
    (word) =>
      word.length === pattern.length &&
      word
        .split('')
        .every((letter, at) =>
          pattern[at] === '_' ? !known.has(letter) && !wrong.includes(letter) : pattern[at] === letter,
        ),
  );
}

const indexOfWord = new Map(longWords.map((word, index) => [word, index]));

/** How many of the words have each letter. */
function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words)
    for (const letter of new Set(word)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return counts;
}

/**
 * Hangman over 3,000 common words of six to nine letters. As in GEM, the letters of the word pay half, each its share, and the solved word
 * pays the other half.
 */
export const hangmanEnv = defineTextEnv({
  ...drawnTasks({
    id: 'game-hangman-v1',
    config,
    instruction: ({ misses }) =>
      `Find the hidden word letter by letter. After ${misses} wrong letters the game is lost.`,
    draw: (rng): Game => ({ word: rng.pick(longWords), tried: '' }),
    family: ({ word }) => `${word.length}-letters`,
  }),
  summary: 'Hangman over common words of six to nine letters',
  turnLimit: 26,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['words', 'hidden-information'], wordLicence),
  observe: describe,
  actions: ({ tried }) => alphabet.filter((letter) => !tried.includes(letter)),
  step: ({ word, tried }, letter, _context, { misses }) => {
    const state = { word, tried: [...tried.split(''), letter].toSorted().join('') };
    const found = word.split('').filter((one) => one === letter).length;
    if (!shown(word, state.tried).includes('_'))
      return { state, outcome: 'solved', reward: { letters: (0.5 * found) / word.length, solved: 0.5 } };
    if (found > 0) return { state, reward: { letters: (0.5 * found) / word.length } };
    return missesOf(state).length >= misses ? { state, outcome: 'failed' } : { state };
  },
  key: ({ word, tried }) => `${indexOfWord.get(word)} ${tried}`, // a key may not have the word itself
  information: ({ word, tried }) => [shown(word, tried), tried],
  features: (observation) => {
    const { pattern, wrong } = readGame(observation);
    return {
      grid: { rows: [pattern] },
      fields: { misses: wrong.length, left: pattern.split('_').length - 1 },
    };
  },
  target: (letter) => ({ verb: 'try', value: letter }),
  experts: {
    planner: ({ word }) => [...new Set(word)],
    searcher: () => ({
      act: ({ observation, admissible }) => {
        const counts = countsOf(candidatesOf(readGame(observation)));
        return (
          (admissible ?? []).toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))[0] ??
          'e'
        );
      },
    }),
  },
  audit: {
    swapHidden: (game, rng) => {
      const seen = { pattern: shown(game.word, game.tried), wrong: missesOf(game).join('') };
      const others = candidatesOf(seen).filter((word) => word !== game.word);
      if (others.length === 0) return undefined;
      const word = rng.pick(others);
      const differs = (letter: string): boolean =>
        word.split('').some((one, at) => (one === letter) !== (game.word[at] === letter));
      return { state: { ...game, word }, reveals: differs };
    },
    secrets: ({ word }) => [word],
  },
});
