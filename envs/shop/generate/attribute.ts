/** How an instruction asks for an attribute, in three positions. All lower case. */
export interface AttributeWords {
  /** Before the name of the product, such as `slim fit`; undefined where it is unusual there. */
  readonly before: string | undefined;
  /** After it, such as `with long sleeves`; `{is}` stands for `is` or `are`. */
  readonly after: string;
  /** After `it should`, such as `have long sleeves`. */
  readonly should: string;
}

/** A property that products of several types can have, and its wordings in shops and instructions. */
export interface Attribute {
  /** Its name in products and goals, such as `machine wash`. */
  readonly name: string;
  readonly words: AttributeWords;
  /** Its wording in titles, including the name; undefined where titles do not mention it. */
  readonly title: string | undefined;
  /** Features that contain its name: `Label: Sentence.` with slots. */
  readonly shown: readonly string[];
  /** Features that paraphrase it. */
  readonly hinted: readonly string[];
}

/** The texts about an attribute on pages. */
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

/** A quality that is only used after the noun: `that is easy to clean`. */
export const isAfter = (quality: string): AttributeWords => ({ ...is(quality), before: undefined });

/** A part: `with long sleeves`. */
export const has = (part: string): AttributeWords => ({
  before: undefined,
  after: `with ${part}`,
  should: `have ${part}`,
});

/** A part that may also precede the noun: `slim fit jeans`, `with a slim fit`. */
export const hasOr = (before: string, part: string): AttributeWords => ({ ...has(part), before });

/** A material: `stainless steel bottle`, `made of stainless steel`. */
export const of = (material: string): AttributeWords => ({
  before: material,
  after: `made of ${material}`,
  should: `be made of ${material}`,
});

/** The person or thing that it suits: `for sensitive skin`. */
export const suits = (whom: string): AttributeWords => ({
  before: undefined,
  after: `for ${whom}`,
  should: `be good for ${whom}`,
});
