import { cut } from './page-texts.ts';

/** Elements of a page that are shown, in the order of the document; with the options of lists. */
const mostElements = 5000;

/** Characters of one text, name or value: more than anybody types into a field. */
const mostOfText = 100_000;

/** Characters of all of them. */
const mostCharacters = 1_000_000;

/** Elements that one may lie in, one in the other; without scripts no document of HTML is deeper than 512. */
export const mostDeep = 700;

export const mostOfTitle = 1000;

/** How much of a page is shown, taken bit by bit in the order of the document, and what is left out beyond, so that it can be told. */
export class ViewBounds {
  #elements = 0;
  #characters = 0;
  #leftOut = 0;
  #isCut = false;
  #isDeep = false;

  /** Whether an element, or an option of a list, is still shown. */
  takes(): boolean {
    this.#elements += 1;
    if (this.#elements <= mostElements) return true;
    this.#leftOut += 1;
    return false;
  }

  /** As much of a text as is shown. */
  text(whole: string): string {
    const kept = cut(whole, Math.min(mostOfText, Math.max(0, mostCharacters - this.#characters)));
    this.#characters += Math.min(whole.length, kept.length);
    this.#isCut ||= kept !== whole;
    return kept;
  }

  /** What lies deeper is left out. */
  deepen(): void {
    this.#isDeep = true;
  }

  /** What is not shown, a sentence each. */
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
