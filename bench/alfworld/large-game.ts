import { writeGame, type WrittenGame } from '../../envs/alfworld/write-game/write-game.ts';
import type { Rng } from '../../envs/core/rng.ts';

const openable = ['cabinet', 'drawer', 'fridge', 'microwave'];
const kinds = [
  'cabinet',
  'cabinet',
  'cabinet',
  'drawer',
  'drawer',
  'countertop',
  'diningtable',
  'shelf',
  'sidetable',
  'stoveburner',
];
const things = [
  'apple',
  'bowl',
  'bread',
  'cup',
  'egg',
  'fork',
  'knife',
  'ladle',
  'lettuce',
  'mug',
  'pan',
  'plate',
  'pot',
  'potato',
  'spatula',
  'spoon',
  'tomato',
  'vase',
];

/** A kitchen as full as those of ALFWorld's games: 30 receptacles, 100 objects, everything goes everywhere. */
export function largeGame(rng: Rng): WrittenGame {
  const placeKinds = [
    'fridge',
    'microwave',
    'sinkbasin',
    ...Array.from({ length: 27 }, () => rng.pick(kinds)),
  ];
  const thingKinds = Array.from({ length: 100 }, () => rng.pick(things));
  return writeGame({
    goal: { family: 'cool', object: 'mug', target: 'countertop' },
    instruction: 'put a cool mug in countertop.',
    dialect: 'current',
    placeKinds: Object.fromEntries(
      [...new Set(placeKinds)].map((kind) => [kind, { openable: openable.includes(kind), holds: things }]),
    ),
    objectKinds: Object.fromEntries(
      things.map((kind) => [
        kind,
        { abilities: ['pickup', 'clean', 'heat', 'cool', ...(kind === 'knife' ? ['cut'] : ['slice'])] },
      ]),
    ),
    places: numbered(placeKinds),
    objects: numbered(thingKinds).map((thing) => ({ ...thing, place: rng.int(placeKinds.length) })),
    walkthrough: ['look'],
  });
}

function numbered(kindsOf: readonly string[]): { readonly kind: string; readonly number: number }[] {
  const counts = new Map<string, number>();
  return kindsOf.map((kind) => {
    const number = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, number);
    return { kind, number };
  });
}
