import type { ReceptacleType } from '../receptacle-types.ts';

/** The number of receptacles of each kind in a room. All plans in this folder differ. */
export type FloorPlan = Readonly<Partial<Record<ReceptacleType, number>>>;
