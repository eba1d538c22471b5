import { present } from './look.ts';

/** The quoted texts, in order. */
export const quoted = (instruction: string): readonly string[] =>
  [...instruction.matchAll(/"([^"]*)"/g)].map(([, text]) => text ?? '');

/** The quoted text at an index from 0; the last one is at -1. */
export const quotedAt = (instruction: string, place: number): string =>
  present(quoted(instruction).at(place), 'a text in quotes');

/** The quoted text after some words. */
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

/** The month of a name, from 1; 0 for other words. */
const monthOf = (name: string | undefined): number => months.indexOf(name ?? '') + 1;

/** The date in words, such as `March 5, 2024`. */
export function dayIn(instruction: string): Day {
  const [, month, day, year] = present(
    new RegExp(`(${months.join('|')}) (\\d+), (\\d{4})`).exec(instruction) ?? undefined,
    'a day',
  );
  return { year: Number(year), month: monthOf(month), day: Number(day) };
}

/** In the format of date fields. */
export const isoDay = ({ year, month, day }: Day): string => `${year}-${two(month)}-${two(day)}`;

/** The month of a heading such as `March 2024`, in months since the year 0. */
export function monthsOfHeading(heading: string): number {
  const [month, year] = heading.split(' ');
  return Number(year) * 12 + monthOf(month);
}

/** The time of day, such as `3:22 am`, in the format of time fields. */
export function timeIn(instruction: string): string {
  const [, hour, minute, half] = present(/(\d+):(\d\d) (am|pm)/.exec(instruction) ?? undefined, 'a time');
  return `${two((Number(hour) % 12) + (half === 'pm' ? 12 : 0))}:${minute}`;
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];

/** The index of an ordinal, from 0. */
export function placeIn(instruction: string): number {
  const [, word] = present(
    new RegExp(`\\b(${ordinals.join('|')}) (?:line|result)`).exec(instruction) ?? undefined,
    'an ordinal',
  );
  return ordinals.indexOf(word ?? '');
}
