/** A part of a sentence that a task can ask for. */
export interface Span {
  readonly kind: 'date' | 'number' | 'name';
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const month = '(?:January|February|March|April|May|June|July|August|September|October|November|December)';
const datePattern = new RegExp(
  `\\b(?:\\d{1,2} ${month} \\d{4}|${month} \\d{1,2}, \\d{4}|${month} \\d{4}|1\\d{3}|20\\d{2})\\b`,
  'g',
);
const numberPattern = /(?<![\p{L}\p{N}.,-])\d+(?:,\d{3})*(?:\.\d+)?(?![\p{L}\p{N}]|[.,-]\d)/gu;
/** Capitalised words in a row, with short words between them: `Tower of the Winds`. */
const namePattern =
  /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’.-]*[\p{L}\p{N}](?: (?:(?:of|the|de|la|du|von|van|der|and) ){0,2}\p{Lu}[\p{L}\p{N}'’.-]*[\p{L}\p{N}])*/gu;

/**
 * Names, dates and numbers of a sentence, in order and apart. The first word of a sentence is capitalised anyway, so a
 * name of one word does not count there. Texts that occur twice do not count: the sentence would give them away.
 */
export function salientSpans(sentence: string): readonly Span[] {
  const spans: Span[] = [];
  const add = (kind: Span['kind'], pattern: RegExp): void => {
    for (const { 0: text, index } of sentence.matchAll(pattern)) {
      const [start, end] = [index, index + text.length];
      if (kind === 'name' && !/[ ]/.test(text) && /^\W*$/.test(sentence.slice(0, start))) continue;
      if (spans.some((other) => start < other.end && other.start < end)) continue;
      if (sentence.toLowerCase().split(text.toLowerCase()).length > 2) continue;
      spans.push({ kind, start, end, text });
    }
  };
  add('date', datePattern);
  add('number', numberPattern);
  add('name', namePattern);
  return spans.toSorted((a, b) => a.start - b.start);
}

/** The sentences of a text: they end in `.`, `!` or `?`, and the next one begins with a capital letter or a quote. */
export const sentencesOf = (text: string): readonly string[] =>
  text
    .split(/(?<=[.!?]["”)]?)\s+(?=["“(]?\p{Lu})|\n+/u)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '');
