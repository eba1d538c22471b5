/** ASCII punctuation, as Python's `string.punctuation`. */
const punctuation = /[!-/:-@[-`{-~]/g;

/**
 * The normal form of answers in SQuAD and Search-R1: lower case, without ASCII punctuation, without the articles a, an
 * and the, with single blanks.
 */
export const normalise = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(punctuation, '')
    .replaceAll(/(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');

/** The words of the normal form. */
export const normalWords = (text: string): readonly string[] =>
  normalise(text)
    .split(' ')
    .filter((word) => word !== '');
