import type { FloorPlan } from './floor-plans/floor-plan.ts';
import { families, type Family } from './goal.ts';
import { suits, type Recipe, type RoomChoice } from './generate-task.ts';
import type { PanelSpec } from './panels.ts';
import { possibleGoals } from './possible-goals.ts';
import type { Stock } from './room-types.ts';
import { plainWording } from './wording.ts';
import { isHeldOutGoal } from './world-panels.ts';

/** Flats of one room with one receptacle of each kind. Every flat has a place for the lamp. */
const familiarFlats: Readonly<Record<string, FloorPlan>> = {
  'small-1': { cabinet: 1, countertop: 1, fridge: 1, microwave: 1, sidetable: 1 },
  'small-2': { countertop: 1, drawer: 1, fridge: 1, shelf: 1, sinkbasin: 1 },
  'small-3': { cabinet: 1, drawer: 1, microwave: 1, shelf: 1, sinkbasin: 1 },
  'small-4': { countertop: 1, fridge: 1, microwave: 1, sidetable: 1, sinkbasin: 1 },
  'small-5': { cabinet: 1, fridge: 1, shelf: 1, sidetable: 1, sinkbasin: 1 },
  'small-6': { countertop: 1, drawer: 1, fridge: 1, microwave: 1, shelf: 1, sinkbasin: 1 },
  'small-7': { cabinet: 1, countertop: 1, microwave: 1, sidetable: 1, sinkbasin: 1 },
  'small-8': { cabinet: 1, drawer: 1, fridge: 1, microwave: 1, sidetable: 1 },
  'small-9': { countertop: 1, drawer: 1, microwave: 1, shelf: 1, sidetable: 1, sinkbasin: 1 },
  'small-10': { cabinet: 1, countertop: 1, fridge: 1, microwave: 1, shelf: 1, sinkbasin: 1 },
};

/** The flats of the `unseen` panel. */
const novelFlats: Readonly<Record<string, FloorPlan>> = {
  'small-11': { countertop: 1, drawer: 1, fridge: 1, microwave: 1, sidetable: 1, sinkbasin: 1 },
  'small-12': { cabinet: 1, countertop: 1, fridge: 1, microwave: 1, shelf: 1, sidetable: 1 },
  'small-13': { drawer: 1, fridge: 1, shelf: 1, sidetable: 1, sinkbasin: 1 },
  'small-14': { cabinet: 1, countertop: 1, drawer: 1, microwave: 1, sidetable: 1, sinkbasin: 1 },
};

/**
 * At most one object of each kind, apart from a spare of the goal's object. So no goal needs two objects, and
 * no goal is of the family `pick2`.
 */
const stock: Stock = {
  apple: [0, 1],
  book: [0, 1],
  bowl: [0, 1],
  bread: [0, 1],
  cup: [0, 1],
  desklamp: [1, 1],
  egg: [0, 1],
  keychain: [0, 1],
  mug: [0, 1],
  tomato: [0, 1],
};

function recipe(flats: Readonly<Record<string, FloorPlan>>, heldOut: boolean): Recipe {
  const rooms = Object.entries(flats).map(([name, plan]): RoomChoice => ({ name, plan, stock }));
  const kindsOf = (family: Family): Recipe['rooms'][Family] => [
    {
      rooms,
      goals: possibleGoals(family, stock).filter(
        (goal) => isHeldOutGoal(goal) === heldOut && rooms.some((room) => suits(room, goal)),
      ),
    },
  ];
  return {
    rooms: Object.fromEntries(families.map((family) => [family, kindsOf(family)])) as Recipe['rooms'],
    wording: plainWording,
    objects: [4, 8],
  };
}

const familiar = (): Recipe => recipe(familiarFlats, false);
const novel = (): Recipe => recipe(novelFlats, true);

/** The panels of `household-small-v1`. The shares of its five families are near those of `household-v1`. */
export const smallPanels: readonly PanelSpec[] = [
  {
    name: 'train',
    purpose: 'train',
    summary: 'small flats and goals to learn from',
    counts: { pick: 700, look: 300, clean: 700, heat: 600, cool: 700, pick2: 0 },
    recipe: familiar,
  },
  {
    name: 'dev',
    purpose: 'dev',
    summary: 'the flats and pairings of train, with placements of its own',
    counts: { pick: 30, look: 12, clean: 30, heat: 26, cool: 30, pick2: 0 },
    recipe: familiar,
  },
  {
    name: 'unseen',
    purpose: 'held-out',
    summary:
      'other small flats, and pairings of object and place that no training panel of a household world has',
    counts: { pick: 117, look: 50, clean: 117, heat: 99, cool: 117, pick2: 0 },
    recipe: novel,
  },
];
