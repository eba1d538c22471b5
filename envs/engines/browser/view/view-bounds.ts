import { cut } from './page-texts.ts';

/** The most elements of a page that are shown, in document order, including options of lists. */
const mostElements = 5000;

/** The most characters of one text, name or value. People type less into a field. */
const mostOfText = 100_000;

/** The most characters of all of them. */
const mostCharacters = 1_000_000;

/** The deepest nesting of elements. Without scripts no HTML document is deeper than 512. */
export const mostDeep = 700;

export const mostOfTitle = 1000;

/**
 * Limits how much of a page is shown. It counts the parts in document order and describes what is omitted.
 */
export class ViewBounds {
  #elements = 0;
  #characters = 0;
  #leftOut = 0;
  #isCut = false;
  #isDeep = false;

  /** Whether one more element, or one more option of a list, is shown. */
  takes(): boolean {
    this.#elements += 1;
    if (this.#elements <= mostElements) return true;
    this.#leftOut += 1;
    return false;
  }

  /** The part of a text that is shown. */
  text(whole: string): string {
    const kept = cut(whole, Math.min(mostOfText, Math.max(0, mostCharacters - this.#characters)));
    this.#characters += Math.min(whole.length, kept.length);
    this.#isCut ||= kept !== whole;
    return kept;
  }

  /** Notes that deeper elements are omitted. */
  deepen(): void {
    this.#isDeep = true;
  }

  /** What is not shown, one sentence each. */
  get told(): readonly string[] {
    return [
      ...(this.#leftOut === 0
        ? []
        : [
            `The page is too large: ${this.#leftOut} or more of its elements, those that come last, are not shown.`,
          ]),
      ...(this.#isCut
        ? ['Texts of the page are too long: of those that end with … the rest is not shown.']
        : []),
      ...(this.#isDeep
        ? [
            `The page is too deep: what lies in more than ${mostDeep} elements, one in the other, is not shown.`,
          ]
        : []),
    ];
  }
}
