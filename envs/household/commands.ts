import type { Dialect } from './dialect.ts';

/**
 * The verbs. A command is a verb and up to two nouns, encoded as one number, so that a step needs one
 * look-up.
 */
export const verbs = {
  look: 0,
  inventory: 1,
  help: 2,
  goTo: 3,
  open: 4,
  close: 5,
  examinePlace: 6,
  examineThing: 7,
  take: 8,
  put: 9,
  clean: 10,
  heat: 11,
  cool: 12,
  use: 13,
  slice: 14,
} as const;

export type Verb = (typeof verbs)[keyof typeof verbs];

/** Encodes a command. `thing` and `other` are indices of the scene; 0 where the verb takes none. */
export const encode = (verb: Verb, thing: number, other: number): number =>
  (verb << 16) | (thing << 8) | other;
export const verbOf = (code: number): number => code >> 16;
export const thingOf = (code: number): number => (code >> 8) & 255;
export const otherOf = (code: number): number => code & 255;

/** The names that commands consist of, in the order of the scene. */
export interface Nouns {
  readonly things: readonly string[];
  readonly places: readonly string[];
}

/**
 * The commands of a scene in words. Each is written when it is first listed, and all episodes share it. A
 * text that was never listed is no command.
 */
export class CommandBook {
  readonly #nouns: Nouns;
  readonly #dialect: Dialect;
  readonly #texts = new Map<number, string>();
  readonly #codes = new Map<string, number>();

  constructor(nouns: Nouns, dialect: Dialect) {
    this.#nouns = nouns;
    this.#dialect = dialect;
  }

  text(code: number): string {
    const known = this.#texts.get(code);
    if (known !== undefined) return known;
    const text = this.#write(code);
    this.#texts.set(code, text);
    this.#codes.set(text, code);
    return text;
  }

  /** The command with that text; undefined where it was never listed. */
  code(text: string): number | undefined {
    return this.#codes.get(text);
  }

  #write(code: number): string {
    const thing = this.#nouns.things[thingOf(code)] ?? '';
    const place = this.#nouns.places[otherOf(code)] ?? '';
    switch (verbOf(code) as Verb) {
      case verbs.look:
        return 'look';
      case verbs.inventory:
        return 'inventory';
      case verbs.help:
        return 'help';
      case verbs.goTo:
        return `go to ${place}`;
      case verbs.open:
        return `open ${place}`;
      case verbs.close:
        return `close ${place}`;
      case verbs.examinePlace:
        return `examine ${place}`;
      case verbs.examineThing:
        return `examine ${thing}`;
      case verbs.take:
        return `take ${thing} from ${place}`;
      case verbs.put:
        return this.#dialect.put(thing, place);
      case verbs.clean:
        return `clean ${thing} with ${place}`;
      case verbs.heat:
        return `heat ${thing} with ${place}`;
      case verbs.cool:
        return `cool ${thing} with ${place}`;
      case verbs.use:
        return `use ${thing}`;
      case verbs.slice:
        return `slice ${thing} with ${this.#nouns.things[otherOf(code)] ?? ''}`;
    }
  }
}
