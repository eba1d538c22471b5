import { capitalized } from './word.ts';

/** The slots of sentences. */
export const slotNames = [
  'this',
  'aThing',
  'it',
  'them',
  'its',
  'is',
  's',
  'ies',
  'brand',
  'model',
  'style',
  'aStyle',
  'material',
  'use',
  'use2',
  'feature',
  'color',
  'measure',
  'few',
  'many',
  'hours',
] as const;

export type Slot = (typeof slotNames)[number];

/** The text of each slot, in the order of {@link slotNames}. */
export type SlotTexts = readonly string[];

export const slotTexts = (texts: Readonly<Record<Slot, string>>): SlotTexts =>
  slotNames.map((name) => texts[name]);

/** A parsed sentence, so that filling it is a few string additions. */
export interface Sentence {
  /** In capitals and verbatim; the words before the first colon. */
  readonly label: string;
  readonly loudLabel: string;
  /** The texts before the slots, and finally the text after them; one more than slots. */
  readonly parts: readonly string[];
  readonly slots: readonly number[];
  /** Whether the text of the slot starts a sentence. */
  readonly opens: readonly boolean[];
}

/**
 * Parses `Label: Text with {slots}.`
 *
 * @throws RangeError on an unknown slot or a missing label
 */
export function parseSentence(text: string): Sentence {
  const colon = text.indexOf(': ');
  if (colon < 1) throw new RangeError(`no label in "${text}"`);
  const pieces = text.slice(colon + 2).split(/\{(\w+)\}/);
  const parts = pieces.filter((_, index) => index % 2 === 0);
  const slots = pieces
    .filter((_, index) => index % 2 === 1)
    .map((name) => {
      const slot = slotNames.findIndex((known) => known === name);
      if (slot < 0) throw new RangeError(`no slot {${name}} is known, in "${text}"`);
      return slot;
    });
  const label = text.slice(0, colon);
  return {
    label,
    loudLabel: label.toUpperCase(),
    parts,
    slots,
    opens: slots.map((_, index) => /(?:^|[.:!?] )$/.test(parts[index] ?? '')),
  };
}

/** The sentence without its label. */
export function fill(sentence: Sentence, texts: SlotTexts): string {
  const { parts, slots, opens } = sentence;
  let out = parts[0] as string;
  for (let index = 0; index < slots.length; index += 1) {
    const text = texts[slots[index] as number] as string;
    out += opens[index] === true ? capitalized(text) : text;
    out += parts[index + 1] as string;
  }
  return out;
}

/** How a shop writes the labels of features. */
export type LabelManner = 'none' | 'loud' | 'brackets' | 'dash' | 'star';
export const labelManners: readonly LabelManner[] = [
  'none',
  'none',
  'loud',
  'loud',
  'brackets',
  'dash',
  'star',
];

export function withLabel(manner: LabelManner, sentence: Sentence, text: string): string {
  switch (manner) {
    case 'none':
      return text;
    case 'loud':
      return `${sentence.loudLabel}: ${text}`;
    case 'brackets':
      return `【${sentence.loudLabel}】${text}`;
    case 'dash':
      return `${sentence.label} - ${text}`;
    case 'star':
      return `★ ${sentence.label}: ${text}`;
    default:
      return manner satisfies never;
  }
}
