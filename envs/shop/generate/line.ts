import type { Draw } from './draw.ts';
import { brandName, brandsPerDepartment, seriesName } from './names.ts';
import type { OptionKind } from './option-kind.ts';
import type { PreparedType } from './prepared-type.ts';
import { labelManners, type LabelManner } from './sentence.ts';
import type { Word } from './word.ts';

/** Products are generated in blocks of this size. A line is always within a block. */
export const blockSize = 8;

/** The line of each product within its block. Lines of one product have no siblings. */
const partitions = [
  '00000123',
  '00000111',
  '00011122',
  '00001111',
  '00001122',
  '00112233',
  '00111123',
  '01234567',
].map((lines) => lines.split('').map(Number));
const steps = [1, 3, 5, 7];

/** How colors are written in a line of products: plainly, or with codes as many sellers do. */
export type ColorCoding = 'plain' | 'letter' | 'number' | 'variant' | 'two-tone';

/** The common properties of products that one maker sells side by side. */
export interface Line {
  readonly type: PreparedType;
  /** The number of its products. */
  readonly members: number;
  readonly brand: string;
  readonly series: string;
  readonly head: Word;
  readonly style: Word;
  readonly material: Word;
  readonly use: Word;
  readonly use2: Word;
  /** Indices into the type's attributes: the typical ones of the line. */
  readonly attributes: readonly number[];
  /** The position between the lowest and the highest price of the type, from 0 to 1. */
  readonly priceShare: number;
  readonly titleManner: number;
  readonly labelManner: LabelManner;
  readonly optionKinds: readonly OptionKind[];
  readonly coding: ColorCoding;
  /** The order in which its pages use the pitches of the type. */
  readonly pitchOrder: readonly number[];
}

/** The line of a product within its block, and the line's number of products. */
export function placeInBlock(
  draw: Draw,
  number: number,
): { readonly line: number; readonly members: number } {
  draw.start('block', Math.floor(number / blockSize));
  const partition = draw.pick(partitions);
  const shift = draw.below(blockSize);
  const line = partition[((number % blockSize) * draw.pick(steps) + shift) % blockSize] as number;
  let members = 0;
  for (const other of partition) if (other === line) members += 1;
  return { line, members };
}

/** Draws a line from a stream of its own. */
export function drawLine(draw: Draw, types: readonly PreparedType[], members: number): Line {
  const type = draw.pick(types);
  const head = draw.pick(type.heads);
  const use = draw.below(type.uses.length);
  return {
    type,
    members,
    brand: brandName(draw.skewed(brandsPerDepartment) * 5 + type.departmentNumber),
    series: seriesName(draw),
    head,
    style: notWithin(head.title, type.styles, draw),
    material: draw.pick(type.materials),
    use: type.uses[use] as Word,
    use2: type.uses[(use + 1 + draw.below(type.uses.length - 1)) % type.uses.length] as Word,
    attributes: drawAttributes(draw, type),
    priceShare: squaredShare(draw),
    titleManner: draw.below(1000),
    labelManner: draw.pick(labelManners),
    optionKinds: drawOptionKinds(draw, type),
    coding: drawCoding(draw),
    pitchOrder: shuffled(draw, type.pitches.length),
  };
}

/** The integers from 0 below the count in random order (Fisher-Yates). */
export function shuffled(draw: Draw, count: number): readonly number[] {
  const numbers: number[] = [];
  for (let index = 0; index < count; index += 1) numbers.push(index);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = draw.below(last + 1);
    const held = numbers[last] as number;
    numbers[last] = numbers[other] as number;
    numbers[other] = held;
  }
  return numbers;
}

/** A word that the text does not contain yet, where there is one. */
export function notWithin(text: string, words: readonly Word[], draw: Draw): Word {
  const start = draw.below(words.length);
  for (let offset = 0; offset < words.length; offset += 1) {
    const word = words[(start + offset) % words.length] as Word;
    if (!text.includes(word.title)) return word;
  }
  return words[start] as Word;
}

function drawAttributes(draw: Draw, type: PreparedType): readonly number[] {
  const count = attributeCount(draw);
  const held: number[] = [];
  for (const index of shuffled(draw, type.attributes.length)) {
    if (held.length < count && goesWith(type, index, held)) held.push(index);
  }
  return held;
}

/** Whether a product with these attributes can also have that one. */
export const goesWith = (type: PreparedType, index: number, held: readonly number[]): boolean =>
  held.every((other) => other !== index && !(type.rivals[index] as ReadonlySet<number>).has(other));

function attributeCount(draw: Draw): number {
  const draught = draw.below(100);
  if (draught < 45) return 3;
  if (draught < 75) return 4;
  if (draught < 90) return 5;
  return draught < 97 ? 6 : 7;
}

function squaredShare(draw: Draw): number {
  const even = draw.below(4096) / 4096;
  return even * even;
}

function drawOptionKinds(draw: Draw, type: PreparedType): readonly OptionKind[] {
  if (!draw.chance(type.department.withOptions)) return [];
  const draught = draw.below(100);
  const count = draught < 46 ? 1 : draught < 94 ? 2 : 3;
  const kinds: OptionKind[] = [];
  const start = draw.below(type.options.length);
  for (let offset = 0; offset < type.options.length && kinds.length < count; offset += 1) {
    const kind = type.options[(start + offset) % type.options.length] as OptionKind;
    if (kinds.every(({ name }) => name !== kind.name)) kinds.push(kind);
  }
  return kinds;
}

function drawCoding(draw: Draw): ColorCoding {
  const draught = draw.below(100);
  if (draught < 72) return 'plain';
  if (draught < 79) return 'letter';
  if (draught < 86) return 'number';
  return draught < 91 ? 'variant' : 'two-tone';
}
