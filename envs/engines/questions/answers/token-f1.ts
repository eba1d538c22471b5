import { normalWords } from './normalise.ts';

/**
 * F1 over the words of the normal forms, the best over the gold answers, from 0 to 1 (Rajpurkar et al. 2016, section
 * 6.1). Two empty answers are equal.
 */
export function tokenF1(answer: string, gold: readonly string[]): number {
  const given = normalWords(answer);
  return Math.max(0, ...gold.map((text) => f1Of(given, normalWords(text))));
}

function f1Of(given: readonly string[], wanted: readonly string[]): number {
  if (given.length === 0 || wanted.length === 0) return given.length === wanted.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of given) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    shared += 1;
    left.set(word, count - 1);
  }
  return (2 * shared) / (given.length + wanted.length);
}
