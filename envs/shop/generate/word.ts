import { listed } from './option-kind.ts';

/** A word or a few, as sentences and as titles write them. */
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

/** The words of a list that commas part. */
export const wordsOf = (list: string): readonly Word[] => listed(list).map(wordOf);

/** Names as titles write them, with those as people say them behind `=` where they are not the same words in lower case. */
export const headsOf = (list: string): readonly Word[] =>
  listed(list).map((head) => {
    const [title = '', plain = title.toLowerCase()] = head.split(' = ');
    return { title, plain };
  });

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `a` or `an`, by how the next word sounds. */
export function articleFor(text: string): 'a' | 'an' {
  if (/^(?:us|uni|eu|one)/.test(text)) return 'a';
  return /^(?:[aeiou8]|hdmi|HDMI|led |LTE|l[ -]shaped|x-|spf)/.test(text) ? 'an' : 'a';
}

/** With capitals as in a title; an article in front goes. */
function titled(text: string): string {
  const words = text.replace(/^(?:an?|the) /, '').split(' ');
  return words
    .map((word, index) =>
      index > 0 && small.has(word) ? word : word.replace(/^\(?[a-z]/, (letter) => letter.toUpperCase()),
    )
    .join(' ');
}
