import { token_set_ratio } from 'fuzzball';

/** `ratio_alg` is heeded, although the package's types name it for plain ratios only. */
const asPython = { full_process: false, ratio_alg: 'difflib' } as const;

/**
 * How alike two texts are as sets of words, from 0 to 100: 100 where one's words are among the other's. As thefuzz 0.19 computes
 * it with Python's difflib; halves are rounded up where Python rounds them to the even number.
 */
export function tokenSetRatio(left: string, right: string): number {
  return token_set_ratio(words(left), words(right), asPython);
}

/** Lower case without the upper half of Latin-1, anything but letters, digits and underscores made a space: thefuzz's way. */
function words(text: string): string {
  return text
    .replaceAll(/[\u0080-\u00ff]/gu, '')
    .replaceAll(/[^\p{L}\p{N}_]/gu, ' ')
    .toLowerCase()
    .trim();
}
