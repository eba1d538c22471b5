import type { Frozen } from '../kit/snapshot.ts';
import { answerForms } from './answer-forms.ts';
import type { PuzzleAnswerWords } from './rules.ts';

/** `unreadable`: the text is no answer in the format of the puzzle. */
export type PuzzleVerdict = 'right' | 'wrong' | 'unreadable';

const defaultLongest = 4_096;

/** The most characters of an answer. */
export const longestAnswer = ({ longest = defaultLongest }: { readonly longest?: number }): number => longest;

/**
 * Parses the words of a player; undefined where they are no answer. Long texts and foreign characters are refused before
 * the puzzle reads them, in any of the {@link answerForms}: `ı`, `K` (the sign for kelvin) and full-width digits become plain letters in some conversions.
 */
export function readAnswer<Question, Answer>(
  words: PuzzleAnswerWords<Question, Answer>,
  question: Frozen<Question>,
  text: string,
): Answer | undefined {
  if (text.length > longestAnswer(words)) return undefined;
  const plain = text.trim().replaceAll('\r\n', '\n');
  if (plain === '' || !isPlain(plain, words.symbols ?? '')) return undefined;
  for (const form of answerForms(plain)) {
    const answer = form === '' ? undefined : words.read(form, question);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/** The part of the rules that judges answers. */
interface JudgeRules<Question, Answer> {
  readonly answer: PuzzleAnswerWords<Question, Answer>;
  readonly verify: (question: Frozen<Question>, answer: Answer) => boolean;
}

/** Judges an answer. An error of the verifier is thrown: it is a fault, and no wrong answer. */
export function judge<Question, Answer>(
  { answer, verify }: JudgeRules<Question, Answer>,
  question: Frozen<Question>,
  text: string,
): PuzzleVerdict {
  const read = readAnswer(answer, question, text);
  if (read === undefined) return 'unreadable';
  return verify(question, read) ? 'right' : 'wrong';
}

function isPlain(text: string, symbols: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const printable = (code >= 32 && code < 127) || code === 10 || code === 9;
    if (!printable && !symbols.includes(character)) return false;
  }
  return true;
}
