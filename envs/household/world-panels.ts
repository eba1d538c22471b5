import { floorPlans } from './floor-plans/floor-plans.ts';
import { families, type Family, type Goal } from './goal.ts';
import { suits, type Recipe, type RoomKind } from './generate-task.ts';
import { heldOutPairings, heldOutPlans } from './held-out.ts';
import type { PanelSpec } from './panels.ts';
import { possibleGoals } from './possible-goals.ts';
import { stocks, type RoomType } from './room-types.ts';
import { plainWording } from './wording.ts';

/** The rooms of each family. A room that is listed twice is drawn twice as often. */
const roomsOfFamily: Readonly<Record<Family, readonly RoomType[]>> = {
  pick: ['kitchen', 'livingroom', 'bedroom', 'bathroom'],
  look: ['bedroom', 'bedroom', 'livingroom'],
  clean: ['kitchen', 'kitchen', 'kitchen', 'bathroom'],
  heat: ['kitchen'],
  cool: ['kitchen'],
  pick2: ['kitchen', 'livingroom', 'bedroom', 'bathroom'],
};

const isHeldOutPlan = (name: string): boolean => heldOutPlans.includes(name);

export function isHeldOutGoal(goal: Goal): boolean {
  return (
    heldOutPairings[goal.object]?.includes(goal.family === 'look' ? goal.lamp : goal.receptacle) ?? false
  );
}

/** The recipe with only held-out rooms and goals, or with none of them. */
function recipe(heldOut: boolean): Recipe {
  const kindOf = (family: Family, room: RoomType): RoomKind => {
    const rooms = Object.entries(floorPlans[room])
      .filter(([name]) => isHeldOutPlan(name) === heldOut)
      .map(([name, plan]) => ({ name, plan, stock: stocks[room] }));
    const goals = possibleGoals(family, stocks[room]).filter(
      (goal) => isHeldOutGoal(goal) === heldOut && rooms.some((choice) => suits(choice, goal)),
    );
    return { rooms, goals };
  };
  const kinds = (family: Family): readonly RoomKind[] =>
    roomsOfFamily[family].map((room) => kindOf(family, room));
  return {
    rooms: Object.fromEntries(families.map((family) => [family, kinds(family)])) as Recipe['rooms'],
    wording: plainWording,
    objects: [20, 45],
  };
}

const familiar = (): Recipe => recipe(false);
const novel = (): Recipe => recipe(true);

/** The panels of `household-v1`. The family counts of `train`, `seen` and `unseen` are ALFWorld's. */
export const worldPanels: readonly PanelSpec[] = [
  {
    name: 'train',
    purpose: 'train',
    summary: 'rooms and goals to learn from',
    counts: { pick: 790, look: 308, clean: 650, heat: 459, cool: 533, pick2: 813 },
    recipe: familiar,
  },
  {
    name: 'dev',
    purpose: 'dev',
    summary: 'the floor plans and pairings of train, with placements of its own',
    counts: { pick: 57, look: 22, clean: 47, heat: 33, cool: 38, pick2: 59 },
    recipe: familiar,
  },
  {
    name: 'seen',
    purpose: 'held-out',
    summary: 'the floor plans and pairings of train, with new placements',
    counts: { pick: 35, look: 13, clean: 27, heat: 16, cool: 25, pick2: 24 },
    recipe: familiar,
  },
  {
    name: 'unseen',
    purpose: 'held-out',
    summary: 'floor plans and pairings of object and place that train never has',
    counts: { pick: 24, look: 18, clean: 31, heat: 23, cool: 21, pick2: 17 },
    recipe: novel,
  },
  {
    name: 'unseen-1000',
    purpose: 'held-out',
    summary: 'the same kind as unseen, 1,000 tasks for narrower intervals',
    counts: { pick: 179, look: 134, clean: 231, heat: 172, cool: 157, pick2: 127 },
    recipe: novel,
  },
];
