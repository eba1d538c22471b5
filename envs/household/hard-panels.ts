import { families, type Family } from './goal.ts';
import { suits, type Recipe, type RoomChoice, type RoomKind } from './generate-task.ts';
import { familiarFlats, flatPlan, flatStock, novelFlats, roomTypeOf, type Flat } from './hard-flats.ts';
import { reservedObjects, type ObjectType } from './object-types.ts';
import type { PanelSpec } from './panels.ts';
import { possibleGoals } from './possible-goals.ts';
import { roomTypes, type RoomType, type Stock } from './room-types.ts';
import type { Wording } from './wording.ts';
import { isHeldOutGoal } from './world-panels.ts';

/** Requests as people phrase them: they name the object and the place, and imply the chore. */
export const looseWording: Wording = {
  pick: [
    'bring a {object} over to the {target} and leave it there.',
    'the {target} is where a {object} belongs, so see to it.',
    'tidy up: some {object} should end up at the {target}.',
  ],
  look: [
    'have a closer look at a {object} while the {target} is shining.',
    'hold some {object} next to the {target} with its light on.',
    'inspect a {object} in the glow of the {target}.',
  ],
  clean: [
    'rinse off a {object} before it goes to the {target}.',
    'the {target} should get a freshly washed {object}.',
    'wash some {object}, then store it at the {target}.',
  ],
  heat: [
    'warm up a {object} and leave it at the {target}.',
    'the {target} should get a steaming {object}.',
    'someone wants a heated {object} waiting at the {target}.',
  ],
  cool: [
    'chill a {object} and leave it at the {target}.',
    'the {target} should get an ice-cold {object}.',
    'someone wants a {object} at the {target}, well chilled.',
  ],
  pick2: [
    'gather a pair of {object} in one {target}.',
    'one {object} is not enough: the same {target} needs two of them.',
    'bring two of the {object} together in a single {target}.',
  ],
};

/** A family plays in flats that have one of these rooms. */
const roomsOfFamily: Readonly<Record<Family, readonly RoomType[]>> = {
  pick: roomTypes,
  look: ['bedroom', 'livingroom'],
  clean: ['kitchen', 'bathroom'],
  heat: ['kitchen'],
  cool: ['kitchen'],
  pick2: roomTypes,
};

type IsAsked = (object: ObjectType, heldOut: boolean) => boolean;

const isReserved = (object: ObjectType): boolean => object in reservedObjects;

/** Adds the reserved kinds of objects, wherever their places exist. */
function withReserved(stock: Stock): Stock {
  return { ...stock, ...Object.fromEntries(Object.keys(reservedObjects).map((object) => [object, [0, 2]])) };
}

function recipe(
  flats: readonly Flat[],
  options: { readonly reserved: boolean; readonly isAsked: IsAsked },
): Recipe {
  const kinds = new Map<string, RoomChoice[]>();
  for (const flat of flats) {
    const rooms = flat.map(roomTypeOf);
    const stock = options.reserved ? withReserved(flatStock(rooms)) : flatStock(rooms);
    const choice: RoomChoice = { name: flat.join('+'), plan: flatPlan(flat), stock };
    kinds.set(rooms.join('+'), [...(kinds.get(rooms.join('+')) ?? []), choice]);
  }
  const kindsOf = (family: Family): readonly RoomKind[] =>
    [...kinds.entries()]
      .filter(([kind]) => kind.split('+').some((room) => roomsOfFamily[family].includes(room as RoomType)))
      .map(([, rooms]) => ({
        rooms,
        goals: possibleGoals(family, (rooms[0] as RoomChoice).stock).filter(
          (goal) =>
            options.isAsked(goal.object, isHeldOutGoal(goal)) && rooms.some((room) => suits(room, goal)),
        ),
      }));
  return {
    rooms: Object.fromEntries(families.map((family) => [family, kindsOf(family)])) as Recipe['rooms'],
    wording: looseWording,
    objects: [25, 65],
  };
}

const familiar = (): Recipe =>
  recipe(familiarFlats, { reserved: false, isAsked: (_object, heldOut) => !heldOut });
const novel = (): Recipe => recipe(novelFlats, { reserved: true, isAsked: isReserved });

/** The panels of `household-hard-v1`. The shares of the families are those of `household-v1`. */
export const hardPanels: readonly PanelSpec[] = [
  {
    name: 'train',
    purpose: 'train',
    summary: 'flats and goals to learn from',
    counts: { pick: 444, look: 173, clean: 366, heat: 258, cool: 300, pick2: 459 },
    recipe: familiar,
  },
  {
    name: 'dev',
    purpose: 'dev',
    summary: 'the flats and pairings of train, with placements of its own',
    counts: { pick: 28, look: 11, clean: 24, heat: 17, cool: 19, pick2: 29 },
    recipe: familiar,
  },
  {
    name: 'unseen',
    purpose: 'held-out',
    summary: 'flats, words for objects and pairings that no training panel of a household world has',
    counts: { pick: 45, look: 34, clean: 58, heat: 43, cool: 39, pick2: 31 },
    recipe: novel,
  },
];
