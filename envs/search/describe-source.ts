import type { ShownDoc } from './observation.ts';

const titleWords = 8;
const passageStart = 8;

const wordPattern = /"[^"\n]*"|“[^”\n]*”|[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu;

/**
 * The words of a title and of the first sentence of a passage, without what they are about: `_` stands for names and numbers. So
 * a policy that hashes words sees what kind of document it is: `hearsay about _ nobody has confirmed`.
 */
export const describeSource = ({ title, passage }: Pick<ShownDoc, 'title' | 'passage'>): string => {
  const [start = ''] = passage.split(/[.!?](?:\s|$)/, 1);
  return [...plainWords(title, titleWords), ...plainWords(start, passageStart)].join(' ') || '_';
};

/** The first words. Texts in quotes, capitalised words and numbers in a row are one `_`. */
function plainWords(text: string, most: number): readonly string[] {
  const words = [...text.slice(0, 1_000).matchAll(wordPattern)].map(([word]) => word);
  const plain: string[] = [];
  for (const [at, word] of words.entries()) {
    if (plain.length === most) break;
    if (!isName(word, at, words[at + 1])) plain.push(word.toLowerCase());
    else if (plain.at(-1) !== '_') plain.push('_');
  }
  return plain;
}

/** The first word is capitalised anyway, so it counts as a name only before another name or alone. */
function isName(word: string, at: number, next: string | undefined): boolean {
  if (!/^["“\p{Lu}\p{N}]/u.test(word)) return false;
  return at > 0 || !/^\p{Lu}/u.test(word) || next === undefined || /^\p{Lu}/u.test(next);
}
