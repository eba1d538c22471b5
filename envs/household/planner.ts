import { appliances, goalCount, treatmentOf, type Goal } from './goal.ts';
import type { Dialect } from './dialect.ts';
import { receptacleTypes } from './receptacle-types.ts';
import { nameOf, type HouseholdTask, type PlacedObject, type PlaceName } from './task.ts';

/**
 * The shortest command sequence to the goal for a player that sees everything; undefined when there is none.
 */
export function planTask(task: HouseholdTask, dialect: Dialect): readonly string[] | undefined {
  const { goal } = task;
  const wanted = task.objects.filter((object) => object.type === goal.object);
  const plans =
    goal.family === 'look'
      ? lookPlans(task, goal, { wanted, dialect })
      : placingPlans(task, goal, { wanted, dialect });
  return shortest(plans);
}

interface Means {
  readonly wanted: readonly PlacedObject[];
  readonly dialect: Dialect;
}

function* lookPlans(
  task: HouseholdTask,
  goal: Extract<Goal, { family: 'look' }>,
  { wanted, dialect }: Means,
): Iterable<readonly string[]> {
  for (const lamp of task.objects.filter((object) => object.type === goal.lamp)) {
    for (const object of wanted) {
      const route = new Route(dialect);
      route.take(object);
      route.goTo(lamp.place);
      route.commands.push(`use ${nameOf(lamp)}`);
      yield route.commands;
    }
  }
}

function* placingPlans(
  task: HouseholdTask,
  goal: Exclude<Goal, { family: 'look' }>,
  { wanted, dialect }: Means,
): Iterable<readonly string[]> {
  const treatment = treatmentOf(goal.family);
  const stations =
    treatment === undefined
      ? [undefined]
      : task.places.filter((place) => place.type === appliances[treatment]);
  for (const place of task.places.filter((candidate) => candidate.type === goal.receptacle)) {
    for (const station of stations) {
      for (const objects of choices(wanted, goalCount(goal))) {
        const route = new Route(dialect);
        for (const object of objects) {
          route.take(object);
          if (treatment !== undefined && station !== undefined) {
            route.goTo(station);
            route.commands.push(`${treatment} ${nameOf(object)} with ${nameOf(station)}`);
          }
          route.put(object, place);
        }
        yield route.commands;
      }
    }
  }
}

/** All ordered choices of one or two of the objects. */
function choices(objects: readonly PlacedObject[], count: number): readonly (readonly PlacedObject[])[] {
  if (count === 1) return objects.map((object) => [object]);
  return objects.flatMap((first) =>
    objects.filter((second) => second !== first).map((second) => [first, second]),
  );
}

function shortest(plans: Iterable<readonly string[]>): readonly string[] | undefined {
  let found: readonly string[] | undefined;
  for (const plan of plans) if (found === undefined || plan.length < found.length) found = plan;
  return found;
}

/** A sequence of commands, with the place that it leads to and the doors that it has opened. */
class Route {
  readonly commands: string[] = [];
  readonly #dialect: Dialect;
  readonly #opened = new Set<string>();
  #facing: string | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  goTo(place: PlaceName): void {
    const name = nameOf(place);
    if (this.#facing !== name) this.commands.push(`go to ${name}`);
    this.#facing = name;
  }

  take(object: PlacedObject): void {
    this.#reach(object.place);
    this.commands.push(`take ${nameOf(object)} from ${nameOf(object.place)}`);
  }

  put(object: PlacedObject, place: PlaceName): void {
    this.#reach(place);
    this.commands.push(this.#dialect.put(nameOf(object), nameOf(place)));
  }

  #reach(place: PlaceName): void {
    this.goTo(place);
    const name = nameOf(place);
    if (!receptacleTypes[place.type].openable || this.#opened.has(name)) return;
    this.#opened.add(name);
    this.commands.push(`open ${name}`);
  }
}
