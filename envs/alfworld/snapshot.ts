import { z } from 'zod';
import type { Snapshot } from '../core/env.ts';
import type { TaskRef } from '../core/task.ts';
import { foreignSnapshot, readSnapshot } from '../kit/snapshot.ts';
import type { FactSet } from '../engines/planning/facts.ts';
import { Episode } from './episode.ts';
import type { Game } from './game.ts';

const facts = z.array(z.int().min(0));

const pointSchema = z.object({
  world: z.strictObject({
    task: z.strictObject({ panel: z.string(), index: z.int().min(0) }),
    game: z.string(),
    changed: facts,
    denied: facts,
  }),
  episode: z.strictObject({ known: facts, observation: z.string() }),
});

/** A point of an episode as plain values. Facts are stored by number. */
export interface SavedPoint {
  /**
   * `changed`: facts that differ from the start. `denied`: facts that texts regard as made false. `game`
   * identifies the content of the game.
   */
  readonly world: {
    readonly task: { readonly panel: string; readonly index: number };
    readonly game: string;
    readonly changed: readonly number[];
    readonly denied: readonly number[];
  };
  readonly episode: { readonly known: readonly number[]; readonly observation: string };
}

export function savePoint(
  episode: Episode,
  at: { readonly task: TaskRef; readonly digest: string; readonly observation: string },
): SavedPoint {
  const { world, denied, known, game } = episode;
  return {
    world: {
      task: { panel: at.task.panel, index: at.task.index },
      game: at.digest,
      changed: world.difference(game.task.initial),
      denied: denied.members(),
    },
    episode: { known: known.members(), observation: at.observation },
  };
}

/**
 * Parses a snapshot.
 *
 * @throws UsageError where the snapshot was not taken from this env
 */
export const readPoint = (snapshot: Snapshot): SavedPoint => readSnapshot(pointSchema, snapshot, 'alfworld');

/**
 * Restores an episode at the point.
 *
 * @throws UsageError where the point belongs to another game
 */
export function restorePoint(game: Game, digest: string, { world, episode }: SavedPoint): Episode {
  const all = [world.changed, world.denied, episode.known];
  if (world.game !== digest || all.some((list) => list.some((fact) => fact >= game.task.facts)))
    throw foreignSnapshot('alfworld', 'it is of another game than its task now has.');
  const restored = new Episode(game);
  for (const fact of world.changed) flip(restored.world, fact);
  for (const fact of world.denied) restored.denied.add(fact);
  for (const fact of episode.known) restored.known.add(fact);
  return restored;
}

function flip(set: FactSet, fact: number): void {
  if (set.holds(fact)) set.delete(fact);
  else set.add(fact);
}
