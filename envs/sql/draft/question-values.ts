/** Values in a question that a query may compare with. */
export interface QuestionValues {
  /** Quoted texts, verbatim. */
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  /** Counts in words, such as `three`: the wanted number of rows. */
  readonly counts: readonly number[];
}

const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Extracts values from the words of a question alone. */
export function valuesIn(question: string): QuestionValues {
  const quoted = /"([^"]+)"|'([^']+)'(?!\w)/g;
  const texts = [...question.matchAll(quoted)].map(([, one, other]) => one ?? other ?? '');
  const rest = question.replaceAll(quoted, ' ');
  const numbers = [...rest.matchAll(/(?<![\p{L}\p{N}.])-?\d+(?:\.\d+)?/gu)].map(([number]) => Number(number));
  const counts = [...rest.toLowerCase().matchAll(/\p{L}+/gu)]
    .map(([word]) => words.indexOf(word) + 1)
    .filter((count) => count > 0);
  return {
    texts: unique(texts).slice(0, 8),
    numbers: unique(numbers.filter(Number.isFinite)).slice(0, 8),
    counts: unique(counts),
  };
}

const unique = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)];
