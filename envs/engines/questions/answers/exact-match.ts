import { normalise } from './normalise.ts';

/** How an answer must fit: `exact`, as in Search-R1, or `contains`, which ZeroSearch calls EM. */
export const matchings = ['exact', 'contains'] as const;
export type Matching = (typeof matchings)[number];

/**
 * Whether an answer is right: its normal form equals that of a gold answer, or contains it.
 *
 * The answer is given as a span. Search-R1 looks for the last `<answer>` of a whole transcript, and only if it has two,
 * because its prompt contains one.
 */
export function isMatch(answer: string, gold: readonly string[], matching: Matching): boolean {
  const given = normalise(answer);
  return gold.some((text) => {
    const wanted = normalise(text);
    return matching === 'exact' || wanted === '' ? given === wanted : given.includes(wanted);
  });
}
