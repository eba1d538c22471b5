import { termsOf } from '../../../../envs/engines/text-search/analyzer.ts';
import {
  anseriniParameters,
  inverseDocumentFrequency,
  inverseNorms,
  termScore,
  type Bm25Parameters,
} from '../../../../envs/engines/text-search/bm25.ts';
import { englishAnalyzer } from '../../../../envs/engines/text-search/english-analyzer.ts';
import { encodeLength } from '../../../../envs/engines/text-search/length-code.ts';

type Search = (query: string, limit: number) => readonly (readonly [number, number])[];

/** What a search must give, by looking at every document: slow and plain. `order` decides between documents of equal score. */
export function searchAll(
  documents: readonly string[],
  parameters: Bm25Parameters = anseriniParameters,
  order: Uint32Array = Uint32Array.from(documents.keys()),
): Search {
  const places = Uint32Array.from(order.keys()).sort((a, b) => (order[a] as number) - (order[b] as number));
  const bags = documents.map(countTerms);
  const lengths = bags.map((bag) => [...bag.values()].reduce((sum, count) => sum + count, 0));
  const filled = lengths.filter((length) => length > 0).length;
  const norms = inverseNorms(parameters, lengths.reduce((sum, length) => sum + length, 0) / filled);

  const documentsWith = new Map<string, number>();
  for (const bag of bags)
    for (const term of bag.keys()) documentsWith.set(term, (documentsWith.get(term) ?? 0) + 1);

  return (query, limit) => {
    const terms = [...countTerms(query)].map(([term, count]) => ({
      term,
      weight: Math.fround(count * inverseDocumentFrequency(documentsWith.get(term) ?? 0, filled)),
    }));
    return bags
      .flatMap((bag, document) => {
        const scores = terms.flatMap(({ term, weight }) => {
          const frequency = bag.get(term);
          const norm = norms[encodeLength(lengths[document] ?? 0)] as number;
          return frequency === undefined ? [] : [termScore(weight, Math.fround(frequency * norm))];
        });
        return scores.length === 0
          ? []
          : [[document, Math.fround(scores.reduce((sum, score) => sum + score, 0))] as const];
      })
      .toSorted(
        ([a, scoreOfA], [b, scoreOfB]) =>
          scoreOfB - scoreOfA || (places[a] as number) - (places[b] as number),
      )
      .slice(0, limit);
  };
}

function countTerms(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const term of termsOf(englishAnalyzer, text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
