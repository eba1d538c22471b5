import { z } from 'zod';
import type { Snapshot } from '../core/env.ts';
import { foreignSnapshot, readSnapshot } from '../kit/snapshot.ts';
import { Episode } from './episode.ts';
import { nowhere, type Scene } from './scene.ts';

const index = z.int().min(nowhere).max(255);
const bit = z.int().min(0).max(1);

const worldSchema = z.strictObject({
  task: z.strictObject({ panel: z.string(), index: z.int().min(0) }),
  player: index,
  objects: z.array(index),
  conditions: z.array(z.int().min(0).max(31)),
  doors: z.array(bit),
});

const episodeSchema = z.strictObject({ seen: z.array(bit), observation: z.string() });

/** A point of an episode as plain values. Indices are those of the task's scene. */
export interface SavedPoint {
  /**
   * `player` is the place in front. `objects` are the places of objects. -1 is the middle of the room, or the
   * hand.
   */
  readonly world: z.output<typeof worldSchema>;
  readonly episode: z.output<typeof episodeSchema>;
}

/** Saves the current point of the episode. */
export function savePoint({ scene, world, seen }: Episode, observation: string): SavedPoint {
  return {
    world: {
      task: { panel: scene.ref.panel, index: scene.ref.index },
      player: world.player,
      objects: scene.things.map((_, thing) => world.placeOf(thing)),
      conditions: scene.things.map((_, thing) => world.conditionOf(thing)),
      doors: scene.places.map((_, place) => (world.isOpen(place) ? 1 : 0)),
    },
    episode: { seen: [...seen], observation },
  };
}

const pointSchema = z.object({ world: worldSchema, episode: episodeSchema });

/**
 * Parses a snapshot.
 *
 * @throws UsageError where the snapshot was not taken from a household env
 */
export const readPoint = (snapshot: Snapshot): SavedPoint => readSnapshot(pointSchema, snapshot, 'household');

/**
 * Restores an episode at the point.
 *
 * @throws UsageError where the point does not fit the scene
 */
export function restorePoint(scene: Scene, { world, episode: { seen } }: SavedPoint): Episode {
  const things = scene.things.length;
  const places = scene.places.length;
  const fits =
    world.objects.length === things &&
    world.conditions.length === things &&
    world.doors.length === places &&
    seen.length === places &&
    [...world.objects, world.player].every((place) => place < places) &&
    world.objects.filter((place) => place === nowhere).length <= 1;
  if (!fits) throw foreignSnapshot('household', 'it does not fit the room of its task.');
  const episode = new Episode(scene);
  episode.world.player = world.player;
  for (let thing = 0; thing < things; thing += 1) {
    episode.world.put(thing, world.objects[thing] as number);
    episode.world.setCondition(thing, world.conditions[thing] as number);
  }
  for (let place = 0; place < places; place += 1) episode.world.setOpen(place, world.doors[place] === 1);
  episode.seen.set(seen);
  return episode;
}
