/** What a player remembers of an episode, from the texts alone. */
export class SearcherMemory {
  /** Receptacles in the order of the opening text. */
  readonly places: string[] = [];
  /** The objects at each place, once seen. */
  readonly contents = new Map<string, string[]>();
  readonly closed = new Set<string>();
  /** Objects that were cleaned, heated or cooled, each with the last treatment. */
  readonly treated = new Map<string, string>();
  readonly lit = new Set<string>();
  /** Commands that had no effect. */
  readonly refused = new Set<string>();
  facing: string | undefined;
  held: string | undefined;

  /** Records the first text of the episode. */
  begin(text: string): void {
    const room = /you see (.+)\.\n\n/.exec(text)?.[1];
    if (room !== undefined) this.places.push(...readNouns(room));
  }

  /** Records the answer to a command. */
  learn(command: string, answer: string): void {
    if (answer === 'Nothing happens.') {
      this.refused.add(command);
      return;
    }
    const went = /^go to (.+)$/.exec(command)?.[1];
    if (went !== undefined) this.facing = went;
    this.#learnContents(answer);
    this.#learnDeed(answer);
  }

  /** The place of an object that was seen; undefined when it is held or was not seen. */
  placeOf(object: string): string | undefined {
    for (const [place, objects] of this.contents) if (objects.includes(object)) return place;
    return undefined;
  }

  /** All objects seen so far with their places, except those in the hand. */
  *known(): Iterable<readonly [object: string, place: string]> {
    for (const [place, objects] of this.contents) for (const object of objects) yield [object, place];
  }

  #learnContents(answer: string): void {
    const closed =
      /The ([a-z]+ \d+) is closed\.$/.exec(answer)?.[1] ?? /^You close the (.+)\.$/.exec(answer)?.[1];
    if (closed !== undefined) this.closed.add(closed);
    const match = /(?:On the ([a-z]+ \d+)|The ([a-z]+ \d+) is open\. In it), you see (.+)\.$/.exec(answer);
    const place = match?.[1] ?? match?.[2];
    if (place === undefined) return;
    this.closed.delete(place);
    this.contents.set(place, readNouns(match?.[3] ?? ''));
  }

  #learnDeed(answer: string): void {
    const taken = /^You pick up the (.+) from the (.+)\.$/.exec(answer);
    if (taken !== null) {
      this.held = taken[1];
      this.contents.set(
        taken[2] as string,
        (this.contents.get(taken[2] as string) ?? []).filter((object) => object !== taken[1]),
      );
    }
    const put = /^You (?:move|put) the (.+?) (?:to|in\/on) the (.+)\.$/.exec(answer);
    if (put !== null) {
      this.held = undefined;
      this.contents.set(put[2] as string, [...(this.contents.get(put[2] as string) ?? []), put[1] as string]);
    }
    const treated = /^You (clean|heat|cool) the (.+) using the .+\.$/.exec(answer);
    if (treated !== null) this.treated.set(treated[2] as string, treated[1] as string);
    const lit = /^You turn on the (.+)\.$/.exec(answer)?.[1];
    if (lit !== undefined) this.lit.add(lit);
  }
}

/** The nouns of `a X 2, a X 1, and a Y 1`. */
function readNouns(list: string): string[] {
  return [...list.matchAll(/\ba ([a-z]+ \d+)/g)].map((match) => match[1] as string);
}

/** The kind of a noun: `apple` for `apple 2`. */
export const kindOf = (noun: string): string => noun.slice(0, noun.lastIndexOf(' '));
