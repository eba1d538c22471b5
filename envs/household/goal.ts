import type { ObjectType } from './object-types.ts';
import type { ReceptacleType } from './receptacle-types.ts';

/** The six kinds of task, as tables name them. */
export const families = ['pick', 'look', 'clean', 'heat', 'cool', 'pick2'] as const;

export type Family = (typeof families)[number];

/** The families that end with an object in its place. */
export type PlacingFamily = Exclude<Family, 'look'>;

/** What must become true. */
export type Goal =
  | {
      /** An object of the kind, in the condition that the family asks for, is in a receptacle of the kind; for `pick2` two in the same one. */
      readonly family: PlacingFamily;
      readonly object: ObjectType;
      readonly receptacle: ReceptacleType;
    }
  | {
      /** An object of the kind is held where a lamp of the kind that has been turned on stands. */
      readonly family: 'look';
      readonly object: ObjectType;
      readonly lamp: ObjectType;
    };

/** Objects that the goal needs. */
export const goalCount = (goal: Goal): number => (goal.family === 'pick2' ? 2 : 1);

/** The word of the second noun of the goal. */
export const goalTarget = (goal: Goal): ReceptacleType | ObjectType =>
  goal.family === 'look' ? goal.lamp : goal.receptacle;

/** What brings an object into the condition asked for: the family, the ability that the object needs and the verb of the command. */
export type Treatment = 'clean' | 'heat' | 'cool';

/** The receptacle at which each treatment is done. */
export const appliances: Readonly<Record<Treatment, ReceptacleType>> = {
  clean: 'sinkbasin',
  heat: 'microwave',
  cool: 'fridge',
};

/** The treatment that the family asks for, if any. */
export function treatmentOf(family: Family): Treatment | undefined {
  return family === 'clean' || family === 'heat' || family === 'cool' ? family : undefined;
}
