/*
 * The materials, items and recipes of Crafter 1.8.3 (Hafner 2021), and its achievements. A cell of the world is one character.
 */

/** Side of the world in cells, and of the chunks in which animals and monsters come and go. */
export const [side, chunk] = [64, 12];
/** Columns and rows that the player sees. */
export const [viewColumns, viewRows] = [9, 7];

export const materials = {
  '.': 'grass',
  ',': 'sand',
  _: 'path',
  '#': 'stone',
  T: 'tree',
  '~': 'water',
  '^': 'lava',
  c: 'coal',
  i: 'iron',
  d: 'diamond',
  t: 'table',
  f: 'furnace',
} as const satisfies Readonly<Record<string, string>>;

/** Materials that the player, animals and monsters can enter. */
export const walkable = '._,';

export const needs = ['health', 'food', 'drink', 'energy'] as const;
export const goods = [
  'sapling', 'wood', 'stone', 'coal', 'iron', 'diamond',
  'wood pickaxe', 'stone pickaxe', 'iron pickaxe', 'wood sword', 'stone sword', 'iron sword',
] as const; // prettier-ignore
export type Item = (typeof needs)[number] | (typeof goods)[number];
export type Stock = Readonly<Partial<Record<Item, number>>>;

/** The most of each item; needs start with it. */
export const most = 9;

/** What a cell gives, what that takes, and what it leaves. Grass gives a sapling with probability 0.1. */
export const collect: Readonly<
  Record<
    string,
    { readonly gives: Item; readonly takes?: Item; readonly leaves: string; readonly chance?: number }
  >
> = {
  T: { gives: 'wood', leaves: '.' },
  '#': { gives: 'stone', takes: 'wood pickaxe', leaves: '_' },
  c: { gives: 'coal', takes: 'wood pickaxe', leaves: '_' },
  i: { gives: 'iron', takes: 'stone pickaxe', leaves: '_' },
  d: { gives: 'diamond', takes: 'iron pickaxe', leaves: '_' },
  '~': { gives: 'drink', leaves: '~' },
  '.': { gives: 'sapling', leaves: '.', chance: 0.1 },
};

export const place = {
  stone: { uses: { stone: 1 }, where: '.,_~^', becomes: '#' },
  table: { uses: { wood: 2 }, where: '.,_', becomes: 't' },
  furnace: { uses: { stone: 4 }, where: '.,_', becomes: 'f' },
  plant: { uses: { sapling: 1 }, where: '.', becomes: undefined },
} as const satisfies Readonly<
  Record<string, { readonly uses: Stock; readonly where: string; readonly becomes: string | undefined }>
>;

export const make = {
  'wood pickaxe': { uses: { wood: 1 }, near: 't' },
  'stone pickaxe': { uses: { wood: 1, stone: 1 }, near: 't' },
  'iron pickaxe': { uses: { wood: 1, coal: 1, iron: 1 }, near: 'tf' },
  'wood sword': { uses: { wood: 1 }, near: 't' },
  'stone sword': { uses: { wood: 1, stone: 1 }, near: 't' },
  'iron sword': { uses: { wood: 1, coal: 1, iron: 1 }, near: 'tf' },
} as const satisfies Readonly<Record<string, { readonly uses: Stock; readonly near: string }>>;

export const achievements = [
  'collect coal', 'collect diamond', 'collect drink', 'collect iron', 'collect sapling', 'collect stone', 'collect wood',
  'defeat skeleton', 'defeat zombie', 'eat cow', 'eat plant',
  'make iron pickaxe', 'make iron sword', 'make stone pickaxe', 'make stone sword', 'make wood pickaxe', 'make wood sword',
  'place furnace', 'place plant', 'place stone', 'place table', 'wake up',
] as const; // prettier-ignore
export type Achievement = (typeof achievements)[number];

/** The four directions by their numbers, in Crafter's order. */
export const directionNames = ['left', 'right', 'up', 'down'] as const;
export const offsets = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
] as const;

/**
 * Crafter's score: the geometric mean of the success rates of all achievements, in percent. It weighs rare achievements more than a plain
 * mean: `exp(mean(ln(1 + rate))) - 1` (Hafner 2021, equation 1).
 *
 * @param rates the share of episodes that unlock each achievement, from 0 to 1; a missing one is 0
 */
export function survivalScore(rates: Readonly<Record<string, number>>): number {
  const logs = achievements.map((name) => Math.log(1 + 100 * (rates[name] ?? 0)));
  return Math.exp(logs.reduce((sum, log) => sum + log, 0) / achievements.length) - 1;
}
