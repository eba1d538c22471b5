/** Values in an instruction that could be typed, by the kind of field. */
export interface InstructionValues {
  readonly texts: readonly string[];
  /** In the format of date fields: `2024-03-05`. */
  readonly dates: readonly string[];
  /** In the format of time fields: `15:22`. */
  readonly times: readonly string[];
  readonly numbers: readonly string[];
}

/** The most values to choose from. */
const mostValues = 250;

const inQuotes = /"([^"]+)"|“([^”]+)”|(?<!\p{L})'([^']+)'(?!\p{L})/gu;
const aNumber = /(?<![\p{L}\p{N}.])-?\d+(?:\.\d+)?(?![\p{L}\p{N}])/gu;
const numberAlone = /^\s*-?\d+(?:\.\d+)?\s*$/;

/**
 * Texts in quotes, else single words; dates and times in any notation; numbers, preferably those that are
 * alone in quotes. Each once, in the order of the instruction.
 */
export function valuesIn(instruction: string): InstructionValues {
  const quoted = [...instruction.matchAll(inQuotes)].map(
    ([, straight, curly, single]) => straight ?? curly ?? single ?? '',
  );
  const numbers = [
    ...instruction
      .replaceAll(inQuotes, (text) => (numberAlone.test(text.slice(1, -1)) ? text : ' '))
      .matchAll(aNumber),
  ].map(([number]) => number);
  return {
    texts: distinct(quoted.length > 0 ? quoted : wordsOf(instruction)),
    dates: distinct(daysIn(instruction)),
    times: distinct(timesIn(instruction)),
    numbers: distinct(numbers),
  };
}

const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)].slice(0, mostValues);

const wordsOf = (text: string): readonly string[] =>
  text.match(/[\p{L}\p{N}]+(?:[-'.@][\p{L}\p{N}]+)*/gu) ?? [];

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const two = (part: number | string): string => String(part).padStart(2, '0');

/** `March 5, 2024`, `5 March 2024`, `03/05/2024` with the month first, `2024-03-05`. */
function daysIn(text: string): readonly string[] {
  const names = months.join('|');
  const inWords = [
    ...text.matchAll(new RegExp(`\\b(${names})\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})\\b`, 'gi')),
  ].map(([, month = '', day = '', year = '']) => isoDay(year, monthOf(month), day));
  const dayFirst = [
    ...text.matchAll(new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(${names})\\s+(\\d{4})\\b`, 'gi')),
  ].map(([, day = '', month = '', year = '']) => isoDay(year, monthOf(month), day));
  const slashed = [...text.matchAll(/\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/g)].map(
    ([, month = '', day = '', year = '']) => isoDay(year, Number(month), day),
  );
  const iso = text.match(/\b\d{4}-\d{2}-\d{2}\b/g) ?? [];
  return [...inWords, ...dayFirst, ...slashed, ...iso];
}

const monthOf = (name: string): number => months.indexOf(name.toLowerCase()) + 1;
const isoDay = (year: string, month: number, day: string): string => `${year}-${two(month)}-${two(day)}`;

/** `3:22 pm`, `15:22`. */
const timesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\b(\d{1,2}):(\d{2})(?:\s*([ap])\.?m\b)?/gi)].map(([, hour = '', minute = '', half]) => {
    const hours =
      half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
    return `${two(hours)}:${minute}`;
  });
