import type { ObjectType } from './object-types.ts';
import type { ReceptacleType } from './receptacle-types.ts';

/** The six kinds of tasks, as tables name them. */
export const families = ['pick', 'look', 'clean', 'heat', 'cool', 'pick2'] as const;

export type Family = (typeof families)[number];

/** The families that end with an object in its place. */
export type PlacingFamily = Exclude<Family, 'look'>;

/** What must become true. */
export type Goal =
  | {
      /**
       * An object of the kind, in the condition of the family, is in a receptacle of the kind. For `pick2`,
       * two objects in the same one.
       */
      readonly family: PlacingFamily;
      readonly object: ObjectType;
      readonly receptacle: ReceptacleType;
    }
  | {
      /** An object of the kind is held in front of a lamp of the kind that is turned on. */
      readonly family: 'look';
      readonly object: ObjectType;
      readonly lamp: ObjectType;
    };

/** The number of objects that the goal needs. */
export const goalCount = (goal: Goal): number => (goal.family === 'pick2' ? 2 : 1);

/** The second noun of the goal. */
export const goalTarget = (goal: Goal): ReceptacleType | ObjectType =>
  goal.family === 'look' ? goal.lamp : goal.receptacle;

/**
 * Brings an object into the required condition. It is the name of the family, of the required ability and of
 * the command's verb.
 */
export type Treatment = 'clean' | 'heat' | 'cool';

/** The receptacle for each treatment. */
export const appliances: Readonly<Record<Treatment, ReceptacleType>> = {
  clean: 'sinkbasin',
  heat: 'microwave',
  cool: 'fridge',
};

/** The treatment of a family, if any. */
export function treatmentOf(family: Family): Treatment | undefined {
  return family === 'clean' || family === 'heat' || family === 'cool' ? family : undefined;
}
