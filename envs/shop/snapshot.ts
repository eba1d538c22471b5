import { z } from 'zod';
import type { Snapshot } from '../core/env.ts';
import type { Json } from '../core/json.ts';
import type { TaskRef } from '../core/task.ts';
import { foreignSnapshot, readSnapshot } from '../kit/snapshot.ts';
import type { Goal } from './goals/goal.ts';
import type { Information, ShownFacts } from './information.ts';
import type { ShopPlace } from './place.ts';
import type { ShopSession } from './session.ts';
import type { Shop } from './shop.ts';
import { goalContent, type ShopTask } from './task.ts';

const whole = z.int().min(0);
const subPageName = z.enum(['Description', 'Features', 'Reviews', 'Attributes']);
const text = z.string();

const goalSchema = z.strictObject({
  asin: text,
  instruction: text,
  attributes: z.array(text),
  options: z.array(z.strictObject({ name: text.optional(), value: text })),
  priceUpper: z.number(),
  name: text,
  query: text,
  category: text,
  productCategory: text,
  weight: z.number(),
});

const onProduct = {
  query: text,
  page: z.int().min(1),
  product: whole,
  options: z.array(z.tuple([text, text])),
};

const placeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('start') }),
  z.strictObject({ kind: z.literal('results'), query: text, page: z.int().min(1) }),
  z.strictObject({ kind: z.literal('item'), ...onProduct }),
  z.strictObject({ kind: z.literal('sub-page'), ...onProduct, name: subPageName }),
]);

const worldSchema = z.strictObject({
  task: z.strictObject({ panel: text, index: whole }),
  goal: goalSchema,
  place: placeSchema,
  visited: z.array(whole),
});

const episodeSchema = z.strictObject({
  lists: z.array(text),
  opened: z.array(whole),
  read: z.array(z.tuple([whole, subPageName])),
});

/** A saved point of an episode. */
export interface SavedPoint {
  readonly task: TaskRef;
  readonly goal: Goal;
  readonly session: ShopSession;
  readonly shown: ShownFacts;
}

/**
 * The point as JSON. It contains the goal, which is part of the world. Only a purchase reveals anything of
 * it.
 */
export function savePoint(task: ShopTask, session: ShopSession, information: Information): Snapshot {
  const { panel, index } = task.ref;
  const { lists, opened, read } = information.facts();
  return {
    world: {
      task: { panel, index },
      goal: goalContent(task.goal),
      place: savedPlace(session.place),
      visited: [...session.visited].toSorted((a, b) => a - b),
    },
    episode: { lists, opened, read },
    steps: 0,
  };
}

const pointSchema = z.object({ world: worldSchema, episode: episodeSchema });

/**
 * Parses a snapshot.
 *
 * @throws UsageError where the snapshot was not taken from this shop
 */
export function readPoint(snapshot: Snapshot, shop: Shop): SavedPoint {
  const { world, episode } = readSnapshot(pointSchema, snapshot, 'a shop');
  const { place: saved, visited, goal } = world;
  const place: ShopPlace = 'options' in saved ? { ...saved, options: new Map(saved.options) } : saved;
  const products = [
    ...visited,
    ...episode.opened,
    ...episode.read.map(([product]) => product),
    ...('product' in place ? [place.product] : []),
  ];
  if (products.some((product) => product >= shop.catalogue.size))
    throw foreignSnapshot('a shop', 'it names a product that this shop does not have.');
  return {
    task: world.task,
    goal: { ...goal, options: goal.options.map(({ name, value }) => ({ name, value })) },
    session: { place, visited: new Set(visited) },
    shown: episode,
  };
}

/** The same point with another goal. */
export function withGoal(snapshot: Snapshot, goal: Goal): Snapshot {
  const world = snapshot.world as Readonly<Record<string, Json>>;
  return { ...snapshot, world: { ...world, goal: goalContent(goal) } };
}

function savedPlace(place: ShopPlace): Json {
  switch (place.kind) {
    case 'start':
      return { kind: place.kind };
    case 'results':
      return { kind: place.kind, query: place.query, page: place.page };
    case 'item':
      return {
        kind: place.kind,
        query: place.query,
        page: place.page,
        product: place.product,
        options: [...place.options].map(([name, value]) => [name, value]),
      };
    case 'sub-page':
      return {
        ...(savedPlace({ ...place, kind: 'item' }) as Readonly<Record<string, Json>>),
        kind: place.kind,
        name: place.name,
      };
    default:
      return place satisfies never;
  }
}
