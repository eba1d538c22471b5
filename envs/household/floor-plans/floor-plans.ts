import type { RoomType } from '../room-types.ts';
import { bathrooms } from './bathrooms.ts';
import { bedrooms } from './bedrooms.ts';
import type { FloorPlan } from './floor-plan.ts';
import { kitchens } from './kitchens.ts';
import { livingRooms } from './living-rooms.ts';

/** The rooms by name. `held-out.ts` lists those that training never sees. */
export const floorPlans: Readonly<Record<RoomType, Readonly<Record<string, FloorPlan>>>> = {
  kitchen: kitchens,
  livingroom: livingRooms,
  bedroom: bedrooms,
  bathroom: bathrooms,
};
