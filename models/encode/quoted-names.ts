/**
 * Features of names in quotes, as in `type [e4] "Bo" textbox "Name"`. A name that the task contains word by
 * word is asked for. The words before it in the task say for what. Asked names that have not been used yet
 * are still to do. The features do not depend on the env. Actions without quotes have no features.
 */
import type { ChoiceRows } from './choice-rows.ts';
import { hashText, mix } from './text.ts';

/** Salts of the feature kinds, apart from those of the encoder that it adds to. */
const salt = { asked: 201, role: 202, fit: 203, toDo: 204, toDoFit: 205, isDone: 206, bestFit: 207 } as const;

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

/** An action by its texts in quotes. */
interface Offer {
  readonly names: readonly string[];
  /** How well they fit the task: 0 where it has none of them. */
  readonly fit: number;
  readonly key: string;
  /** Without the names that say nothing by their words. */
  readonly words: string;
}

/** How a value stands to a field in the task, from least to most. */
const pairing = { none: 0, notAsked: 1, asked: 2, ledToByPart: 3, ledToByAll: 4, rightAfter: 5 } as const;
const pairings = 6;

const quote = /"((?:[^"\\]|\\.)*)"/g;
const none: readonly string[] = [];
/** Most envs have no quotes in their actions, and are asked often. */
const namesIn = (text: string): readonly string[] =>
  text.includes('"') ? [...text.matchAll(quote)].map(([, name = '']) => name.toLowerCase()) : none;
const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The text without what it has in quotes. */
export const withoutNames = (text: string): string => text.replaceAll(quote, '');

/** One episode. Call `look`, `addState`, `addCandidate` for each candidate, and `took`, in turn. */
export class QuotedNames {
  readonly #asked: ReadonlyMap<string, AskedName>;
  readonly #done = new Set<string>();
  #offers: readonly Offer[] = [];
  #bestFit = 0;
  #toDo = 0;
  #isPresent = false;

  constructor(task: string) {
    const asked = new Map<string, AskedName>();
    let end = 0;
    let previous: string | undefined;
    for (const match of task.matchAll(quote)) {
      const lead = wordsIn(task.slice(end, match.index));
      const name = (match[1] ?? '').toLowerCase();
      if (!asked.has(name))
        asked.set(name, { before: hashText(lead.at(-1) ?? ''), lead: new Set(lead), previous });
      end = match.index + match[0].length;
      previous = name;
    }
    this.#asked = asked;
  }

  /** Takes in one decision. */
  look(candidates: readonly string[]): void {
    this.#isPresent = candidates.some((candidate) => candidate.includes('"'));
    if (!this.#isPresent) return;
    this.#offers = candidates.map((candidate): Offer => {
      const names = namesIn(candidate);
      return {
        names,
        fit: this.#fitOf(names),
        key: `${candidate.split(' ', 1)[0]} ${names.join('"')}`,
        words: this.#wordsOf(candidate),
      };
    });
    this.#bestFit = Math.max(0, ...this.#offers.map(({ fit }) => fit));
    this.#toDo = few(
      this.#offers.filter((offer) => this.#isBest(offer) && !this.#done.has(offer.key)).length,
    );
  }

  /** Whether the actions of this decision have names in quotes. */
  get isPresent(): boolean {
    return this.#isPresent;
  }

  /** The action without the names that the task asks for, which say no more than that, and without those of what it stands in. */
  words(index: number): string {
    return (this.#offers[index] as Offer).words;
  }

  addState(rows: ChoiceRows): void {
    if (!this.#isPresent) return;
    rows.add(mix(salt.toDo, this.#toDo));
    rows.add(mix(salt.bestFit, mix(this.#bestFit, this.#toDo)));
  }

  addCandidate(index: number, verb: number, rows: ChoiceRows): void {
    const offer = this.#isPresent ? this.#offers[index] : undefined;
    if (offer === undefined) return;
    const isDone = this.#done.has(offer.key) ? 1 : 0;
    const isBest = this.#isBest(offer) ? 1 : 0;
    for (const [place, name] of offer.names.entries()) {
      const asked = this.#asked.get(name);
      rows.add(mix(salt.asked, mix(verb, place * 2 + (asked === undefined ? 0 : 1))));
      if (asked !== undefined) rows.add(mix(salt.role, mix(verb, mix(place, asked.before))));
    }
    rows.add(mix(salt.fit, mix(verb, offer.fit * 2 + isBest)));
    rows.add(mix(salt.isDone, mix(verb, isBest * 2 + isDone)));
    rows.add(mix(salt.toDoFit, mix(verb, mix(this.#bestFit, this.#toDo * 4 + isBest * 2 + isDone))));
  }

  /** Remembers which candidate of the last decision was taken. */
  took(index: number): void {
    const offer = this.#isPresent ? this.#offers[index] : undefined;
    if (offer !== undefined) this.#done.add(offer.key);
  }

  #wordsOf(candidate: string): string {
    let isWhere = false; // behind an "in", names say where
    let end = 0;
    return candidate.replaceAll(quote, (whole, name: string, start: number) => {
      isWhere ||= /\bin\b/.test(candidate.slice(end, start));
      end = start + whole.length;
      return isWhere || this.#asked.has(name.toLowerCase()) ? '' : whole;
    });
  }

  #isBest({ fit }: Offer): boolean {
    return fit > 0 && fit === this.#bestFit;
  }

  /** First by how many of the names are asked for, then by how the first, a value, stands to what it is for. */
  #fitOf(names: readonly string[]): number {
    const asked = names.filter((name) => this.#asked.has(name)).length;
    if (asked === 0) return 0;
    const [value, ...fields] = names;
    return (
      few(asked) * pairings +
      Math.max(pairing.none, ...fields.map((field) => this.#pairingOf(value ?? '', field)))
    );
  }

  #pairingOf(value: string, field: string): number {
    const asked = this.#asked.get(value);
    if (asked === undefined) return pairing.notAsked;
    if (asked.previous === field) return pairing.rightAfter;
    const words = wordsIn(field);
    const shared = words.filter((word) => asked.lead.has(word)).length;
    if (shared === 0) return pairing.asked;
    return shared < words.length ? pairing.ledToByPart : pairing.ledToByAll;
  }
}
