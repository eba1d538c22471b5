import type { Json } from '../core/json.ts';
import type { FloorPlan } from './floor-plans/floor-plan.ts';
import type { Goal } from './goal.ts';
import type { ObjectType } from './object-types.ts';
import type { ReceptacleType } from './receptacle-types.ts';

/** A receptacle of a room: `cabinet 3` is the third of its kind. */
export interface PlaceName {
  readonly type: ReceptacleType;
  readonly number: number;
}

/** An object of a room and its initial place. */
export interface PlacedObject {
  readonly type: ObjectType;
  readonly number: number;
  readonly place: PlaceName;
}

/** A complete problem: a room, its objects, and the goal. Everything else is a function of it. */
export interface HouseholdTask {
  readonly goal: Goal;
  /** The goal as a sentence, with its full stop. */
  readonly instruction: string;
  /** Name of the floor plan. */
  readonly plan: string;
  readonly places: readonly PlaceName[];
  readonly objects: readonly PlacedObject[];
}

export const nameOf = (noun: { readonly type: string; readonly number: number }): string =>
  `${noun.type} ${noun.number}`;

/** The receptacles of a plan, numbered from 1 within each kind. */
export function placesOf(plan: FloorPlan): readonly PlaceName[] {
  return (Object.entries(plan) as [ReceptacleType, number][]).flatMap(([type, count]) =>
    Array.from({ length: count }, (_, index): PlaceName => ({ type, number: index + 1 })),
  );
}

/**
 * The canonical content: tasks with equal content are the same task. It contains the receptacles of the floor
 * plan, not its name.
 */
export function contentOf(task: HouseholdTask): Json {
  return {
    goal: { ...task.goal },
    instruction: task.instruction,
    places: task.places.map(nameOf),
    objects: Object.fromEntries(
      task.objects.map((object): [string, string] => [nameOf(object), nameOf(object.place)]),
    ),
  };
}
