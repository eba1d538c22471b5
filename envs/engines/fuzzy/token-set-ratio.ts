import { token_set_ratio } from 'fuzzball';

/** `ratio_alg` has an effect, although the package's types list it for plain ratios only. */
const asPython = { full_process: false, ratio_alg: 'difflib' } as const;

/**
 * The similarity of two texts as sets of words, from 0 to 100. It is 100 where one text's words are a subset
 * of the other's. Computed as in thefuzz 0.19 with Python's difflib, except that halves are rounded up, where
 * Python rounds them to the even number.
 */
export function tokenSetRatio(left: string, right: string): number {
  return token_set_ratio(words(left), words(right), asPython);
}

/**
 * Splits words as thefuzz does: lower case, without the upper half of Latin-1. Characters other than letters,
 * digits and underscores become spaces.
 */
function words(text: string): string {
  return text
    .replaceAll(/[\u0080-\u00ff]/gu, '')
    .replaceAll(/[^\p{L}\p{N}_]/gu, ' ')
    .toLowerCase()
    .trim();
}
