import { present } from './look.ts';

/** What stands in quotes, in order. */
export const quoted = (instruction: string): readonly string[] =>
  [...instruction.matchAll(/"([^"]*)"/g)].map(([, text]) => text ?? '');

/** The text in quotes at a place from 0; the last one is at -1. */
export const quotedAt = (instruction: string, place: number): string =>
  present(quoted(instruction).at(place), 'a text in quotes');

/** The text in quotes that follows some words. */
export function quotedAfter(instruction: string, words: RegExp): string {
  const match = new RegExp(`(?:${words.source}) "([^"]*)"`).exec(instruction);
  return present(match?.[1], `a text in quotes after ${words.source}`);
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const two = (part: number): string => String(part).padStart(2, '0');

export interface Day {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

/** The month of a name, from 1; 0 where it is none. */
const monthOf = (name: string | undefined): number => months.indexOf(name ?? '') + 1;

/** The day that is told in words, such as `March 5, 2024`. */
export function dayIn(instruction: string): Day {
  const [, month, day, year] = present(
    new RegExp(`(${months.join('|')}) (\\d+), (\\d{4})`).exec(instruction) ?? undefined,
    'a day',
  );
  return { year: Number(year), month: monthOf(month), day: Number(day) };
}

/** As date fields hold it. */
export const isoDay = ({ year, month, day }: Day): string => `${year}-${two(month)}-${two(day)}`;

/** Months since the year 0 of a heading such as `March 2024`. */
export function monthsOfHeading(heading: string): number {
  const [month, year] = heading.split(' ');
  return Number(year) * 12 + monthOf(month);
}

/** The time of day, such as `3:22 am`, as time fields hold it. */
export function timeIn(instruction: string): string {
  const [, hour, minute, half] = present(/(\d+):(\d\d) (am|pm)/.exec(instruction) ?? undefined, 'a time');
  return `${two((Number(hour) % 12) + (half === 'pm' ? 12 : 0))}:${minute}`;
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];

/** The place that an ordinal tells, from 0. */
export function placeIn(instruction: string): number {
  const [, word] = present(
    new RegExp(`\\b(${ordinals.join('|')}) (?:line|result)`).exec(instruction) ?? undefined,
    'an ordinal',
  );
  return ordinals.indexOf(word ?? '');
}
