import type { KeyNumbering } from './key-numbering.ts';
import { isSimilar, prepareText, type PreparedText } from './sequence-matcher.ts';

/**
 * Clusters texts by similarity, as verl-agent's similarity mode does. A text joins the first cluster whose
 * first text is similar enough, or opens a new one. The result depends on the order of the texts, and the
 * cost grows with texts times clusters. A repeated text costs one look-up.
 */
export function numberBySimilarity(threshold: number): KeyNumbering {
  const representatives: PreparedText[] = [];
  const numbers = new Map<string, number>();
  return (text) => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    const prepared = prepareText(text);
    const similar = representatives.findIndex((representative) =>
      isSimilar(prepared, representative, threshold),
    );
    const number = similar < 0 ? representatives.push(prepared) - 1 : similar;
    numbers.set(text, number);
    return number;
  };
}
