import type { AttributeWords } from './attribute.ts';
import type { Draw } from './draw.ts';
import type { PreparedType } from './prepared-type.ts';
import {
  afterShould,
  afterThing,
  inRow,
  isPlainColor,
  nounPhrase,
  optionDemand,
  optionPhrase,
  optionWords,
  type AskedOption,
} from './wish-phrases.ts';

/** The content of an instruction. */
export interface Wish {
  readonly type: PreparedType;
  /** The common name of the product, from its title. */
  readonly head: string;
  readonly attributes: readonly AttributeWords[];
  readonly options: readonly AskedOption[];
  /** The maximum price in dollars; undefined where none is stated. */
  readonly priceUpper: number | undefined;
}

/** The start of an instruction. */
export const openers = [
  'i am looking for',
  "i'm looking for",
  'i need',
  'i want',
  'i would like to buy',
  "i'd like",
  'find me',
  'please find me',
  'show me',
  'help me find',
  'can you find me',
  'i am shopping for',
  'get me',
  'i want to buy',
  'i am in need of',
  'looking for',
] as const;

/** The end of an instruction: with the maximum price, or without one. */
export const endings = [
  { before: ', and price lower than', open: '' },
  { before: ', priced under', open: ', at any price' },
  { before: ' for less than', open: ', whatever it costs' },
  { before: ', with a price below', open: ', and the price does not matter' },
  { before: ', costing less than', open: ', and money is no object' },
  { before: ', at most', open: ', the cost does not matter' },
] as const;

/** Start and end, as indices into the lists above. Both can be recognized in an instruction. */
export interface Wording {
  readonly opener: number;
  readonly ending: number;
}

/** The order and the form of the parts. */
const frames = ['row', 'color-first', 'it-should', 'listed', 'commas', 'demands', 'comes-in'] as const;

type Frame = (typeof frames)[number];

/** The instruction, all in lower case, with every option value as the product has it. */
export function writeInstruction(wish: Wish, wording: Wording, draw: Draw): string {
  const { type, options } = wish;
  const lead =
    type.leads.length > 0 ? draw.pick([...type.leads, '']) : type.table.number === 'one' ? 'a' : '';
  const thing = draw.chance(45) ? wish.head : draw.pick(type.asked);
  const frame = draw.pick(frames);
  const { before, after } = divide(wish.attributes, frame, draw);
  const many = type.table.number === 'many';
  const noun = (colors: readonly string[] = []): string => nounPhrase(lead, [...colors, ...before], thing);
  const opener = openers[wording.opener] as string;
  const wanted = sentenceOf(frame, { noun, after, options, many, draw });
  return `${opener} ${wanted}${priceWords(wish.priceUpper, wording.ending)}`;
}

/** At most two qualities precede the noun. The others follow it. */
function divide(
  attributes: readonly AttributeWords[],
  frame: Frame,
  draw: Draw,
): { readonly before: readonly string[]; readonly after: readonly AttributeWords[] } {
  const before: string[] = [];
  const after: AttributeWords[] = [];
  const percent = {
    row: 60,
    'color-first': 30,
    'it-should': 0,
    listed: 100,
    commas: 30,
    demands: 100,
    'comes-in': 60,
  }[frame];
  for (const words of attributes) {
    if (words.before !== undefined && before.length < 2 && draw.chance(percent)) before.push(words.before);
    else after.push(words);
  }
  return { before, after };
}

interface Parts {
  /** The noun with what precedes it, colors first. */
  readonly noun: (colors?: readonly string[]) => string;
  readonly after: readonly AttributeWords[];
  readonly options: readonly AskedOption[];
  readonly many: boolean;
  readonly draw: Draw;
}

function sentenceOf(frame: Frame, { noun, after, options, many, draw }: Parts): string {
  const tail = after.length === 0 ? '' : ` ${afterThing(after, many ? 'are' : 'is')}`;
  const it = many ? 'they' : 'it';
  const phrases = (asked: readonly AskedOption[]): string =>
    asked.map((option) => ` ${optionPhrase(option, draw)}`).join(draw.chance(50) ? ' and' : ',');
  switch (frame) {
    case 'row':
      return `${noun()}${tail}${phrases(options)}`;
    case 'color-first': {
      const colors = options.filter(isPlainColor);
      return `${noun(colors.map(({ value }) => value))}${tail}${phrases(options.filter((option) => !colors.includes(option)))}`;
    }
    case 'it-should':
      return `${noun()}${phrases(options)}. ${it} should ${afterShould(after)}`;
    case 'listed':
      return `${noun()}${tail}${options.length === 0 ? '' : ` with ${options.map(({ name, value }) => `${name}: ${value}`).join(', and ')}`}`;
    case 'commas':
      return [`${noun()}${tail}`, ...options.map(optionWords)].join(', ');
    case 'demands':
      return options.length === 0
        ? `${noun()}${tail}`
        : `${noun()}${tail}, and ${inRow(options.map(optionDemand))}`;
    case 'comes-in': {
      if (options.length === 0) return `${noun()}${tail}`;
      const joint = tail.includes(' that ') ? 'and' : 'that';
      return `${noun()}${tail} ${joint} come${many ? '' : 's'} ${inRow(options.map((option) => optionPhrase(option, draw)))}`;
    }
    default:
      return frame satisfies never;
  }
}

function priceWords(priceUpper: number | undefined, ending: number): string {
  const { before, open } = endings[ending] as (typeof endings)[number];
  return priceUpper === undefined ? open : `${before} ${priceUpper.toFixed(2)} dollars`;
}
