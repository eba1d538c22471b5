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
/** No part of a word, a date, a time or a fraction: `B52`, `1911-05-04`, `10:30`, `1/2`. */
const numberPattern = /(?<![\p{L}\p{N}.,:/-])\d+(?:,\d{3})*(?:\.\d+)?(?![\p{L}\p{N}]|[.,:/-]\d)/gu;
/** Capitalised words in a row, with short words between them: `Tower of the Winds`. */
const namePattern =
  /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’.-]*[\p{L}\p{N}](?: (?:(?:of|the|de|la|du|von|van|der|and) ){0,2}\p{Lu}[\p{L}\p{N}'’.-]*[\p{L}\p{N}])*/gu;

/** Titles and other short forms, which are written with a full stop and are no names. */
const abbreviations =
  'Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|No|Nos|Vol|Fig|Gen|Col|Maj|Capt|Lt|Sgt|Adm|Cmdr|Rev|Hon|Gov|Sen|Rep|Pres|Inc|Ltd|Co|Corp|Bros|Mt|Ft|Op|Art|Ch|Ed|Dept';
const abbreviated = new RegExp(`^(?:${abbreviations})$`);
const initials = /(?:^|[ .])\p{Lu}\.\p{Lu}/u; // the pattern of names loses the last full stop of `U.S.`
/** Words of a sentence that may be capitalised, such as in a quote, and name nothing. */
const plainWord =
  /^(?:the|an?|he|she|it|its|we|they|you|his|her|their|our|my|this|that|these|those|there|here|in|on|at|by|for|from|to|of|with|and|but|or|if|as|when|where|what|who|why|how|yes|no|not|so|then|now|all|some|many|after|before|while|since|i['’]?(?:m|ve|d|ll))$/i;

/** Whether a capitalised text names something, as far as its form shows. */
function isName(text: string, isFirst: boolean): boolean {
  const words = text.split(' ');
  const [first = ''] = words;
  const isPlain = plainWord.test(first) && (isFirst || words.length === 1);
  return !isPlain && !initials.test(text) && !words.some((word) => abbreviated.test(word));
}

/**
 * Names, dates and numbers of a sentence, in order and apart. The first word of a sentence is capitalised anyway, so a
 * name of one word does not count there. Short forms such as `Dr` and `U.S.` do not count. Texts that occur twice do not count: the sentence would give them away.
 */
export function salientSpans(sentence: string): readonly Span[] {
  const spans: Span[] = [];
  const add = (kind: Span['kind'], pattern: RegExp): void => {
    for (const { 0: text, index } of sentence.matchAll(pattern)) {
      const [start, end] = [index, index + text.length];
      const isFirst = /^\W*$/.test(sentence.slice(0, start));
      if (kind === 'name' && ((isFirst && !text.includes(' ')) || !isName(text, isFirst))) continue;
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

const sentenceEnd = new RegExp(
  `(?<=[.!?]["”)]?)(?<!(?<![\\p{L}\\p{N}])(?:\\p{Lu}|${abbreviations})\\.)\\s+(?=["“(]?\\p{Lu})|\\n+`,
  'u',
);

/**
 * The sentences of a text: they end in `.`, `!` or `?`, and the next one begins with a capital letter or a quote. Initials and short
 * forms such as `Dr.` end none.
 */
export const sentencesOf = (text: string): readonly string[] =>
  text
    .split(sentenceEnd)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '');
