/** How an instruction asks for an attribute, in its three places. All lower case. */
export interface AttributeWords {
  /** Before the name of the thing, such as `slim fit`; undefined where nobody would say it there. */
  readonly before: string | undefined;
  /** After it, such as `with long sleeves`; `{is}` stands for `is` or `are`. */
  readonly after: string;
  /** After `it should`, such as `have long sleeves`. */
  readonly should: string;
}

/** Something that products of several types can have, and how shops and shoppers speak of it. */
export interface Attribute {
  /** As products and goals hold it, such as `machine wash`. */
  readonly name: string;
  readonly words: AttributeWords;
  /** As a title says it, name included; undefined where titles do not. */
  readonly title: string | undefined;
  /** Features that say it, name included: `Label: Sentence.` with slots. */
  readonly shown: readonly string[];
  /** Features that say it in other words. */
  readonly hinted: readonly string[];
}

/** What pages say of an attribute. */
export interface AttributeTexts {
  readonly title?: string;
  readonly shown: readonly string[];
  readonly hinted?: readonly string[];
}

export function attribute(
  name: string,
  words: AttributeWords,
  { title, shown, hinted = [] }: AttributeTexts,
): Attribute {
  return { name, words, title, shown, hinted };
}

/** A quality: `machine washable shirt`, `that is machine washable`, `be machine washable`. */
export const is = (quality: string): AttributeWords => ({
  before: quality,
  after: `that {is} ${quality}`,
  should: `be ${quality}`,
});

/** A quality that stands behind only: `that is easy to clean`. */
export const isAfter = (quality: string): AttributeWords => ({ ...is(quality), before: undefined });

/** A part: `with long sleeves`. */
export const has = (part: string): AttributeWords => ({
  before: undefined,
  after: `with ${part}`,
  should: `have ${part}`,
});

/** A part that may also stand before the thing: `slim fit jeans`, `with a slim fit`. */
export const hasOr = (before: string, part: string): AttributeWords => ({ ...has(part), before });

/** A material: `stainless steel bottle`, `made of stainless steel`. */
export const of = (material: string): AttributeWords => ({
  before: material,
  after: `made of ${material}`,
  should: `be made of ${material}`,
});

/** Whom or what it is good for: `for sensitive skin`. */
export const suits = (whom: string): AttributeWords => ({
  before: undefined,
  after: `for ${whom}`,
  should: `be good for ${whom}`,
});
