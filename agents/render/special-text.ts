import { UsageError } from '../../envs/core/errors.ts';
import type { TextGuard } from '../prompt/text-guard.ts';
import type { Tokenizer } from './tokenizer/tokenizer.ts';

/** Neutralises special tokens in text from outside. */
export interface SpecialTextGuard {
  /**
   * The text without any special-token text: each is split by a space after its first character, and a
   * single-character one becomes the space. All else stays byte for byte. `count` is the number found.
   */
  guard(text: string): { readonly text: string; readonly count: number };
}

/**
 * Characters that can split a text. The first one that no special token contains is used. Unicode
 * normalisation joins none of them to other characters.
 */
const breakers = [' ', '\u200B', '\u2060', '\u00B7'] as const;

/**
 * Guards against special-token texts, such as `<|im_end|>`, in observations or user text: they would end a
 * turn or begin another role's.
 * @param special the texts of the special tokens
 * @throws UsageError if no character can split them
 */
export function createSpecialTextGuard(special: Iterable<string>): SpecialTextGuard {
  const texts = [...special].filter((text) => text !== '');
  if (texts.length === 0) return { guard: (text) => ({ text, count: 0 }) };
  const breaker = breakerOf(texts);
  const anyOf = specialPattern(texts);
  return { guard: (text) => breakAll(text, anyOf, breaker) };
}

/**
 * The guard of a tokenizer. A text that already has the split gets one more, so that the split can be undone:
 * `mean` inverts `tell`. The exception is a reserved text of a single character, which leaves only a blank.
 * @throws UsageError if no character can split them
 */
export function createTextGuard({ special, reserved }: Pick<Tokenizer, 'special' | 'reserved'>): TextGuard {
  const inMessages = createSpecialTextGuard(special.keys());
  const message = (text: string): string => inMessages.guard(text).text;
  const texts = [...reserved.keys()].filter((text) => text !== '');
  if (texts.length === 0) return { tell: (text) => text, mean: (text) => text, message };
  const breaker = breakerOf(texts);
  const single = texts.filter((text) => firstOf(text) === text).map(escape);
  const long = texts.filter((text) => firstOf(text) !== text);
  const heads = [...new Set(long.map(firstOf))];
  const longer = (breaks: '*' | '+'): readonly string[] =>
    heads.map((head) => {
      const rests = long
        .filter((text) => text.startsWith(head))
        .map((text) => escape(text.slice(head.length)));
      return `${escape(head)}${breaker}${breaks}(?:${rests.join('|')})`;
    });
  const unbroken = new RegExp([...single, ...longer('*')].join('|'), 'g');
  const broken = new RegExp(longer('+').join('|') || '(?!)', 'y');
  return {
    message,
    tell: (text) => breakAll(text, unbroken, breaker).text,
    mean: (text) => {
      let out = text;
      // Works from the end: later text must be restored before it can show whether a split belongs here,
      // because reserved texts may overlap.
      for (let at = text.length - 1; at >= 0; at -= 1) {
        broken.lastIndex = at;
        if (!broken.test(out)) continue;
        const behind = at + firstOf(out.slice(at, at + 2)).length;
        out = out.slice(0, behind) + out.slice(behind + breaker.length);
      }
      return out;
    },
  };
}

/**
 * Inserts a break after the first character of each match, or in place of a match of a single character.
 * `count` is the number of matches.
 */
function breakAll(
  text: string,
  pattern: RegExp,
  breaker: string,
): { readonly text: string; readonly count: number } {
  let out = '';
  let count = 0;
  let kept = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [found] = match;
    const first = firstOf(found);
    count += 1;
    out += text.slice(kept, match.index) + (first === found ? '' : first) + breaker;
    kept = match.index + first.length;
    pattern.lastIndex = kept; // also within the match: reserved texts may overlap
  }
  return { text: out + text.slice(kept), count };
}

function breakerOf(texts: readonly string[]): string {
  const breaker = breakers.find((character) => !texts.some((text) => text.includes(character)));
  if (breaker !== undefined) return breaker;
  throw new UsageError({
    where: 'special tokens of the tokenizer',
    what: 'together they contain every character that could split their texts in an observation.',
    fix: 'Use a checkpoint whose special tokens have neither spaces nor middle dots.',
  });
}

const firstOf = (text: string): string => String.fromCodePoint(text.codePointAt(0) as number);

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Matches any of the texts anywhere, the longest first. */
export function specialPattern(texts: Iterable<string>): RegExp {
  const escaped = [...texts].toSorted((a, b) => b.length - a.length).map(escape);
  return new RegExp(escaped.length === 0 ? '(?!)' : escaped.join('|'), 'g');
}
