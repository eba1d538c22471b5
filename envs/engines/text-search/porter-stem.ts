import { stemmer } from 'stemmer';

/**
 * Porter's stems of words that consist of an ending alone. `stemmer` treats these as if a stem preceded the
 * ending.
 */
const bareEndings: ReadonlyMap<string, string> = new Map([
  ['ies', 'i'],
  ['sses', 'ss'],
  ['eed', 'eed'],
  ['eeds', 'eed'],
]);

/**
 * A stem that ends in two `y`, of which the second is a consonant, then -ed or -ing. Porter's algorithm takes
 * the two for a double consonant and drops one, but `stemmer` keeps both. A `y` is a vowel exactly when the
 * letter before it is a consonant.
 */
const doubleY = /^(.*[^aeiouy]y(?:yy)*|(?:.*[aeiou])?yy(?:yy)*)y(?:ed|ing)s?$/s;

/**
 * The stem of a lower-case word by Porter's algorithm (1980, with his later -bli and -logi). Equal to the
 * result of Lucene's PorterStemFilter.
 */
export function porterStem(word: string): string {
  return bareEndings.get(word) ?? stemmer(doubleY.exec(word)?.[1] ?? word);
}
