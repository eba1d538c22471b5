import type { Analyzer } from './analyzer.ts';
import { porterStem } from './porter-stem.ts';
import { splitWords } from './split-words.ts';

/** Lucene's stop words for English. */
const stopWords: ReadonlySet<string> = new Set(
  'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
);

/**
 * Lucene 8.11's EnglishAnalyzer, also the default of Anserini: words by Unicode's rules, possessive 's
 * removed, lower case, stop words removed, Porter stems.
 */
export const englishAnalyzer: Analyzer = {
  id: 'english-porter-1',
  split: splitWords,
  termOf: (token) => {
    const word = lowerCase(withoutPossessive(token));
    return stopWords.has(word) ? '' : porterStem(word);
  },
};

const withoutPossessive = (token: string): string =>
  /['\u2019\uFF07][sS]$/.test(token) ? token.slice(0, -2) : token;

/**
 * Lower case by code point, without context. A Greek capital sigma never becomes the final form, and the
 * Turkish dotted capital I becomes a plain i.
 */
function lowerCase(word: string): string {
  if (/^[\0-\x7f]*$/.test(word)) return word.toLowerCase();
  return Array.from(word, (point) => (point === '\u0130' ? 'i' : point.toLowerCase())).join('');
}
