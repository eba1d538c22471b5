import type { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import type { Frozen } from '../../../kit/snapshot.ts';
import { definePuzzle } from '../../define-puzzle.ts';
import { alphabet, readLetters, shift } from './cipher.ts';
import { cipherWords, drawWords } from './words.ts';

interface CipherLevel {
  /** The number of words of the hidden text. */
  readonly words: number;
}

/** A puzzle whose answer is the text before encryption. The question must make it certain. */
export function defineCipher<Name extends string, Question, const Level extends CipherLevel>({
  name,
  summary,
  rules,
  question,
  levels,
  encrypt,
  render,
  decrypt,
  matches,
  keys,
}: {
  readonly name: Name;
  readonly summary: string;
  readonly rules: string;
  readonly question: z.ZodType<Question>;
  readonly levels: readonly Level[];
  /** Draws a key and makes the question of a text; undefined where the question leaves the text open. */
  readonly encrypt: (rng: Rng, plain: string, level: NoInfer<Level>) => NoInfer<Question> | undefined;
  readonly render: (question: Frozen<NoInfer<Question>>) => string;
  /** All texts that fit, at most two, and the number of keys that were tried. */
  readonly decrypt: (question: Frozen<NoInfer<Question>>) => {
    readonly texts: readonly string[];
    readonly tried: number;
  };
  /** The number of questions that one text gives; without it there are too many to count. */
  readonly keys?: number;
  /** Whether a text fits a question. */
  readonly matches: (question: Frozen<NoInfer<Question>>, plain: string) => boolean;
}) {
  return definePuzzle({
    name,
    category: 'crypto',
    summary,
    question,
    levels,
    generate: (rng: Rng, level: Level) => {
      for (;;) {
        const plain = drawWords(rng, level.words).join(' ');
        const drawn = encrypt(rng, plain, level);
        if (drawn !== undefined) return { question: drawn, solution: plain };
      }
    },
    rules,
    render,
    answer: {
      format: 'the text before encryption, in capitals.',
      write: (plain) => plain,
      read: readLetters,
    },
    verify: matches,
    unique: true,
    solve: (given) => {
      const { texts, tried } = decrypt(given);
      return { answers: texts, effort: tried };
    },
    audit: {
      guess: (_given, rng) => drawWords(rng, levels[0]?.words ?? 1).join(' '),
      chance: 0.001,
      ...(keys === undefined
        ? {}
        : {
            variety: (level: number) =>
              Math.min(1e9, keys * cipherWords.length ** (levels[level - 1]?.words ?? 1)),
          }),
      mutants: (plain, _given, rng) => {
        const at = rng.int(plain.length);
        const wrong = rng.pick(alphabet.split('').filter((letter) => letter !== plain[at]));
        return {
          'another letter': plain[at] === ' ' ? undefined : plain.slice(0, at) + wrong + plain.slice(at + 1),
          'shifted by one': shift(plain, 1),
          'the last word missing': plain.includes(' ') ? plain.slice(0, plain.lastIndexOf(' ')) : undefined,
          'words in another order': plain.includes(' ')
            ? `${plain.slice(plain.indexOf(' ') + 1)} ${plain.slice(0, plain.indexOf(' '))}`
            : undefined,
          'without blanks': plain.includes(' ') ? plain.replaceAll(' ', '') : undefined,
        };
      },
      equivalents: (plain) => ({
        'small letters': plain.toLowerCase(),
        'in quotation marks': `"${plain}"`,
        'as a sentence': `${plain.slice(0, 1)}${plain.slice(1).toLowerCase()}.`,
      }),
    },
  });
}
