import { abilityBits, nowhere, type Scene } from './scene.ts';
import { closedText, listNouns, openText, surfaceText } from './texts.ts';
import { conditions, World } from './world.ts';

/** A running episode: the current world, and what has been shown of it. */
export class Episode {
  readonly scene: Scene;
  readonly world: World;
  /**
   * 1 where the contents have been shown. Only the player moves objects, so the contents are known from then
   * on.
   */
  readonly seen: Uint8Array; // (places)
  readonly #things: (readonly number[] | undefined)[]; // (places) the contents, cached until they change
  readonly #sights: (string | undefined)[]; // (places) the description, cached until it changes
  readonly #arrivals: (string | undefined)[]; // (places) the same, as written on arrival

  constructor(scene: Scene) {
    this.scene = scene;
    this.world = new World(scene);
    this.seen = new Uint8Array(scene.places.length);
    this.#things = scene.places.map(() => undefined);
    this.#sights = scene.places.map(() => undefined);
    this.#arrivals = scene.places.map(() => undefined);
  }

  /** True where a player in front of the place can see and reach its contents. */
  isAccessible(place: number): boolean {
    return this.scene.openable[place] === 0 || this.world.isOpen(place);
  }

  /** True when the place of the object has been shown. */
  isKnown(thing: number): boolean {
    const place = this.world.placeOf(thing);
    return place === nowhere || this.seen[place] === 1;
  }

  /**
   * The ability bit of things that the player's hand can use now: to be taken, or with a knife to be sliced;
   * 0 where there is none.
   */
  reach(): number {
    const { held } = this.world;
    if (held === nowhere) return abilityBits.pickup;
    return ((this.scene.abilities[held] as number) & abilityBits.cut) === 0 ? 0 : abilityBits.slice;
  }

  /** The things at a place, in the order of the scene. */
  thingsAt(place: number): readonly number[] {
    return (this.#things[place] ??= this.#find(place));
  }

  /** The description of a place for a player in front of it. Its contents are known from then on. */
  describe(place: number): string {
    if (this.isAccessible(place)) this.seen[place] = 1;
    return (this.#sights[place] ??= this.#see(place));
  }

  /** The same for a player who has just arrived. */
  describeArrival(place: number): string {
    if (this.isAccessible(place)) this.seen[place] = 1;
    return (this.#arrivals[place] ??= `${this.scene.arrivals[place]}${this.describe(place)}`);
  }

  /** Opens or closes a door. */
  setOpen(place: number, open: boolean): void {
    this.#forget(place);
    this.world.setOpen(place, open);
  }

  /** Moves an object. `nowhere` is the hand. */
  move(thing: number, to: number): void {
    this.#forget(this.world.placeOf(thing));
    this.#forget(to);
    this.world.put(thing, to);
  }

  isSolved(): boolean {
    const { goal } = this.scene;
    return goal.lamps.length > 0 ? this.#isLookingInLight() : this.#isInPlace();
  }

  #isLookingInLight(): boolean {
    const { world, scene } = this;
    if (world.held === nowhere || !scene.goal.things.includes(world.held)) return false;
    return scene.goal.lamps.some(
      (lamp) => world.placeOf(lamp) === world.player && (world.conditionOf(lamp) & conditions.toggled) !== 0,
    );
  }

  #isInPlace(): boolean {
    const { things, treatment, places, count } = this.scene.goal;
    for (const place of places) {
      let found = 0;
      for (const thing of things) {
        if (this.world.placeOf(thing) === place && (this.world.conditionOf(thing) & treatment) === treatment)
          found += 1;
      }
      if (found >= count) return true;
    }
    return false;
  }

  #forget(place: number): void {
    if (place === nowhere) return;
    this.#things[place] = undefined;
    this.#sights[place] = undefined;
    this.#arrivals[place] = undefined;
  }

  #find(place: number): readonly number[] {
    const found: number[] = [];
    for (let thing = 0; thing < this.scene.things.length; thing += 1)
      if (this.world.placeOf(thing) === place) found.push(thing);
    return found;
  }

  #see(place: number): string {
    const { listingRank, things, places, openable } = this.scene;
    const name = places[place] as string;
    if (!this.isAccessible(place)) return closedText(name);
    const listed = this.thingsAt(place).toSorted(
      (a, b) => (listingRank[a] as number) - (listingRank[b] as number),
    );
    const contents = listNouns(listed.map((thing) => things[thing] as string));
    return openable[place] === 1 ? openText(name, contents) : surfaceText(name, contents);
  }
}
