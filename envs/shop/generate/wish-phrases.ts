import type { AttributeWords } from './attribute.ts';
import type { Draw } from './draw.ts';
import { articleFor } from './word.ts';

/** An option as an instruction asks for it. */
export interface AskedOption {
  readonly name: string;
  readonly value: string;
}

const followers = ['made of ', 'with ', 'for ', 'that {is} '];
const verbs = ['be made of ', 'be good for ', 'have ', 'be '];

/** The text after the noun: `made of steel with a lid and a strap that is easy to clean`. */
export function afterThing(words: readonly AttributeWords[], is: 'is' | 'are'): string {
  return grouped(
    words.map(({ after }) => after),
    followers,
  ).replaceAll('{is}', is);
}

/** The text after `it should`: `be easy to clean and have long sleeves`. */
export const afterShould = (words: readonly AttributeWords[]): string =>
  grouped(
    words.map(({ should }) => should),
    verbs,
    ' and ',
  );

/** Combines phrases with the same start, so that the start occurs once. */
function grouped(phrases: readonly string[], beginnings: readonly string[], joint = ' '): string {
  const rest = new Set(phrases);
  const parts: string[] = [];
  for (const beginning of beginnings) {
    const ends = [...rest].filter((phrase) => phrase.startsWith(beginning));
    for (const phrase of ends) rest.delete(phrase);
    if (ends.length > 0) parts.push(beginning + inRow(ends.map((phrase) => phrase.slice(beginning.length))));
  }
  return [...parts, ...rest].join(joint);
}

/** `a`, `a and b`, `a, b and c`. */
export function inRow(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? '';
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** The noun with what precedes it: `a pair of slim fit men's jeans`. */
export function nounPhrase(lead: string, before: readonly string[], thing: string): string {
  const phrase = [...before, thing].join(' ');
  if (lead === 'a') return `${articleFor(phrase)} ${phrase}`;
  return lead === '' ? phrase : `${lead} ${phrase}`;
}

/** Whether it is a color that may precede the noun: `navy blue`, not `03 navy` or `black | white`. */
export const isPlainColor = ({ name, value }: AskedOption): boolean =>
  name === 'color' && /^[a-z]+(?: [a-z]+)*$/.test(value);

/** An option in running text: `in the color navy`, `in size 8 wide`, `in the flavor mint`. */
export function optionPhrase(option: AskedOption, draw: Draw): string {
  const { name, value } = option;
  switch (name) {
    case 'color':
      if (isPlainColor(option) && draw.chance(40)) return `in ${value}`;
      return draw.chance(60) ? `in the color ${value}` : `in color ${value}`;
    case 'size':
      return draw.chance(60) ? `in size ${value}` : `in a size ${value}`;
    case 'flavor name':
    case 'flavor':
      return draw.chance(50) ? `in the flavor ${value}` : `in ${value} flavor`;
    case 'scent':
      return draw.chance(50) ? `in the scent ${value}` : `with the ${value} scent`;
    default:
      return `in the ${name} ${value}`;
  }
}

/** An option between commas: `size 8 wide`, `color navy`. */
export const optionWords = ({ name, value }: AskedOption): string => `${shortName(name)} ${value}`;

/** An option as a demand: `the size should be 8 wide`. */
export const optionDemand = ({ name, value }: AskedOption): string =>
  `the ${shortName(name)} should be ${value}`;

const shortName = (name: string): string => (name === 'flavor name' ? 'flavor' : name);
