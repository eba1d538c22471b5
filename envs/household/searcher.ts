import type { Rng } from '../core/rng.ts';
import { bestOf, GameSearcher } from '../kit/text-game.ts';
import { appliances, treatmentOf, type Treatment } from './goal.ts';
import { objectTypes, type ObjectTraits, type ObjectType } from './object-types.ts';
import { receptacleTypes, type ReceptacleType } from './receptacle-types.ts';
import { kindOf, SearcherMemory } from './searcher-memory.ts';
import { readGoal, type GoalWords, type Wording } from './wording.ts';

/**
 * Plays like a sensible person, from the texts alone. It looks first where such things are usually kept,
 * opens what is closed, remembers what it saw, and does the work. `rng` breaks ties.
 */
export class HouseholdSearcher extends GameSearcher<GoalWords> {
  readonly #wordings: readonly Wording[];
  readonly #memory: SearcherMemory;

  constructor(wordings: readonly Wording[], rng: Rng) {
    const memory = new SearcherMemory();
    super(rng, memory);
    this.#memory = memory;
    this.#wordings = wordings;
  }

  protected readGoal(instruction: string): GoalWords | undefined {
    return readGoal(this.#wordings, instruction);
  }

  /** The wanted command, or a listed one where it is not listed, so that the searcher never waits. */
  protected allow(wanted: string | undefined): string {
    if (this.admissible.length === 0) return wanted ?? 'look';
    return wanted !== undefined && this.admissible.includes(wanted) ? wanted : this.rng.pick(this.admissible);
  }

  protected decide(goal: GoalWords): string | undefined {
    const { held } = this.#memory;
    if (held === undefined) return this.#fetch(goal);
    if (kindOf(held) !== goal.object) return this.#putAway(held);
    if (goal.family === 'look') return this.#light(goal);
    const treatment = treatmentOf(goal.family);
    if (treatment !== undefined && this.#memory.treated.get(held) !== treatment)
      return this.#treat(held, treatment);
    return this.#deliver(held, goal);
  }

  /** Takes an object of the goal's kind that is not at its target yet, or searches for one. */
  #fetch(goal: GoalWords): string | undefined {
    for (const [object, place] of this.#memory.known()) {
      if (kindOf(object) !== goal.object) continue;
      if (this.#isDelivered(object, place, goal)) continue;
      return this.#reach(place) ?? `take ${object} from ${place}`;
    }
    return this.#search(goal.object);
  }

  #isDelivered(object: string, place: string, goal: GoalWords): boolean {
    if (kindOf(place) !== goal.target) return false;
    return goal.family === 'pick2'
      ? place === this.#chosenPlace(goal)
      : this.#memory.treated.get(object) === treatmentOf(goal.family);
  }

  #light(goal: GoalWords): string | undefined {
    for (const [object, place] of this.#memory.known()) {
      if (kindOf(object) === goal.target) return this.#reach(place) ?? `use ${object}`;
    }
    return this.#search(goal.target);
  }

  #treat(held: string, treatment: Treatment): string | undefined {
    const appliance = this.#nearest(appliances[treatment]);
    if (appliance === undefined) return undefined;
    return this.#memory.facing === appliance
      ? `${treatment} ${held} with ${appliance}`
      : `go to ${appliance}`;
  }

  #deliver(held: string, goal: GoalWords): string | undefined {
    const place = this.#chosenPlace(goal);
    return place === undefined ? undefined : (this.#reach(place) ?? this.#putDown(held, place));
  }

  #putAway(held: string): string | undefined {
    const place = this.#memory.places.find(
      (candidate) => !this.#memory.closed.has(candidate) && prior(kindOf(held), kindOf(candidate)) > 0,
    );
    return place === undefined ? undefined : (this.#reach(place) ?? this.#putDown(held, place));
  }

  /** The command in the dialect that the game lists, or else in one that the game does not refuse. */
  #putDown(held: string, place: string): string {
    const current = `move ${held} to ${place}`;
    const classic = `put ${held} in/on ${place}`;
    return this.admissible.includes(classic) || this.#memory.refused.has(current) ? classic : current;
  }

  /**
   * The receptacle to deliver to: the one with most goal objects, then the one in front, then one that is not
   * closed.
   */
  #chosenPlace(goal: GoalWords): string | undefined {
    const { facing, contents, closed } = this.#memory;
    const worth = (place: string): number => {
      const there =
        goal.family === 'pick2'
          ? (contents.get(place) ?? []).filter((object) => kindOf(object) === goal.object).length
          : 0;
      const shut = closed.has(place) || (isOpenable(place) && !contents.has(place)) ? 0 : 1;
      return 4 * there + 2 * (place === facing ? 1 : 0) + shut;
    };
    return bestOf(
      this.#memory.places.filter((place) => kindOf(place) === goal.target),
      worth,
    );
  }

  #nearest(kind: string): string | undefined {
    const all = this.#memory.places.filter((place) => kindOf(place) === kind);
    return all.find((place) => place === this.#memory.facing) ?? all[0];
  }

  /** The next command towards a place's contents; undefined when they are accessible. */
  #reach(place: string): string | undefined {
    if (this.#memory.facing !== place) return `go to ${place}`;
    return this.#memory.closed.has(place) ? `open ${place}` : undefined;
  }

  /** The next command towards the most promising place, by walking or opening. */
  #search(kind: string): string | undefined {
    const { places, contents, facing, closed } = this.#memory;
    const unseen = places.filter((place) => !contents.has(place));
    const worth = (place: string): number => {
      const steps = (place === facing ? 0 : 1) + (isOpenable(place) ? 1 : 0);
      return (prior(kind, kindOf(place)) + leastPrior) / Math.max(steps, 1);
    };
    const place = bestOf(this.rng.shuffle(unseen), worth);
    if (place === undefined) return undefined;
    if (facing !== place) return `go to ${place}`;
    return closed.has(place) ? `open ${place}` : undefined;
  }
}

/** Ensures that places where nobody keeps such a thing are searched in the end. */
const leastPrior = 0.01;

/** How usual a kind of object is in a kind of receptacle; 0 for unknown words. */
function prior(object: string, receptacle: string): number {
  const traits: ObjectTraits | undefined = objectTypes[object as ObjectType];
  return traits?.places[receptacle as ReceptacleType] ?? 0;
}

function isOpenable(place: string): boolean {
  return receptacleTypes[kindOf(place) as ReceptacleType]?.openable ?? false;
}
