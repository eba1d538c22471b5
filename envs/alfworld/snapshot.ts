import { z } from 'zod';
import type { Snapshot } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import { describeIssues } from '../core/issues.ts';
import type { TaskRef } from '../core/task.ts';
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

/** A point of an episode as plain values; facts by their numbers. */
export interface SavedPoint {
  /** `changed`: facts that are not as at the start; `denied`: those that texts take for made false. `game` names the content of the game. */
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

/** Reads a snapshot back; throws a `UsageError` when it was not taken from this env. */
export function readSnapshot(snapshot: Snapshot): SavedPoint {
  const parsed = pointSchema.safeParse(snapshot);
  if (parsed.success) return parsed.data;
  throw refusal(`it is no snapshot of this env: ${describeIssues(parsed.error)}.`);
}

/** An episode put back to the point; throws a `UsageError` when the point is of another game. */
export function restorePoint(game: Game, digest: string, { world, episode }: SavedPoint): Episode {
  const all = [world.changed, world.denied, episode.known];
  if (world.game !== digest || all.some((list) => list.some((fact) => fact >= game.task.facts)))
    throw refusal('it is of another game than its task now has.');
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

function refusal(what: string): UsageError {
  return new UsageError({
    where: 'alfworld snapshot',
    what,
    mend: 'Restore only what snapshots.take() of the same env and configuration gave.',
  });
}
