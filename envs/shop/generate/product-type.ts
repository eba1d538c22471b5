import type { Attribute } from './attribute.ts';
import type { MeasureKind } from './measure.ts';
import type { OptionKind } from './option-kind.ts';

/** A type of product as its table has it: lists are texts parted by commas. */
export interface TypeTable {
  /** The query that its products are collected under. */
  readonly query: string;
  /** Path of categories, parted by ` › `. */
  readonly path: string;
  /** What sentences call it. */
  readonly thing: string;
  /** Whether sentences speak of one, of many, or of some. */
  readonly number: 'one' | 'many' | 'mass';
  /** What titles call it; each has a noun that the others have too. Behind ` = ` stands what instructions make of it. */
  readonly heads: string;
  /** What instructions call any of them; they also use the title's own word. */
  readonly asked: string;
  /** What instructions may put before it, such as `a pair of`. */
  readonly leads?: string;
  readonly styles: string;
  readonly materials: string;
  /** Parts and properties, to stand after `with`. */
  readonly features: string;
  /** Occasions and places, to stand after `for`. */
  readonly uses: string;
  readonly measure: MeasureKind;
  /** Colors that it comes in, where they are not those of the department. */
  readonly colors?: string;
  /** In dollars, of the cheapest and of the dearest. */
  readonly prices: readonly [number, number];
  readonly options: readonly OptionKind[];
  /** Names of the attributes that its products can have. */
  readonly attributes: string;
  /** What pages say of such products: `Label: Sentence.` with slots. */
  readonly pitches: readonly string[];
}

/** The types of a department with what they share. */
export interface Department {
  /** Broad category, such as `garden`. */
  readonly name: string;
  /** Of a hundred products, how many have options. */
  readonly withOptions: number;
  readonly attributes: readonly Attribute[];
  /** Lists of attributes of which a product has at most one. */
  readonly rivals: readonly string[];
  /** What pages say of anything in the department. */
  readonly pitches: readonly string[];
  /** Colors that a title or a sentence may name, or what takes their place, and what lists of facts call them. */
  readonly colors: string;
  readonly colorLabel: 'Color' | 'Edition';
  readonly types: readonly TypeTable[];
}
