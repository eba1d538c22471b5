import { decodeLength } from './length-code.ts';

/** The two free parameters of BM25. */
export interface Bm25Parameters {
  /** How slowly repeated occurrences of a term saturate; at least 0. */
  readonly k1: number;
  /** How much long documents are penalised, from 0 to 1. */
  readonly b: number;
}

/** The defaults of Anserini and Pyserini. */
export const anseriniParameters: Bm25Parameters = { k1: 0.9, b: 0.4 };

const { fround } = Math;

/**
 * The inverse document frequency of a term: ln(1 + (N - n + 0.5) / (n + 0.5)) for n of N documents. Here and
 * below, rounding to single precision follows Lucene 8.11's BM25Similarity. Other rounding would order near
 * ties differently.
 */
export function inverseDocumentFrequency(withTerm: number, documents: number): number {
  return fround(Math.log(1 + (documents - withTerm + 0.5) / (withTerm + 0.5)));
}

/** 1 / (k1 * (1 - b + b * length / average)) for every length code. */
export function inverseNorms({ k1, b }: Bm25Parameters, averageLength: number): Float32Array<ArrayBuffer> {
  const k = fround(k1);
  const share = fround(b);
  const average = fround(averageLength);
  return Float32Array.from({ length: 256 }, (_, code) => {
    const relative = fround(fround(share * fround(decodeLength(code))) / average);
    return 1 / fround(k * fround(fround(1 - share) + relative));
  });
}

/**
 * The contribution of a term to the score of a document. `weight` is the inverse document frequency times the
 * occurrences in the query. `impact` is the frequency times the inverse norm. It is monotonic in `impact`
 * even after rounding, so an upper bound of the impact gives an upper bound of the score.
 */
export function termScore(weight: number, impact: number): number {
  return fround(weight - fround(weight / fround(1 + impact)));
}
