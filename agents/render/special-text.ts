import { UsageError } from '../../envs/core/errors.ts';

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
  const breaker = breakers.find((character) => !texts.some((text) => text.includes(character)));
  if (breaker === undefined) {
    throw new UsageError({
      where: 'special tokens of the tokenizer',
      what: 'they contain every character that could break their texts in what an environment shows.',
      mend: 'Use a checkpoint whose special tokens have neither spaces nor middle dots.',
    });
  }
  const anyOf = specialPattern(texts);
  return {
    guard: (text) => {
      let out = '';
      let count = 0;
      let kept = 0;
      anyOf.lastIndex = 0;
      for (let match = anyOf.exec(text); match !== null; match = anyOf.exec(text)) {
        const [found] = match;
        const first = String.fromCodePoint(found.codePointAt(0) as number).length;
        count += 1;
        out += text.slice(kept, match.index + (first === found.length ? 0 : first)) + breaker;
        kept = match.index + first;
        anyOf.lastIndex = kept; // also within what was found: special texts may overlap
      }
      return { text: out + text.slice(kept), count };
    },
  };
}

/** Finds any of the texts, the longest first, wherever it stands. */
export function specialPattern(texts: Iterable<string>): RegExp {
  const escaped = [...texts].toSorted((a, b) => b.length - a.length).map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  return new RegExp(escaped.length === 0 ? '(?!)' : escaped.join('|'), 'g');
}
