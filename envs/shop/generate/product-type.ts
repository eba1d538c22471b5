import type { Attribute } from './attribute.ts';
import type { MeasureKind } from './measure.ts';
import type { OptionKind } from './option-kind.ts';

/** A type of product as its table has it. Lists are comma-separated texts. */
export interface TypeTable {
  /** The query under which its products are collected. */
  readonly query: string;
  /** The path of categories, separated by ` › `. */
  readonly path: string;
  /** Its name in sentences. */
  readonly thing: string;
  /** Whether sentences use a singular, a plural or a mass noun. */
  readonly number: 'one' | 'many' | 'mass';
  /**
   * Its names in titles. Each has a noun that the others have too. After ` = ` follows the form in
   * instructions.
   */
  readonly heads: string;
  /** Names in instructions for any of them. Instructions also use the title's own word. */
  readonly asked: string;
  /** Words that instructions may put before it, such as `a pair of`. */
  readonly leads?: string;
  readonly styles: string;
  readonly materials: string;
  /** Parts and properties, used after `with`. */
  readonly features: string;
  /** Occasions and places, used after `for`. */
  readonly uses: string;
  readonly measure: MeasureKind;
  /** Its colors, where they are not those of the department. */
  readonly colors?: string;
  /** The lowest and the highest price, in dollars. */
  readonly prices: readonly [number, number];
  readonly options: readonly OptionKind[];
  /** Names of the attributes that its products can have. */
  readonly attributes: string;
  /** Texts about such products: `Label: Sentence.` with slots. */
  readonly pitches: readonly string[];
}

/** The types of a department with their common data. */
export interface Department {
  /** Broad category, such as `garden`. */
  readonly name: string;
  /** The percentage of products with options. */
  readonly withOptions: number;
  readonly attributes: readonly Attribute[];
  /** Lists of mutually exclusive attributes. */
  readonly rivals: readonly string[];
  /** Texts about anything in the department. */
  readonly pitches: readonly string[];
  /**
   * Colors, or a substitute for them, that a title or a sentence may name, and their name in lists of facts.
   */
  readonly colors: string;
  readonly colorLabel: 'Color' | 'Edition';
  readonly types: readonly TypeTable[];
}
