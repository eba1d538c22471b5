import { UsageError } from '../../envs/core/errors.ts';
import type { TextGuard } from '../prompt/text-guard.ts';
import type { Tokenizer } from './tokenizer/tokenizer.ts';

/** Makes texts from outside harmless. */
export interface SpecialTextGuard {
  /**
   * The same text, in which no text of a special token stands: each is broken by a space behind its first character, and one of a single
   * character is replaced by the space. The rest stays byte for byte, and `count` says how many were found.
   */
  guard(text: string): { readonly text: string; readonly count: number };
}

/** What may break a text; the first that no special token contains is taken. All are characters that no normal form joins to others. */
const breakers = [' ', '\u200B', '\u2060', '\u00B7'] as const;

/**
 * Against texts of special tokens, such as `<|im_end|>`, in what an env shows or a person says: they would end a turn or begin another's.
 *
 * @param special the texts of the special tokens
 * @throws UsageError where no character can break them
 */
export function createSpecialTextGuard(special: Iterable<string>): SpecialTextGuard {
  const texts = [...special].filter((text) => text !== '');
  if (texts.length === 0) return { guard: (text) => ({ text, count: 0 }) };
  const breaker = breakerOf(texts);
  const anyOf = specialPattern(texts);
  return { guard: (text) => breakAll(text, anyOf, breaker) };
}

/**
 * The guard of a tokenizer. A text that already has the break gets one more, so that the break can be taken out again: `mean` gives back
 * what `tell` was given, but for reserved texts of a single character, of which a blank is left.
 *
 * @throws UsageError where no character can break them
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
      // From the end: what follows must be as it was before it says whether a break belongs here, since reserved texts may overlap.
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

/** With a break behind the first character of each match, and in place of one of a single character; `count` is that of the matches. */
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
    pattern.lastIndex = kept; // also within what was found: reserved texts may overlap
  }
  return { text: out + text.slice(kept), count };
}

function breakerOf(texts: readonly string[]): string {
  const breaker = breakers.find((character) => !texts.some((text) => text.includes(character)));
  if (breaker !== undefined) return breaker;
  throw new UsageError({
    where: 'special tokens of the tokenizer',
    what: 'they contain every character that could break their texts in what an environment shows.',
    fix: 'Use a checkpoint whose special tokens have neither spaces nor middle dots.',
  });
}

const firstOf = (text: string): string => String.fromCodePoint(text.codePointAt(0) as number);

const escape = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Finds any of the texts, the longest first, wherever it stands. */
export function specialPattern(texts: Iterable<string>): RegExp {
  const escaped = [...texts].toSorted((a, b) => b.length - a.length).map(escape);
  return new RegExp(escaped.length === 0 ? '(?!)' : escaped.join('|'), 'g');
}
