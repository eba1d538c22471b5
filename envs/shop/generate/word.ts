import { listed } from './option-kind.ts';

/** One or more words, in the forms for sentences and for titles. */
export interface Word {
  readonly plain: string;
  readonly title: string;
}

const small = new Set([
  'a',
  'an',
  'and',
  'as',
  'at',
  'by',
  'for',
  'from',
  'in',
  'of',
  'on',
  'or',
  'the',
  'to',
  'with',
  'x',
]);

export const wordOf = (plain: string): Word => ({ plain, title: titled(plain) });

/** The words of a comma-separated list. */
export const wordsOf = (list: string): readonly Word[] => listed(list).map(wordOf);

/** Names in the form for titles. The form for sentences follows `=` where it differs from the lower case. */
export const headsOf = (list: string): readonly Word[] =>
  listed(list).map((head) => {
    const [title = '', plain = title.toLowerCase()] = head.split(' = ');
    return { title, plain };
  });

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `a` or `an`, by the sound of the next word. */
export function articleFor(text: string): 'a' | 'an' {
  if (/^(?:us|uni|eu|one)/.test(text)) return 'a';
  return /^(?:[aeiou8]|hdmi|HDMI|led |LTE|l[ -]shaped|x-|spf)/.test(text) ? 'an' : 'a';
}

/** With the capitals of a title, and without a leading article. */
function titled(text: string): string {
  const words = text.replace(/^(?:an?|the) /, '').split(' ');
  return words
    .map((word, index) =>
      index > 0 && small.has(word) ? word : word.replace(/^\(?[a-z]/, (letter) => letter.toUpperCase()),
    )
    .join(' ');
}
