import type { Draw } from './draw.ts';
import { wordOf, type Word } from './word.ts';

/** How products of a type are measured in a title. */
export type MeasureKind =
  | 'none'
  | 'fluid'
  | 'weight'
  | 'pack'
  | 'pieces'
  | 'count'
  | 'cord'
  | 'flat'
  | 'square'
  | 'bag'
  | 'room'
  | 'screen'
  | 'display'
  | 'wall';

const fluids = [
  '1 fl oz (30 ml)',
  '1.7 fl oz (50 ml)',
  '3.4 fl oz',
  '5 fl oz',
  '6.7 fl oz (200 ml)',
  '8 fl oz',
  '8.5 fl oz (250 ml)',
  '10.1 fl oz',
  '12 fl oz',
  '16 fl oz',
  '16.9 fl oz (500 ml)',
  '33.8 fl oz (1 liter)',
].map(wordOf);
const weights = [
  '3 oz',
  '4.5 oz',
  '6 oz',
  '8 oz',
  '10 oz',
  '12 oz',
  '12 ounce (pack of 3)',
  '16 oz',
  '1 lb',
  '1.5 lb',
  '2 lb',
  '2.2 lb',
  '24 oz (pack of 2)',
  '5 lb',
].map(wordOf);
const packs = [
  '1 count',
  '2 pack',
  '3 pack',
  'pack of 2',
  'pack of 3',
  'pack of 4',
  '5 pack',
  '6 pack',
  'pack of 6',
  '10 pack',
].map(wordOf);
const flats = [
  '36 x 60 inch',
  '40 x 50 inch',
  '42 x 63 inch',
  '48 x 72 inch',
  '50 x 60 inch',
  '50 x 70 inch',
  '52 x 84 inch',
  '60 x 80 inch',
  '60 x 96 inch',
].map(wordOf);
const squares = [
  '12 x 12 inch',
  '12 x 16 inch',
  '12 x 20 inch',
  '16 x 16 inch',
  '16 x 24 inch',
  '18 x 18 inch',
  '20 x 20 inch',
  '22 x 22 inch',
  '24 x 24 inch',
  '26 x 26 inch',
].map(wordOf);
const bags = [
  '7 x 4 x 2 inch',
  '7.5 x 5 inch',
  '8 x 6 x 2.5 inch',
  '8.6 x 6.3 inch',
  '9 x 3 x 6 inch',
  '9.8 x 7 inch',
  '10 x 4 x 8 inch',
  '11 x 9 inch',
].map(wordOf);
const screens = [
  '7 inch',
  '8 inch',
  '10.1 inch',
  '11 inch',
  '12.3 inch',
  '13.3 inch',
  '14 inch',
  '15.6 inch',
  '17.3 inch',
].map(wordOf);
const displays = ['1.8 inch', '2.4 inch', '2.7 inch', '2.8 inch', '3 inch', '3.2 inch', '3.5 inch'].map(
  wordOf,
);
const walls = [
  '32 inch',
  '43 inch',
  '55 inch',
  '65 inch',
  '75 inch',
  '84 inch',
  '92 inch',
  '100 inch',
  '110 inch',
  '120 inch',
].map(wordOf);
const counts = [
  '6 count',
  '8 count',
  '10 count',
  '12 count',
  '15 count',
  '18 count',
  '20 count',
  '24 count',
  '30 count',
  '40 count',
  '48 count',
  '100 count',
].map(wordOf);

const nothing: Word = { plain: '', title: '' };

/** A measure of that kind; empty for `none`. */
export function drawMeasure(kind: MeasureKind, draw: Draw): Word {
  switch (kind) {
    case 'none':
      return nothing;
    case 'fluid':
      return draw.pick(fluids);
    case 'weight':
      return draw.pick(weights);
    case 'pack':
      return draw.pick(packs);
    case 'pieces': {
      const pieces = 2 + draw.skewed(23);
      return draw.chance(50)
        ? { plain: `set of ${pieces}`, title: `Set of ${pieces}` }
        : { plain: `${pieces} pieces`, title: `${pieces} Pieces` };
    }
    case 'count':
      return draw.pick(counts);
    case 'cord': {
      const feet = draw.chance(60)
        ? String(3 + draw.skewed(50))
        : `${3 + draw.below(20)}.${1 + draw.below(9)}`;
      return { plain: `${feet} ft`, title: `${feet} Ft` };
    }
    case 'flat':
      return draw.pick(flats);
    case 'square':
      return draw.pick(squares);
    case 'bag':
      return draw.pick(bags);
    case 'room': {
      const sides = `${12 + draw.below(60)}${draw.chance(50) ? '' : `.${1 + draw.below(9)}`} x ${10 + draw.below(30)} x ${15 + draw.below(50)}`;
      return { plain: `${sides} inches`, title: `${sides} Inches` };
    }
    case 'screen':
      return draw.pick(screens);
    case 'display':
      return draw.pick(displays);
    case 'wall':
      return draw.pick(walls);
    default:
      return kind satisfies never;
  }
}
