/** The kind of a noun: `mug` for `mug 2` and `mug2`. */
export const kindOf = (noun: string): string => noun.replace(/\s*\d+$/, '');

/** What a player remembers of an episode, from the texts and the admissible commands. */
export class SearcherMemory {
  /** Receptacles in the order of the opening text. */
  readonly places: string[] = [];
  /** The objects at each place, once seen. */
  readonly contents = new Map<string, readonly string[]>();
  readonly open = new Set<string>();
  readonly closed = new Set<string>();
  /** Objects that were cleaned, heated or cooled, each with the last treatment. */
  readonly treated = new Map<string, string>();
  facing: string | undefined;
  held: string | undefined;

  begin(text: string): void {
    const list = /you see (.+)\.\n/.exec(text)?.[1];
    if (list !== undefined) this.places.push(...nounsOf(list));
  }

  /** Records the answer to a command. */
  learn(command: string, answer: string): void {
    if (answer === 'Nothing happens.') return;
    const went = /^go to (.+)$/.exec(command)?.[1];
    if (went !== undefined) this.facing = went;
    this.#learnDoors(answer);
    this.#learnContents(answer);
    const take = /^take (.+) from (.+)$/.exec(command);
    if (take !== null) this.#move(take[1] as string, undefined);
    const put = /^(?:move (.+) to|put (.+) in\/on) (.+)$/.exec(command);
    if (put !== null) this.#move((put[1] ?? put[2]) as string, put[3] as string);
    const treated = /^(clean|heat|cool) (.+) with /.exec(command);
    if (treated !== null) this.treated.set(treated[2] as string, treated[1] as string);
  }

  /** All objects seen so far with their places, except those in the hand. */
  *lying(): Iterable<readonly [object: string, place: string]> {
    for (const [place, objects] of this.contents) for (const object of objects) yield [object, place];
  }

  #learnDoors(answer: string): void {
    for (const [, place = ''] of answer.matchAll(/The ([^.]+?) is open\./g)) {
      this.open.add(place);
      this.closed.delete(place);
    }
    const closed = /The ([^.]+?) is closed\./.exec(answer)?.[1] ?? /^You close the (.+)\.$/.exec(answer)?.[1];
    if (closed === undefined) return;
    this.closed.add(closed);
    this.open.delete(closed);
  }

  #learnContents(answer: string): void {
    const match = /(?:On the ([^,]+)|The ([^.]+?) is open\. In it), you see (.+)\.$/.exec(answer);
    const place = match?.[1] ?? match?.[2];
    if (place !== undefined) this.contents.set(place, nounsOf(match?.[3] ?? ''));
  }

  /** Moves an object to a place, or into the hand. */
  #move(object: string, to: string | undefined): void {
    for (const [place, objects] of this.contents)
      if (objects.includes(object))
        this.contents.set(
          place,
          objects.filter((other) => other !== object),
        );
    this.held = to === undefined ? object : undefined;
    if (to !== undefined) this.contents.set(to, [...(this.contents.get(to) ?? []), object]);
  }
}

/** The nouns of `a X 2, a X 1, and a Y 1`. */
const nounsOf = (list: string): string[] =>
  [...list.matchAll(/\ba ([^,]+)/g)].map((match) => (match[1] as string).replace(/ and$/, ''));
