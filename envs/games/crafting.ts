import { z } from 'zod';
import type { Rng } from '../core/rng.ts';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import { gameCatalogue, gameRecipes, nothingHidden } from './recipes.ts';

/** Things that can be fetched, and parts of the names of crafted things. */
const raw = [
  'log', 'stone', 'clay', 'sand', 'iron ore', 'coal', 'wool', 'reed', 'leather', 'feather', 'resin', 'copper ore', 'flax', 'bone', 'salt', 'honey',
] as const; // prettier-ignore
const kinds = [
  'plank', 'rod', 'brick', 'plate', 'rope', 'frame', 'lens', 'wheel', 'panel', 'gear', 'handle', 'lamp', 'chest', 'barrel', 'saddle', 'sail', 'anvil', 'cart', 'loom', 'bell',
] as const; // prettier-ignore
const makes = ['plain', 'fine', 'heavy', 'light', 'round', 'long'] as const;

interface Recipe {
  readonly makes: string;
  readonly count: number;
  readonly from: readonly (readonly [name: string, count: number])[];
}
interface Book {
  readonly goal: string;
  readonly recipes: readonly Recipe[];
}
interface Workshop {
  readonly book: Book;
  /** What the player has, by name; nothing is there with a count of 0. */
  readonly has: Readonly<Record<string, number>>;
}

const config = z.strictObject({
  depth: z.int().min(1).max(4).default(2).describe('crafting steps that build on each other'),
});

/** The ingredients of a recipe in words, as TextCraft writes them. */
const needs = ({ from }: Recipe): string => from.map(([name, count]) => `${count} ${name}`).join(', ');
const craftOf = (recipe: Recipe): string => `craft ${recipe.count} ${recipe.makes} using ${needs(recipe)}`;

/** Turns of an episode by depth, 1.5 times the longest plan or more. */
const limits = [10, 20, 40, 80] as const;
const limitOf = (depth: number): number => limits[depth - 1] ?? 80;

/** A workshop whose goal can be crafted in two thirds of the turns. */
function draw(rng: Rng, depth: number): Workshop {
  for (;;) {
    const workshop = drawBook(rng, depth);
    const { goal, recipes } = workshop.book;
    if (1.5 * planOf(goal, 1, recipes, new Map()).length <= limitOf(depth)) return workshop;
  }
}

/** A tree of recipes for the goal, and recipes that lead nowhere. */
function drawBook(rng: Rng, depth: number): Workshop {
  const names = rng.shuffle(makes.flatMap((make) => kinds.map((kind) => `${make} ${kind}`)));
  const goods = rng.shuffle(raw);
  const recipes: Recipe[] = [];
  const made: string[] = [];
  let used = 0;
  const nameNext = (): string => names[used++] ?? 'thing';
  const ingredient = (level: number): string => {
    if (level === 0) return rng.pick(goods);
    const again = made.length > 0 && rng.uniform() < 0.2 ? rng.pick(made) : undefined;
    return again ?? build(level);
  };
  const build = (level: number): string => {
    const makesName = nameNext();
    const first = ingredient(level - 1);
    const others = Array.from({ length: rng.int(2) + (level === 1 ? 1 : 0) }, () =>
      ingredient(rng.int(level)),
    );
    const from = [...new Set([first, ...others])].map((name): [string, number] => [name, 1 + rng.int(2)]);
    recipes.push({ makes: makesName, count: rng.uniform() < 0.3 ? 2 : 1, from });
    made.push(makesName);
    return makesName;
  };
  const goal = build(depth);
  for (let spare = 0; spare < 5; spare += 1)
    recipes.push({
      makes: nameNext(),
      count: 1,
      from: rng
        .shuffle([...goods, ...made])
        .slice(0, 2)
        .map((name): [string, number] => [name, 1 + rng.int(2)]),
    });
  return { book: { goal, recipes: rng.shuffle(recipes) }, has: {} };
}

/** What a player knows of a task, from its texts. */
const bookText = ({ goal, recipes }: Book): string =>
  `Recipes:\n${recipes.map(craftOf).join('\n')}\nGoal: craft ${goal}.`;

function hasText(has: Workshop['has']): string {
  const things = Object.entries(has).map(([name, count]) => `${count} ${name}`);
  return `Inventory: ${things.length === 0 ? 'nothing' : things.join(', ')}`;
}

/** Goods that a recipe needs and that none makes. */
const fetched = new WeakMap<Book, readonly string[]>();

function goodsOf(book: Book): readonly string[] {
  const known = fetched.get(book);
  if (known !== undefined) return known;
  const made = new Set(book.recipes.map((recipe) => recipe.makes));
  const goods = new Set(
    book.recipes.flatMap(({ from }) => from.map(([name]) => name)).filter((name) => !made.has(name)),
  );
  const actions = [...goods].toSorted().map((name) => `get 1 ${name}`);
  fetched.set(book, actions);
  return actions;
}

const canCraft = (has: Workshop['has'], { from }: Recipe): boolean =>
  from.every(([name, count]) => (has[name] ?? 0) >= count);

function crafted(has: Workshop['has'], recipe: Recipe): Workshop['has'] {
  const after: Record<string, number> = { ...has };
  for (const [name, count] of recipe.from) {
    const rest = (after[name] ?? 0) - count;
    if (rest > 0) after[name] = rest;
    else delete after[name];
  }
  after[recipe.makes] = (after[recipe.makes] ?? 0) + recipe.count;
  return after;
}

/** The actions that make `count` of a thing, and what is left in store. */
function planOf(
  name: string,
  count: number,
  recipes: readonly Recipe[],
  store: Map<string, number>,
): string[] {
  const there = store.get(name) ?? 0;
  if (there >= count) return [];
  const recipe = recipes.find((one) => one.makes === name);
  if (recipe === undefined) {
    store.set(name, count);
    return Array.from({ length: count - there }, () => `get 1 ${name}`);
  }
  const plan: string[] = [];
  while ((store.get(name) ?? 0) < count) {
    // What one ingredient takes of a shared part must be made again for the next, so the recipe is tried until all are there.
    for (const [part, each] of recipe.from) plan.push(...planOf(part, each, recipes, store));
    if (!recipe.from.every(([part, each]) => (store.get(part) ?? 0) >= each)) continue;
    for (const [part, each] of recipe.from) store.set(part, (store.get(part) ?? 0) - each);
    store.set(name, (store.get(name) ?? 0) + recipe.count);
    plan.push(craftOf(recipe));
  }
  return plan;
}

function readBook(text: string): Book {
  const goal = /Goal: craft ([a-z ]+)\./.exec(text)?.[1] ?? '';
  const recipes = [...text.matchAll(/^craft (\d+) ([a-z ]+) using (.+)$/gm)].map(
    ([, count = '1', name = '', from = '']): Recipe => ({
      makes: name,
      count: Number(count),
      from: from
        .split(', ')
        .map((part): [string, number] => [part.slice(part.indexOf(' ') + 1), Number.parseInt(part, 10)]),
    }),
  );
  return { goal, recipes };
}

function readStore(observation: string): Map<string, number> {
  const things = /^Inventory: (.*)$/m.exec(observation)?.[1] ?? 'nothing';
  if (things === 'nothing') return new Map();
  return new Map(
    things.split(', ').map((part) => [part.slice(part.indexOf(' ') + 1), Number.parseInt(part, 10)]),
  );
}

/**
 * Crafting trees in the manner of TextCraft (ADaPT, 2023): fetch goods and craft by the given recipes, some of which lead nowhere. The
 * recipes are drawn again for each task. The crafted goal pays 1.
 */
export const craftingEnv = defineTextEnv({
  ...drawnTasks({
    id: 'game-crafting-v1',
    config,
    draw: (rng, { depth }): Workshop => draw(rng, depth),
    instruction: (_config, { book }) =>
      `${bookText(book)}\nGet what no recipe makes, craft the rest, and use the recipes as they are written.`,
    family: (_start, { depth }) => `depth-${depth}`,
  }),
  summary: 'Crafting by drawn recipes that build on each other, in the manner of TextCraft',
  turnLimit: ({ depth }) => limitOf(depth),
  unchecked: nothingHidden,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['text', 'planning']),
  observe: ({ has }) => hasText(has),
  actions: ({ book, has }) => [
    ...goodsOf(book as Book),
    ...book.recipes.filter((recipe) => canCraft(has, recipe)).map(craftOf),
  ],
  step: ({ book, has }, action) => {
    if (action.startsWith('get ')) {
      const name = action.slice('get 1 '.length);
      return { state: { book, has: { ...has, [name]: (has[name] ?? 0) + 1 } } };
    }
    const recipe = book.recipes.find((one) => craftOf(one) === action);
    if (recipe === undefined) return { state: { book, has } };
    const state = { book, has: crafted(has, recipe) };
    return recipe.makes === book.goal ? { state, outcome: 'solved', reward: { crafted: 1 } } : { state };
  },
  features: (observation) => ({ fields: Object.fromEntries(readStore(observation)) }),
  target: (action) => ({
    verb: action.split(' ')[0] ?? '',
    value: action.startsWith('get ')
      ? action.slice('get 1 '.length)
      : (/^craft \d+ (.*) using/.exec(action)?.[1] ?? ''),
  }),
  experts: {
    planner: ({ book }) => planOf(book.goal, 1, book.recipes, new Map()),
    searcher: () => {
      let book: Book | undefined;
      return {
        act: (turn) => {
          if ('instruction' in turn) book = readBook(turn.instruction);
          const { goal = '', recipes = [] } = book ?? {};
          return planOf(goal, 1, recipes, readStore(turn.observation))[0] ?? '';
        },
      };
    },
  },
});
