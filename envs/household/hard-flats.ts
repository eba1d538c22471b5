import type { FloorPlan } from './floor-plans/floor-plan.ts';
import { floorPlans } from './floor-plans/floor-plans.ts';
import type { ObjectType } from './object-types.ts';
import { stocks, type RoomType, type Stock } from './room-types.ts';

/** Two rooms of the ordinary world combined, by the names of their floor plans: 30 to 40 receptacles. */
export type Flat = readonly [first: string, second: string];

/** The flats of training and `dev`, all from plans that `household-v1` trains on. */
export const familiarFlats: readonly Flat[] = [
  ['kitchen-7', 'livingroom-23'],
  ['kitchen-2', 'livingroom-26'],
  ['kitchen-24', 'livingroom-24'],
  ['kitchen-21', 'livingroom-7'],
  ['kitchen-13', 'livingroom-1'],
  ['kitchen-19', 'livingroom-13'],
  ['kitchen-12', 'bedroom-7'],
  ['kitchen-24', 'bedroom-4'],
  ['kitchen-19', 'bedroom-10'],
  ['kitchen-22', 'bedroom-1'],
  ['kitchen-4', 'bedroom-22'],
  ['kitchen-21', 'bedroom-17'],
  ['kitchen-18', 'bathroom-2'],
  ['kitchen-24', 'bathroom-11'],
  ['kitchen-7', 'bathroom-5'],
  ['kitchen-21', 'bathroom-7'],
  ['kitchen-4', 'bathroom-26'],
  ['kitchen-13', 'bathroom-20'],
  ['livingroom-10', 'bedroom-7'],
  ['livingroom-7', 'bedroom-24'],
  ['livingroom-4', 'bedroom-4'],
  ['livingroom-14', 'bedroom-9'],
  ['livingroom-9', 'bedroom-11'],
  ['livingroom-1', 'bedroom-8'],
  ['bedroom-4', 'bathroom-16'],
  ['bedroom-10', 'bathroom-11'],
  ['bedroom-1', 'bathroom-13'],
  ['bedroom-20', 'bathroom-20'],
  ['bedroom-5', 'bathroom-5'],
  ['bedroom-9', 'bathroom-12'],
  ['livingroom-23', 'bathroom-14'],
  ['livingroom-17', 'bathroom-25'],
  ['livingroom-11', 'bathroom-23'],
  ['livingroom-13', 'bathroom-22'],
  ['livingroom-14', 'bathroom-18'],
  ['livingroom-16', 'bathroom-17'],
];

/** The flats of the `unseen` panel, all from held-out plans. */
export const novelFlats: readonly Flat[] = [
  ['kitchen-30', 'livingroom-29'],
  ['kitchen-29', 'livingroom-30'],
  ['kitchen-30', 'bedroom-29'],
  ['kitchen-29', 'bathroom-29'],
  ['kitchen-30', 'bathroom-27'],
  ['livingroom-27', 'bedroom-29'],
  ['livingroom-28', 'bedroom-27'],
  ['bedroom-29', 'bathroom-27'],
  ['bedroom-28', 'bathroom-30'],
  ['livingroom-30', 'bathroom-29'],
  ['livingroom-29', 'bathroom-30'],
];

/** The room type of a plan. */
export const roomTypeOf = (plan: string): RoomType => plan.slice(0, plan.indexOf('-')) as RoomType;

/** The receptacles of both rooms. */
export function flatPlan(flat: Flat): FloorPlan {
  const sum: Record<string, number> = {};
  for (const name of flat) {
    for (const [receptacle, count] of Object.entries(floorPlans[roomTypeOf(name)][name] as FloorPlan)) {
      sum[receptacle] = (sum[receptacle] ?? 0) + count;
    }
  }
  return sum;
}

/** The stock of both rooms. A kind in both stocks is no more frequent than in one of them. */
export function flatStock(rooms: readonly RoomType[]): Stock {
  const stock: Partial<Record<ObjectType, readonly [number, number]>> = {};
  for (const room of rooms) {
    for (const [object, [least, most]] of Object.entries(stocks[room]) as [
      ObjectType,
      readonly [number, number],
    ][]) {
      const before = stock[object] ?? [0, 0];
      stock[object] = [Math.max(before[0], least), Math.max(before[1], most)];
    }
  }
  return stock;
}
