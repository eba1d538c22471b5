import { nowhere, type Scene } from './scene.ts';

/** Bits of an object's condition. */
export const conditions = { clean: 2, hot: 4, cool: 8, sliced: 16, toggled: 1 } as const;

/** Keys consist of printable characters: a small number is encoded as the character with this offset. */
export const printable = 49;

/**
 * The part of an episode that changes, stored as the bytes of its own key: the task, the place of the player,
 * the place and condition of each object, and the open doors.
 */
export class World {
  readonly #bytes: Buffer; // prefix, player (1), places (things), conditions (things), doors (places)
  readonly #player: number;
  readonly #objects: number;
  readonly #conditions: number;
  readonly #doors: number;
  #held = nowhere;

  /** The world at the start of the scene's task. */
  constructor(scene: Scene) {
    const things = scene.things.length;
    this.#player = scene.prefix.length;
    this.#objects = this.#player + 1;
    this.#conditions = this.#objects + things;
    this.#doors = this.#conditions + things;
    this.#bytes = Buffer.alloc(this.#doors + scene.places.length, printable);
    this.#bytes.write(scene.prefix, 'latin1');
    this.#bytes[this.#player] = printable + nowhere;
    for (let thing = 0; thing < things; thing += 1)
      this.#bytes[this.#objects + thing] = printable + (scene.startingPlace[thing] as number);
  }

  /** The place in front, or `nowhere`. */
  get player(): number {
    return (this.#bytes[this.#player] as number) - printable;
  }

  set player(place: number) {
    this.#bytes[this.#player] = printable + place;
  }

  /** The object in hand, or `nowhere`. */
  get held(): number {
    return this.#held;
  }

  placeOf(thing: number): number {
    return (this.#bytes[this.#objects + thing] as number) - printable;
  }

  /** Puts an object into a place. `nowhere` is the hand, which must be empty. */
  put(thing: number, place: number): void {
    this.#bytes[this.#objects + thing] = printable + place;
    if (place === nowhere) this.#held = thing;
    else if (this.#held === thing) this.#held = nowhere;
  }

  conditionOf(thing: number): number {
    return (this.#bytes[this.#conditions + thing] as number) - printable;
  }

  setCondition(thing: number, condition: number): void {
    this.#bytes[this.#conditions + thing] = printable + condition;
  }

  isOpen(place: number): boolean {
    return this.#bytes[this.#doors + place] !== printable;
  }

  setOpen(place: number, open: boolean): void {
    this.#bytes[this.#doors + place] = open ? printable + 1 : printable;
  }

  /** A unique text for each world. */
  key(): string {
    return this.#bytes.toString('latin1');
  }
}
