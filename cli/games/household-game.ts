import type { DialectName } from '../../envs/household/dialect.ts';
import { dialects } from '../../envs/household/dialect.ts';
import { goalTarget } from '../../envs/household/goal.ts';
import { objectTypes, type Ability, type ObjectType } from '../../envs/household/object-types.ts';
import { planTask } from '../../envs/household/planner.ts';
import { receptacleTypes, type ReceptacleType } from '../../envs/household/receptacle-types.ts';
import { nameOf, type HouseholdTask } from '../../envs/household/task.ts';
import { writeGame, type WrittenGame } from '../../envs/alfworld/write-game/write-game.ts';

/** A household task as a game in ALFWorld's format. */
export function householdGame(task: HouseholdTask, dialect: DialectName): WrittenGame {
  const placeNames = task.places.map(nameOf);
  const { family, object } = task.goal;
  return writeGame({
    goal: { family, object, target: goalTarget(task.goal) },
    instruction: task.instruction,
    dialect,
    placeKinds: Object.fromEntries(
      entriesOf(receptacleTypes).map(([kind, { openable }]) => [kind, { openable, holds: heldIn(kind) }]),
    ),
    objectKinds: Object.fromEntries(
      entriesOf(objectTypes).map(([kind, { abilities }]) => [
        kind,
        { abilities: abilities.filter((ability) => ability !== 'lamp') satisfies readonly Ability[] },
      ]),
    ),
    places: task.places.map(({ type, number }) => ({ kind: type, number })),
    objects: task.objects.map(({ type, number, place }) => ({
      kind: type,
      number,
      place: placeNames.indexOf(nameOf(place)),
    })),
    walkthrough: planTask(task, dialects[dialect]) ?? null,
  });
}

const heldIn = (place: ReceptacleType): readonly ObjectType[] =>
  entriesOf(objectTypes).flatMap(([kind, { places }]) => (places[place] === undefined ? [] : [kind]));

const entriesOf = <K extends string, V>(record: Readonly<Record<K, V>>): readonly [K, V][] =>
  Object.entries(record) as [K, V][];
