import type { Rng } from '../core/rng.ts';
import { dialects } from './dialect.ts';
import type { FloorPlan } from './floor-plans/floor-plan.ts';
import { appliances, goalCount, treatmentOf, type Family, type Goal } from './goal.ts';
import { objectTypes, type ObjectType } from './object-types.ts';
import { planTask } from './planner.ts';
import { receptacleTypes, type ReceptacleType } from './receptacle-types.ts';
import type { Stock } from './room-types.ts';
import { placesOf, type HouseholdTask, type PlacedObject, type PlaceName } from './task.ts';
import { sayGoal, type Wording } from './wording.ts';

/** A floor plan and the goals that are possible in it. */
export interface RoomChoice {
  readonly name: string;
  readonly plan: FloorPlan;
  readonly stock: Stock;
}

/** The source of a panel's tasks. */
export interface Recipe {
  /**
   * The kinds of rooms of each family. A kind is drawn uniformly, then a goal, then a room that has what the
   * goal needs.
   */
  readonly rooms: Readonly<Record<Family, readonly RoomKind[]>>;
  readonly wording: Wording;
  /** The least and the most objects in a room. */
  readonly objects: readonly [least: number, most: number];
}

/** Rooms with the same stock, and the goals of this panel in them. */
export interface RoomKind {
  readonly rooms: readonly RoomChoice[];
  readonly goals: readonly Goal[];
}

const mostChoices = 20;
const draftsOfChoice = 200;

/** One in this many tasks has one more object of the goal's kind than it needs. */
const spareOdds = 6;

/** Tasks that can be solved in fewer steps are too easy and are dropped. */
const fewestSteps = 4;

/**
 * Generates the task of a random stream. The goal and the room are drawn first. Then the room is furnished
 * again and again until the task is solvable and not too easy. So crowded rooms are not under-represented.
 */
export function generateTask(recipe: Recipe, family: Family, rng: Rng): HouseholdTask {
  for (let choice = 0; choice < mostChoices; choice += 1) {
    const choosing = rng.fork(choice);
    const kind = choosing.pick(recipe.rooms[family]);
    const object = choosing.pick(distinct(kind.goals.map((goal) => goal.object)));
    const goal = choosing.pick(kind.goals.filter((candidate) => candidate.object === object));
    const room = choosing.pick(kind.rooms.filter((candidate) => suits(candidate, goal)));
    const instruction = sayGoal(choosing.pick(recipe.wording[family]), goal);
    for (let attempt = 0; attempt < draftsOfChoice; attempt += 1) {
      const objects = furnish(room, goal, { limits: recipe.objects, rng: choosing.fork(attempt) });
      if (objects === undefined) continue;
      const task: HouseholdTask = {
        goal,
        instruction,
        plan: room.name,
        places: placesOf(room.plan),
        objects,
      };
      if ((planTask(task, dialects.current)?.length ?? 0) >= fewestSteps) return task;
    }
  }
  throw new Error(
    `no ${family} task came of ${mostChoices} choices: the recipe asks for what its rooms cannot hold`,
  );
}

/** The objects of the room; undefined when they are too few, too many, or do not fit. */
function furnish(
  room: RoomChoice,
  goal: Goal,
  options: { readonly limits: Recipe['objects']; readonly rng: Rng },
): readonly PlacedObject[] | undefined {
  const counts = drawCounts(room.stock, goal, options.rng);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  if (total < options.limits[0] || total > options.limits[1]) return undefined;
  return placeObjects(placesOf(room.plan), counts, goal, options.rng);
}

/** True where the room has the receptacles that the goal needs. */
export function suits(room: RoomChoice, goal: Goal): boolean {
  return neededReceptacles(goal).every((type) => (room.plan[type] ?? 0) > 0);
}

const distinct = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];

function neededReceptacles(goal: Goal): readonly ReceptacleType[] {
  if (goal.family === 'look') return [];
  const treatment = treatmentOf(goal.family);
  return treatment === undefined ? [goal.receptacle] : [goal.receptacle, appliances[treatment]];
}

type Counts = readonly (readonly [ObjectType, number])[];

/**
 * Draws the number of objects of each kind. Lamps are placed first, so that nothing else takes their place.
 */
function drawCounts(stock: Stock, goal: Goal, rng: Rng): Counts {
  const counts = (Object.entries(stock) as [ObjectType, readonly [number, number]][]).map(
    ([type, [least, most]]) => {
      const count = least + rng.int(most - least + 1);
      return [
        type,
        type === goal.object ? goalCount(goal) + (rng.int(spareOdds) === 0 ? 1 : 0) : count,
      ] as const;
    },
  );
  const standing = ([type]: readonly [ObjectType, number]): number =>
    objectTypes[type].abilities.includes('pickup') ? 1 : 0;
  return counts.toSorted((a, b) => standing(a) - standing(b));
}

/** Puts every object where such objects are usually found; undefined when one does not fit. */
function placeObjects(
  places: readonly PlaceName[],
  counts: Counts,
  goal: Goal,
  rng: Rng,
): readonly PlacedObject[] | undefined {
  const left = places.map(({ type }) => receptacleTypes[type].room);
  const lit = new Set<PlaceName>();
  const placed: PlacedObject[] = [];
  for (const [type, count] of counts) {
    const wanted = places.map((place) => (solves(type, place, goal, lit) ? 0 : weightOf(type, place, goal)));
    for (let number = 1; number <= count; number += 1) {
      const at = drawWeighted(
        wanted.map((weight, index) => (left[index] === 0 ? 0 : weight)),
        rng,
      );
      if (at === undefined) return undefined;
      const place = places[at] as PlaceName;
      left[at] = (left[at] as number) - 1;
      placed.push({ type, number, place });
      if (goal.family === 'look' && type === goal.lamp) lit.add(place);
    }
  }
  return placed;
}

/** True where this initial place of the object would leave too little to do. */
function solves(type: ObjectType, place: PlaceName, goal: Goal, lit: ReadonlySet<PlaceName>): boolean {
  if (type !== goal.object) return false;
  if (goal.family === 'look') return lit.has(place);
  return place.type === goal.receptacle;
}

/**
 * The weight of a place. Objects of the goal are misplaced: every place that can hold them is equally likely.
 * Other objects are in their usual places.
 */
function weightOf(type: ObjectType, place: PlaceName, goal: Goal): number {
  const weight = objectTypes[type].places[place.type] ?? 0;
  return type === goal.object ? Math.sign(weight) : weight;
}

/** A random index, by weight; undefined when all weights are 0. */
function drawWeighted(weights: readonly number[], rng: Rng): number | undefined {
  let draw = rng.uniform() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    draw -= weight;
    if (draw < 0) return index;
  }
  return undefined;
}
