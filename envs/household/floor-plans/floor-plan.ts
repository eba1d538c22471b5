import type { ReceptacleType } from '../receptacle-types.ts';

/** How many receptacles of each kind a room has. No two plans of this folder are alike. */
export type FloorPlan = Readonly<Partial<Record<ReceptacleType, number>>>;
