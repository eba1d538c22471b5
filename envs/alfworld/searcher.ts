import type { Rng } from '../core/rng.ts';
import { bestOf, GameSearcher } from '../kit/text-game.ts';
import { likelihood } from './habits.ts';
import { readSpokenGoal, type SpokenGoal } from './searcher-goal.ts';
import { kindOf, SearcherMemory } from './searcher-memory.ts';

const treatments: Readonly<Partial<Record<SpokenGoal['family'], readonly string[]>>> = {
  clean: ['sinkbasin', 'bathtubbasin', 'sink'],
  heat: ['microwave'],
  cool: ['fridge'],
};

const lamps = ['desklamp', 'floorlamp'];

/**
 * Plays like a sensible person, from the texts and the admissible commands. It looks first where such things
 * are usually kept, opens what is closed, remembers what it saw, and does the work. `rng` breaks ties, and
 * chooses where it does not know what to do.
 */
export class AlfworldSearcher extends GameSearcher<SpokenGoal> {
  readonly #memory: SearcherMemory;
  readonly #used = new Set<string>();

  constructor(rng: Rng) {
    const memory = new SearcherMemory();
    super(rng, memory);
    this.#memory = memory;
  }

  protected readGoal(instruction: string): SpokenGoal | undefined {
    return readSpokenGoal(instruction);
  }

  protected allow(wanted: string | undefined): string {
    return wanted !== undefined && this.#can(wanted) ? wanted : this.#anything();
  }

  #can(command: string): boolean {
    return this.admissible.includes(command);
  }

  /** A random command that has an effect. */
  #anything(): string {
    const idle = /^(?:look|inventory|help|examine .*)$/;
    const doing = this.admissible.filter((command) => !idle.test(command));
    return this.rng.pick(doing.length > 0 ? doing : this.admissible);
  }

  protected decide(goal: SpokenGoal): string | undefined {
    const { held } = this.#memory;
    if (held === undefined) return this.#fetch(goal);
    if (kindOf(held) !== goal.object) return this.#putAway();
    if (goal.family === 'look') return this.#light(goal);
    if (treatments[goal.family] !== undefined && this.#memory.treated.get(held) !== goal.family)
      return this.#treat(held, goal.family);
    return this.#deliver(held, goal);
  }

  #fetch(goal: SpokenGoal): string | undefined {
    for (const [object, place] of this.#memory.lying()) {
      if (kindOf(object) === goal.object && !this.#isDelivered(object, place, goal))
        return this.#reach(place) ?? `take ${object} from ${place}`;
    }
    return this.#search([goal.object]);
  }

  #isDelivered(object: string, place: string, goal: SpokenGoal): boolean {
    if (kindOf(place) !== goal.target) return false;
    if (goal.family === 'pick2') return place === this.#destination(goal);
    return treatments[goal.family] === undefined || this.#memory.treated.get(object) === goal.family;
  }

  #light(goal: SpokenGoal): string | undefined {
    const kinds = goal.target === undefined ? lamps : [goal.target];
    for (const [object, place] of this.#memory.lying()) {
      if (!kinds.includes(kindOf(object)) || this.#used.has(object)) continue;
      const way = this.#reach(place);
      if (way !== undefined) return way;
      this.#used.add(object);
      return `use ${object}`;
    }
    return this.#search(kinds);
  }

  #treat(held: string, deed: string): string | undefined {
    const now = this.admissible.find((command) => command.startsWith(`${deed} ${held} with `));
    if (now !== undefined) return now;
    const stations = treatments[deed as SpokenGoal['family']] ?? [];
    const station = this.#memory.places.find(
      (place) => stations.includes(kindOf(place)) && place !== this.#memory.facing,
    );
    return station === undefined ? undefined : `go to ${station}`;
  }

  #deliver(held: string, goal: SpokenGoal): string | undefined {
    const place = this.#destination(goal);
    return place === undefined ? undefined : (this.#reach(place) ?? this.#putInto(held, place));
  }

  #putInto(held: string, place: string): string | undefined {
    return [`move ${held} to ${place}`, `put ${held} in/on ${place}`].find((command) => this.#can(command));
  }

  /** Puts down an object that is held by mistake, here or where it probably fits. */
  #putAway(): string | undefined {
    return this.admissible.find((command) => /^(?:move .+ to|put .+ in\/on) /.test(command));
  }

  /**
   * The receptacle to deliver to: the one with most goal objects, then the one in front, then an open one.
   */
  #destination({ family, target, object }: SpokenGoal): string | undefined {
    const { facing, contents, closed, places } = this.#memory;
    const worth = (place: string): number => {
      const there =
        family === 'pick2'
          ? (contents.get(place) ?? []).filter((other) => kindOf(other) === object).length
          : 0;
      return 4 * there + 2 * (place === facing ? 1 : 0) + (closed.has(place) ? 0 : 1);
    };
    return bestOf(
      places.filter((place) => kindOf(place) === target),
      worth,
    );
  }

  /** The next command towards a place's contents; undefined when they are accessible. */
  #reach(place: string): string | undefined {
    const { facing, closed, open } = this.#memory;
    if (facing !== place) return `go to ${place}`;
    if (!closed.has(place)) return undefined;
    if (this.#can(`open ${place}`)) return `open ${place}`;
    const other = [...open].find((one) => one !== place); // the older domain allows one open door at a time
    if (other === undefined) return undefined;
    return this.#can(`close ${other}`) ? `close ${other}` : `go to ${other}`;
  }

  /** The next command towards the most promising place. */
  #search(kinds: readonly string[]): string | undefined {
    const { places, contents, facing, closed } = this.#memory;
    const here =
      facing !== undefined && closed.has(facing) && !contents.has(facing) ? this.#reach(facing) : undefined;
    if (here !== undefined) return here;
    const unseen = this.rng.shuffle(places.filter((place) => !contents.has(place)));
    const place = bestOf(unseen, (candidate) =>
      Math.max(...kinds.map((kind) => likelihood(kind, kindOf(candidate)))),
    );
    return place === undefined ? undefined : this.#reach(place);
  }
}
