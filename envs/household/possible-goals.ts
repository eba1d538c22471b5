import { appliances, treatmentOf, type Family, type Goal, type PlacingFamily } from './goal.ts';
import { hasAbility, objectTypes, type ObjectType } from './object-types.ts';
import type { ReceptacleType } from './receptacle-types.ts';
import type { Stock } from './room-types.ts';

/** Receptacles that no goal names. */
const neverAsked: ReadonlySet<ReceptacleType> = new Set(['toaster']);

/** All goals of the family that are possible in rooms of this stock, whatever their receptacles. */
export function possibleGoals(family: Family, stock: Stock): readonly Goal[] {
  const objects = (Object.keys(stock) as ObjectType[]).filter((object) => hasAbility(object, 'pickup'));
  if (family === 'look') {
    const lamps = (Object.keys(stock) as ObjectType[]).filter((object) => hasAbility(object, 'lamp'));
    return lamps.flatMap((lamp) => objects.map((object): Goal => ({ family, object, lamp })));
  }
  return objects.flatMap((object) => placings(family, object, stock));
}

function placings(family: PlacingFamily, object: ObjectType, stock: Stock): readonly Goal[] {
  const treatment = treatmentOf(family);
  if (treatment !== undefined && !hasAbility(object, treatment)) return [];
  if (family === 'pick2' && (stock[object]?.[1] ?? 0) < 2) return [];
  return (Object.keys(objectTypes[object].places) as ReceptacleType[])
    .filter(
      (receptacle) =>
        !neverAsked.has(receptacle) && (treatment === undefined || appliances[treatment] !== receptacle),
    )
    .map((receptacle): Goal => ({ family, object, receptacle }));
}

/** The two nouns of a goal in the format of held-out lists: `apple > fridge`. */
export function pairingOf(goal: Goal): string {
  return `${goal.object} > ${goal.family === 'look' ? goal.lamp : goal.receptacle}`;
}
