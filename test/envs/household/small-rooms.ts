import { createContext } from '../../../envs/core/context.ts';
import type { StepResult } from '../../../envs/core/step.ts';
import { dialects, type DialectName } from '../../../envs/household/dialect.ts';
import { HouseholdEnv } from '../../../envs/household/env.ts';
import type { Goal } from '../../../envs/household/goal.ts';
import type { ObjectType } from '../../../envs/household/object-types.ts';
import type { ReceptacleType } from '../../../envs/household/receptacle-types.ts';
import { Scene } from '../../../envs/household/scene.ts';
import type { HouseholdTask, PlaceName } from '../../../envs/household/task.ts';

export const context = createContext({ seed: 1, now: () => 0 });

/** Splits `cabinet 2` into its parts. */
function placeNamed(name: string): PlaceName {
  const [type, number] = name.split(' ');
  return { type: type as ReceptacleType, number: Number(number) };
}

/** A room written down by hand: which object stands where. */
export function roomTask(room: {
  readonly goal: Goal;
  readonly instruction: string;
  readonly places: readonly string[];
  readonly objects: Readonly<Record<string, string>>;
}): HouseholdTask {
  return {
    goal: room.goal,
    instruction: room.instruction,
    plan: 'by-hand',
    places: room.places.map(placeNamed),
    objects: Object.entries(room.objects).map(([name, place]) => {
      const [type, number] = name.split(' ');
      return { type: type as ObjectType, number: Number(number), place: placeNamed(place) };
    }),
  };
}

const kitchenPlaces = [
  'cabinet 1',
  'cabinet 2',
  'countertop 1',
  'fridge 1',
  'garbagecan 1',
  'microwave 1',
  'sinkbasin 1',
];

const kitchenObjects = {
  'apple 1': 'fridge 1',
  'apple 2': 'countertop 1',
  'bowl 1': 'cabinet 1',
  'butterknife 1': 'countertop 1',
  'egg 1': 'fridge 1',
  'mug 1': 'countertop 1',
  'mug 2': 'cabinet 1',
  'potato 1': 'garbagecan 1',
  'spoon 1': 'sinkbasin 1',
};

export const kitchen = (goal: Goal, instruction: string): HouseholdTask =>
  roomTask({ goal, instruction, places: kitchenPlaces, objects: kitchenObjects });

const bedroomPlaces = ['bed 1', 'desk 1', 'drawer 1', 'drawer 2', 'safe 1', 'shelf 1', 'sidetable 1'];

const bedroomObjects = {
  'book 1': 'bed 1',
  'cd 1': 'drawer 2',
  'cd 2': 'desk 1',
  'desklamp 1': 'sidetable 1',
  'desklamp 2': 'desk 1',
  'keychain 1': 'shelf 1',
  'keychain 2': 'bed 1',
  'keychain 3': 'drawer 1',
  'pillow 1': 'bed 1',
};

export const bedroom = (goal: Goal, instruction: string): HouseholdTask =>
  roomTask({ goal, instruction, places: bedroomPlaces, objects: bedroomObjects });

export const sceneOf = (task: HouseholdTask, dialect: DialectName = 'current'): Scene =>
  new Scene({ panel: 'by-hand', index: 0 }, task, dialects[dialect]);

/** An env that plays this one task for every request. */
export function envOf(task: HouseholdTask, dialect: DialectName = 'current'): HouseholdEnv {
  const scene = sceneOf(task, dialect);
  return new HouseholdEnv(() => scene);
}

export type Line = readonly [command: string, answer: string];

/** Plays the commands and returns them with their answers, and how the last step ended. */
export async function play(
  env: HouseholdEnv,
  commands: readonly string[],
): Promise<{ lines: readonly Line[]; last: StepResult<string, string> | undefined }> {
  await env.reset({ panel: 'by-hand', index: 0 }, context);
  const lines: Line[] = [];
  let last: StepResult<string, string> | undefined;
  for (const command of commands) {
    last = await env.step(command, context);
    lines.push([command, last.observation]);
  }
  return { lines, last };
}
