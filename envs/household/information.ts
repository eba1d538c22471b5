import type { Episode } from './episode.ts';
import { nowhere, type Scene } from './scene.ts';
import { conditions, printable } from './world.ts';

const unknown = 33; // the character '!', which no number has: they start at '0', which is `nowhere`

/**
 * Writes the information state: what a player who remembers everything knows *and could still use*. Equal
 * keys have equal admissible actions, and no fact that has not been shown can change a key.
 *
 * Kept:
 * - the place in front and whether it is open
 * - the object in hand
 * - for each object of the goal's kind its place, or the hand, and whether it is in the required condition,
 *   once shown; the same for lamps
 * - which places have been searched, as far as they could hold something that is still missing
 * - what can be taken or sliced here
 *
 * Dropped:
 * - the number and order of steps
 * - open doors elsewhere and other objects elsewhere
 * - conditions that the goal does not require
 * - all searching once enough is found
 */
export class InformationKey {
  readonly #bytes: Buffer;
  readonly #start: number;

  constructor(scene: Scene) {
    this.#start = scene.prefix.length;
    const { things, lamps, thingHunt, lampHunt } = scene.goal;
    const most =
      3 + 2 * things.length + 2 * lamps.length + thingHunt.length + lampHunt.length + scene.things.length;
    this.#bytes = Buffer.alloc(this.#start + most);
    this.#bytes.write(scene.prefix, 'latin1');
  }

  write(episode: Episode): string {
    const end = this.#writeReach(
      episode,
      this.#writeKnowledge(episode, this.#writeStance(episode, this.#start)),
    );
    return this.#bytes.toString('latin1', 0, end);
  }

  /**
   * Place, door, hand: 3 bytes. The condition of the object in hand matters only for a goal object, and is
   * stored there.
   */
  #writeStance(episode: Episode, at: number): number {
    const { scene, world } = episode;
    const bytes = this.#bytes;
    const { player, held } = world;
    bytes[at] = printable + player;
    bytes[at + 1] =
      printable + (player !== nowhere && scene.openable[player] === 1 && world.isOpen(player) ? 1 : 0);
    bytes[at + 2] = printable + held;
    return at + 3;
  }

  /**
   * Goal objects and lamps, 2 bytes each. Then one byte for each place worth searching, as long as something
   * is missing.
   */
  #writeKnowledge(episode: Episode, start: number): number {
    const { things, lamps, treatment, count, thingHunt, lampHunt } = episode.scene.goal;
    let at = start;
    const found = this.#writeObjects(episode, things, { relevant: treatment, at });
    at += 2 * things.length;
    const lit = this.#writeObjects(episode, lamps, { relevant: conditions.toggled, at });
    at += 2 * lamps.length;
    if (found < count) at = this.#writeSearched(episode, thingHunt, at);
    return lamps.length > 0 && lit === 0 ? this.#writeSearched(episode, lampHunt, at) : at;
  }

  /** Writes the place and the condition of each, or that it is unknown. Returns how many are known. */
  #writeObjects(
    episode: Episode,
    objects: Uint8Array,
    as: { readonly relevant: number; readonly at: number },
  ): number {
    const { world } = episode;
    let known = 0;
    for (let index = 0; index < objects.length; index += 1) {
      const thing = objects[index] as number;
      const isKnown = episode.isKnown(thing);
      if (isKnown) known += 1;
      this.#bytes[as.at + 2 * index] = isKnown ? printable + world.placeOf(thing) : unknown;
      this.#bytes[as.at + 2 * index + 1] = isKnown
        ? printable + (world.conditionOf(thing) & as.relevant)
        : unknown;
    }
    return known;
  }

  #writeSearched({ seen }: Episode, places: Uint8Array, at: number): number {
    for (let index = 0; index < places.length; index += 1)
      this.#bytes[at + index] = printable + (seen[places[index] as number] as number);
    return at + places.length;
  }

  /** Writes what can be taken here with empty hands, or sliced with a knife. */
  #writeReach(episode: Episode, start: number): number {
    const { scene, world } = episode;
    const { player } = world;
    const reach = episode.reach();
    if (reach === 0 || player === nowhere || !episode.isAccessible(player)) return start;
    const things = episode.thingsAt(player);
    let at = start;
    for (let index = 0; index < things.length; index += 1) {
      const thing = things[index] as number;
      if (((scene.abilities[thing] as number) & reach) !== 0) this.#bytes[at++] = printable + thing;
    }
    return at;
  }
}
