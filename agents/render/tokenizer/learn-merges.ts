import { MergeQueue, type TokenPair } from './merge-queue.ts';

/** A word as its bytes or tokens, with its frequency. */
export interface CountedWord {
  tokens: number[];
  readonly count: number;
}

/** A merge of two tokens into one. */
export interface Merge {
  readonly left: number;
  readonly right: number;
}

/** Rarer pairs are chance. */
const leastCount = 2;
const pairKey = (left: number, right: number): number => left * 2 ** 24 + right;

/**
 * Byte-pair encoding (Sennrich et al., 2016, "Neural Machine Translation of Rare Words with Subword Units").
 * Repeatedly merges the most frequent pair of neighbours; on a tie the pair that was seen first, with words
 * in order. Only words that contain the pair are recounted.
 *
 * @param words are modified: in the end they contain the learned tokens
 * @param name returns the token number of a merge; called once for each merge, in order
 * @param wanted whether to learn more
 */
export function learnMerges(
  words: readonly CountedWord[],
  { name, wanted }: { readonly name: (merge: Merge) => number; readonly wanted: () => boolean },
): Merge[] {
  const counts = new PairCounts();
  for (const [index, word] of words.entries()) counts.change(word, index, 1);
  counts.queueChanged();
  const merges: Merge[] = [];
  while (wanted()) {
    const pair = counts.queue.take();
    if (pair === undefined || pair.count < leastCount) break;
    const token = name(pair);
    merges.push({ left: pair.left, right: pair.right });
    for (const index of [...pair.words].toSorted((a, b) => a - b)) {
      const word = words[index] as CountedWord;
      const joined = join(word.tokens, pair, token);
      if (joined.length === word.tokens.length) continue;
      counts.change(word, index, -1);
      word.tokens = joined;
      counts.change(word, index, 1);
    }
    counts.queueChanged();
  }
  return merges;
}

/** From left to right; overlapping pairs are joined once. */
function join(tokens: readonly number[], { left, right }: Merge, token: number): number[] {
  const out: number[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at] === left && tokens[at + 1] === right) {
      out.push(token);
      at += 1;
    } else out.push(tokens[at] as number);
  }
  return out;
}

class PairCounts {
  readonly queue = new MergeQueue();
  readonly #pairs = new Map<number, TokenPair>();
  readonly #changed = new Set<TokenPair>();

  /** Adds or removes the pairs of a word. */
  change({ tokens, count }: CountedWord, word: number, sign: 1 | -1): void {
    for (let at = 1; at < tokens.length; at += 1) {
      const pair = this.#pair(tokens[at - 1] as number, tokens[at] as number);
      pair.count += sign * count;
      if (sign === 1) pair.words.add(word);
      this.#changed.add(pair);
    }
  }

  queueChanged(): void {
    for (const pair of this.#changed) this.queue.add(pair);
    this.#changed.clear();
  }

  #pair(left: number, right: number): TokenPair {
    const key = pairKey(left, right);
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    const pair: TokenPair = { left, right, count: 0, seen: this.#pairs.size, words: new Set() };
    this.#pairs.set(key, pair);
    return pair;
  }
}
