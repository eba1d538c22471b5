import { z } from 'zod';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import { gameCatalogue, gameRecipes } from './recipes.ts';

const colours = ['red', 'green', 'blue', 'yellow', 'white', 'black', 'orange', 'purple'] as const;

interface Game {
  /** One digit for each peg, which is the index of its colour. */
  readonly code: string;
  /** Guesses with the numbers of black and white answers, such as `0123 1 2`. */
  readonly guesses: readonly string[];
  /** The pegs of the guess that is being laid. */
  readonly laid: string;
}

const config = z.strictObject({
  pegs: z.int().min(3).max(5).default(4).describe('pegs of the code'),
  colours: z.int().min(4).max(8).default(6).describe('colours of pegs; one colour can occur more than once'),
  guesses: z.int().min(1).max(20).default(10).describe('guesses after which the game is lost'),
});
type Config = z.output<typeof config>;

/** Right colours in the right place, and right colours elsewhere. */
function answerTo(guess: string, code: string): string {
  let [right, common] = [0, 0];
  for (let at = 0; at < code.length; at += 1) if (guess[at] === code[at]) right += 1;
  for (let colour = 0; colour < colours.length; colour += 1) {
    const digit = String(colour);
    common += Math.min(guess.split(digit).length, code.split(digit).length) - 1;
  }
  return `${right} ${common - right}`;
}

const nameOf = (digit: string): string => colours[Number(digit)] ?? digit;
const namesOf = (digits: string): string => digits.split('').map(nameOf).join(' ');
const digitOf = (name: string): string => String(colours.findIndex((colour) => colour === name));

function describe({ guesses, laid }: Pick<Game, 'guesses' | 'laid'>): string {
  const lines = guesses.map((guess) => {
    const [pegs = '', right, elsewhere] = guess.split(' ');
    return `${namesOf(pegs)}: ${right} in the right place, ${elsewhere} elsewhere`;
  });
  return [...lines, laid === '' ? 'Lay the first peg.' : `Laid so far: ${namesOf(laid)}`].join('\n');
}

function readGame(observation: string): Pick<Game, 'guesses' | 'laid'> {
  const lines = observation.split('\n');
  const digits = (names: string): string => (names === '' ? '' : names.split(' ').map(digitOf).join(''));
  return {
    guesses: lines.flatMap((line) => {
      const [, names, right, elsewhere] = /^(.*): (\d) in the right place, (\d) elsewhere$/.exec(line) ?? [];
      return names === undefined ? [] : [`${digits(names)} ${right} ${elsewhere}`];
    }),
    laid: digits(/^Laid so far: (.*)$/m.exec(observation)?.[1] ?? ''),
  };
}

const fits = (code: string, guesses: readonly string[]): boolean =>
  guesses.every((guess) => answerTo(guess.slice(0, code.length), code) === guess.slice(code.length + 1));

/** Codes that the answers leave possible. */
function candidatesOf({ pegs, colours: count }: Config, guesses: readonly string[]): string[] {
  return Array.from({ length: count ** pegs }, (_, code) => code.toString(count).padStart(pegs, '0')).filter(
    (code) => fits(code, guesses),
  );
}

/** The pegs that an action lays: one, or a whole guess. */
function pegsOf(action: string, { pegs, colours: count }: Config): string | undefined {
  const digits = action
    .toLowerCase()
    .replace(/^(?:lay|guess) /, '')
    .split(' ')
    .map((name) => colours.slice(0, count).findIndex((colour) => colour === name));
  if (digits.includes(-1)) return undefined;
  if (action.startsWith('lay ')) return digits.length === 1 ? digits.join('') : undefined;
  return action.startsWith('guess ') && digits.length === pegs ? digits.join('') : undefined;
}

/**
 * Mastermind: four pegs of six colours and ten guesses by default. A guess is laid peg by peg, so that a turn has as many choices as
 * there are colours; the whole guess can also be said at once. A solved game pays 1.
 */
export const mastermindEnv = defineTextEnv({
  ...drawnTasks({
    id: 'game-mastermind-v1',
    config,
    instruction: ({ pegs, colours: count, guesses }) =>
      `Find the hidden code of ${pegs} pegs in ${guesses} guesses. The colours are ${colours.slice(0, count).join(', ')}, and one can occur more than once. A guess is laid peg by peg from the left, or said at once, as in "guess ${Array.from({ length: pegs }, () => 'red').join(' ')}".`,
    draw: (rng, { pegs, colours: count }): Game => ({
      code: Array.from({ length: pegs }, () => rng.int(count)).join(''),
      guesses: [],
      laid: '',
    }),
  }),
  summary: 'Mastermind, peg by peg or guess by guess',
  turnLimit: ({ pegs, guesses }) => pegs * guesses,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['deduction', 'hidden-information']),
  unchecked: { secrets: 'the code consists of colours that each turn lists' },
  observe: describe,
  actions: (_state, { colours: count }) => lay.slice(0, count),
  accepts: ({ laid }, action, settings) => laid === '' && pegsOf(action, settings) !== undefined,
  step: ({ code, guesses, laid }, action, _context, settings) => {
    const pegs = laid + (pegsOf(action, settings) ?? '');
    if (pegs.length < settings.pegs) return { state: { code, guesses, laid: pegs } };
    const state = { code, guesses: [...guesses, `${pegs} ${answerTo(pegs, code)}`], laid: '' };
    if (pegs === code) return { state, outcome: 'solved', reward: { solved: 1 } };
    return state.guesses.length >= settings.guesses ? { state, outcome: 'failed' } : { state };
  },
  information: ({ guesses, laid }) => [...guesses, laid],
  features: (observation) => {
    const { guesses, laid } = readGame(observation);
    return {
      fields: {
        laid: laid.length,
        ...Object.fromEntries(laid.split('').map((digit, at) => [`peg ${at + 1}`, nameOf(digit)])),
        ...Object.fromEntries(
          guesses.flatMap((guess, turn): (readonly [string, string | number])[] => {
            const [pegs = '', right = '', elsewhere = ''] = guess.split(' ');
            return [
              ...pegs
                .split('')
                .map((digit, at) => [`guess ${turn + 1} peg ${at + 1}`, nameOf(digit)] as const),
              [`guess ${turn + 1} right`, Number(right)] as const,
              [`guess ${turn + 1} elsewhere`, Number(elsewhere)] as const,
            ];
          }),
        ),
      },
    };
  },
  target: (action) => ({ verb: 'lay', value: action.slice('lay '.length) }),
  experts: {
    planner: ({ code }) => code.split('').map((digit) => `lay ${nameOf(digit)}`),
    searcher: (rng, settings) => {
      let plan = '';
      return {
        act: ({ observation }) => {
          const { guesses, laid } = readGame(observation);
          if (laid === '') plan = rng.pick(candidatesOf(settings, guesses));
          return `lay ${nameOf(plan[laid.length] ?? '0')}`;
        },
      };
    },
  },
  audit: {
    swapHidden: (game, rng, settings) => {
      const others = candidatesOf(settings, game.guesses).filter((code) => code !== game.code);
      if (others.length === 0) return undefined;
      const code = rng.pick(others);
      let pegs = game.laid;
      return {
        state: { ...game, code },
        reveals: (action) => {
          pegs += pegsOf(action, settings) ?? '';
          return pegs.length >= settings.pegs;
        },
      };
    },
  },
});

const lay = colours.map((colour) => `lay ${colour}`);
