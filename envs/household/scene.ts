import type { TaskRef } from '../core/task.ts';
import { CommandBook, encode, verbs } from './commands.ts';
import type { Dialect } from './dialect.ts';
import { appliances, goalCount, treatmentOf, type Goal } from './goal.ts';
import { canContain, hasAbility, objectTypes, type Ability } from './object-types.ts';
import { receptacleTypes } from './receptacle-types.ts';
import { nameOf, type HouseholdTask } from './task.ts';
import { openingText } from './texts.ts';

/** One bit per ability of an object. */
export const abilityBits: Readonly<Record<Ability, number>> = {
  pickup: 1,
  clean: 2,
  heat: 4,
  cool: 8,
  slice: 16,
  cut: 32,
  toggle: 64,
  contain: 128,
  lamp: 256,
};

/** One bit per treatment that a receptacle provides, as in `abilityBits`. */
const applianceBits = new Map(
  (['clean', 'heat', 'cool'] as const).map((treatment) => [appliances[treatment], abilityBits[treatment]]),
);

/** The most nouns. Keys encode each as one printable character. */
const mostNouns = 77;

/** The place of objects in the player's hand, and of the player before it goes anywhere. */
export const nowhere = -1;

/**
 * Everything of a task that never changes during play, as flat tables. It is built once and shared by the
 * task's episodes.
 *
 * Things (objects) and places (receptacles) are indices in string order of their names, so that lists of
 * commands are sorted. Texts list nouns by kind, and within a kind the highest number first.
 */
export class Scene {
  readonly task: HouseholdTask;
  readonly ref: TaskRef;
  /** The start of every key. It contains only the task's name, so that no hidden fact can change a key. */
  readonly prefix: string;
  readonly dialect: Dialect;
  readonly openingText: string;
  readonly things: readonly string[]; // (things) names
  readonly places: readonly string[]; // (places) names
  readonly listingRank: Uint8Array; // (things) position in the order of the texts
  readonly abilities: Uint16Array; // (things) ability bits
  readonly startingPlace: Uint8Array; // (things)
  readonly openable: Uint8Array; // (places) 0 or 1
  readonly appliance: Uint8Array; // (places) bits of the treatments it gives
  readonly placeNumber: Uint8Array; // (places) from 1, in the order of the texts
  readonly holds: Uint8Array; // (things × places) 1 where the place can contain the thing
  readonly goal: SceneGoal;
  readonly commands: CommandBook;
  /** The commands that are always admissible, sorted. */
  readonly everywhere: readonly string[];
  readonly goTo: readonly string[]; // (places) commands
  readonly arrivals: readonly string[]; // (places) the text of the arrival, before the description
  readonly #standing: (string[] | undefined)[]; // (2 × places) lists for a closed and an open door

  constructor(ref: TaskRef, task: HouseholdTask, dialect: Dialect) {
    this.task = task;
    this.ref = ref;
    this.prefix = `${ref.panel}/${ref.index}|`;
    this.dialect = dialect;
    if (Math.max(task.objects.length, task.places.length) > mostNouns)
      throw new RangeError(`a room of more than ${mostNouns} objects or places has no key`);
    const places = task.places.toSorted(byName);
    const objects = task.objects.toSorted(byName);
    const listedPlaces = task.places.toSorted(asListed);
    this.openingText = openingText(listedPlaces.map(nameOf), task.instruction);
    this.places = places.map(nameOf);
    this.things = objects.map(nameOf);
    const listedObjects = objects.toSorted(asListed);
    this.listingRank = Uint8Array.from(objects, (object) => listedObjects.indexOf(object));
    this.abilities = Uint16Array.from(objects, (object) =>
      objectTypes[object.type].abilities.reduce((bits, ability) => bits | abilityBits[ability], 0),
    );
    this.startingPlace = Uint8Array.from(objects, (object) => this.places.indexOf(nameOf(object.place)));
    this.openable = Uint8Array.from(places, (place) => (receptacleTypes[place.type].openable ? 1 : 0));
    this.appliance = Uint8Array.from(places, (place) => applianceBits.get(place.type) ?? 0);
    this.placeNumber = Uint8Array.from(places, (place) => listedPlaces.indexOf(place) + 1);
    this.holds = Uint8Array.from(
      objects.flatMap((object) =>
        places.map((place) =>
          canContain(place.type, object.type) && hasAbility(object.type, 'pickup') ? 1 : 0,
        ),
      ),
    );
    this.goal = compileGoal(task.goal, places, objects);
    this.commands = new CommandBook(this, dialect);
    this.everywhere = [...(dialect.hasHelp ? [verbs.help] : []), verbs.inventory, verbs.look].map((verb) =>
      this.commands.text(encode(verb, 0, 0)),
    );
    this.goTo = places.map((_, place) => this.commands.text(encode(verbs.goTo, 0, place)));
    this.arrivals = this.places.map((name, place) =>
      dialect.arrival(name, this.placeNumber[place] as number),
    );
    this.#standing = [...places, ...places].map(() => undefined);
  }

  /**
   * The commands in front of the place that are possible with empty hands, sorted, without opening it and
   * without those that depend on its contents. Copy before changing.
   */
  standingCommands(place: number, open: boolean): readonly string[] {
    return (this.#standing[2 * place + (open ? 1 : 0)] ??= [
      ...(open ? [this.commands.text(encode(verbs.close, 0, place))] : []),
      this.commands.text(encode(verbs.examinePlace, 0, place)),
      ...this.goTo.toSpliced(place, 1),
      ...this.everywhere,
    ]);
  }
}

/** The goal in indices of the scene. */
export interface SceneGoal {
  /** Objects of the goal's kind. `count` of them are needed. */
  readonly things: Uint8Array;
  readonly count: number;
  /** The bit of the required treatment; 0 where the condition does not matter. */
  readonly treatment: number;
  /** Receptacles of the goal's kind; empty where the goal is to examine something. */
  readonly places: Uint8Array;
  /** Lamps of the goal's kind; empty where the goal is to place something. */
  readonly lamps: Uint8Array;
  /** Places that could contain a goal object. `lampHunt` has those that could contain a lamp. */
  readonly thingHunt: Uint8Array; // (hunted places)
  readonly lampHunt: Uint8Array; // (hunted places)
}

function compileGoal(
  goal: Goal,
  places: HouseholdTask['places'],
  objects: HouseholdTask['objects'],
): SceneGoal {
  const indicesOf = <T>(items: readonly T[], chosen: (item: T) => boolean): Uint8Array =>
    Uint8Array.from(items.flatMap((item, index) => (chosen(item) ? [index] : [])));
  const look = goal.family === 'look';
  const treatment = treatmentOf(goal.family);
  return {
    things: indicesOf(objects, (object) => object.type === goal.object),
    count: goalCount(goal),
    treatment: treatment === undefined ? 0 : abilityBits[treatment],
    places: look ? new Uint8Array() : indicesOf(places, (place) => place.type === goal.receptacle),
    lamps: look ? indicesOf(objects, (object) => object.type === goal.lamp) : new Uint8Array(),
    thingHunt: indicesOf(places, (place) => canContain(place.type, goal.object)),
    lampHunt: look ? indicesOf(places, (place) => canContain(place.type, goal.lamp)) : new Uint8Array(),
  };
}

interface Noun {
  readonly type: string;
  readonly number: number;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byName = (a: Noun, b: Noun): number => compare(nameOf(a), nameOf(b));
const asListed = (a: Noun, b: Noun): number => compare(a.type, b.type) || b.number - a.number;
