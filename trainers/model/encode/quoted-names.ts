/**
 * Names in quotes, as `type [e4] "Bo" textbox "Name"` has them: what stands in the task word by word is asked for, what comes before it there says for
 * what, and what is asked for and has not been done yet is still to do. It names no env; where actions have no quotes, there are no features.
 */
import type { ChoiceRows } from './choice-rows.ts';
import { hashText, mix } from './text.ts';

/** Salts of the feature kinds, apart from those of the encoder that it adds to. */
const salt = { asked: 201, role: 202, pair: 203, toDo: 204, toDoAsked: 205, isDone: 206 } as const;

const few = (count: number): number => Math.min(count, 3);

/** A text in quotes where the task has it. */
interface AskedName {
  /** Hash of the word before it. */
  readonly before: number;
  /** Words from the text in quotes before it up to it. */
  readonly lead: ReadonlySet<string>;
  /** The text in quotes before it. */
  readonly previous: string | undefined;
}

interface Offer {
  /** Its texts in quotes, in order. */
  readonly names: readonly string[];
  readonly isAsked: boolean;
  readonly isDone: boolean;
}

const quote = /"((?:[^"\\]|\\.)*)"/g;
const none: readonly string[] = [];
/** Most envs have no quotes in their actions, and are asked often. */
const namesIn = (text: string): readonly string[] => (text.includes('"') ? [...text.matchAll(quote)].map(([, name = '']) => name.toLowerCase()) : none);
const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** One episode. Call `look`, `addState` and `addCandidate` for each candidate, in turn. */
export class QuotedNames {
  readonly #asked: ReadonlyMap<string, AskedName>;
  #offers: readonly Offer[] = [];
  #toDo = 0;
  #isPresent = false;

  constructor(task: string) {
    const asked = new Map<string, AskedName>();
    let end = 0;
    let previous: string | undefined;
    for (const match of task.matchAll(quote)) {
      const lead = wordsIn(task.slice(end, match.index));
      const name = (match[1] ?? '').toLowerCase();
      if (!asked.has(name)) asked.set(name, { before: hashText(lead.at(-1) ?? ''), lead: new Set(lead), previous });
      end = match.index + match[0].length;
      previous = name;
    }
    this.#asked = asked;
  }

  /** Takes in one decision; `isDone` says whether an action has been done before. */
  look(candidates: readonly string[], isDone: (candidate: number) => boolean): void {
    this.#isPresent = candidates.some((candidate) => candidate.includes('"'));
    if (!this.#isPresent) return;
    this.#offers = candidates.map((candidate, index): Offer => {
      const names = namesIn(candidate);
      return { names, isAsked: names.some((name) => this.#asked.has(name)), isDone: names.length > 0 && isDone(index) };
    });
    this.#toDo = few(this.#offers.filter(({ isAsked, isDone: done }) => isAsked && !done).length);
  }

  addState(rows: ChoiceRows): void {
    if (this.#isPresent) rows.add(mix(salt.toDo, this.#toDo));
  }

  addCandidate(index: number, verb: number, rows: ChoiceRows): void {
    const offer = this.#isPresent ? this.#offers[index] : undefined;
    if (offer === undefined) return;
    const { names, isAsked, isDone } = offer;
    if (names.length === 0) {
      rows.add(mix(salt.toDoAsked, mix(verb, this.#toDo)));
      return;
    }
    for (const [place, name] of names.entries()) {
      const asked = this.#asked.get(name);
      rows.add(mix(salt.asked, mix(verb, place * 2 + (asked === undefined ? 0 : 1))));
      if (asked !== undefined) rows.add(mix(salt.role, mix(verb, mix(place, asked.before))));
    }
    rows.add(mix(salt.pair, mix(verb, this.#pairing(names))));
    rows.add(mix(salt.isDone, mix(verb, (isAsked ? 2 : 0) + (isDone ? 1 : 0))));
    rows.add(mix(salt.toDoAsked, mix(verb, this.#toDo * 4 + (isAsked ? 2 : 0) + 1)));
  }

  /** How the first name stands to the second in the task: right after it, led to by its words, or neither. */
  #pairing([value, field]: readonly string[]): number {
    if (value === undefined || field === undefined) return 0;
    const asked = this.#asked.get(value);
    if (asked === undefined) return 1;
    if (asked.previous === field) return 2;
    const words = wordsIn(field);
    const shared = words.filter((word) => asked.lead.has(word)).length;
    return shared === 0 ? 3 : shared < words.length ? 4 : 5;
  }
}
