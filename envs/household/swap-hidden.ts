import type { Audit, Snapshot } from '../core/env.ts';
import type { TaskRef } from '../core/task.ts';
import { abilityBits, type Scene } from './scene.ts';
import { readPoint, type SavedPoint } from './snapshot.ts';

/**
 * Moves one object between two receptacles whose contents have not been shown, where it could be as well, and
 * another one back where that fits. Undefined when nothing can be moved. The change never meets the goal.
 */
export function swapHiddenIn(sceneOf: (task: TaskRef) => Scene): NonNullable<Audit<string>['swapHidden']> {
  return (snapshot, rng) => {
    const point = readPoint(snapshot);
    const scene = sceneOf(point.world.task);
    const moves = hiddenMoves(scene, point);
    if (moves.length === 0) return undefined;
    const move = rng.pick(moves);
    const back = moves.filter((other) => other.from === move.to && other.to === move.from);
    return {
      snapshot: moved(snapshot, point, back.length === 0 ? [move] : [move, rng.pick(back)]),
      reveals: revealing(scene, [move.from, move.to]),
    };
  };
}

interface Move {
  readonly thing: number;
  readonly from: number;
  readonly to: number;
}

function hiddenMoves(scene: Scene, { world, episode }: SavedPoint): readonly Move[] {
  const hidden = scene.places.map((_, place) => place).filter((place) => episode.seen[place] === 0);
  const moves: Move[] = [];
  for (const [thing, from] of world.objects.entries()) {
    if (!hidden.includes(from) || ((scene.abilities[thing] as number) & abilityBits.pickup) === 0) continue;
    for (const to of hidden) {
      const meetsGoal = scene.goal.things.includes(thing) && scene.goal.places.includes(to);
      if (to !== from && !meetsGoal && scene.holds[thing * scene.places.length + to] === 1)
        moves.push({ thing, from, to });
    }
  }
  return moves;
}

function moved(snapshot: Snapshot, { world }: SavedPoint, moves: readonly Move[]): Snapshot {
  const objects = [...world.objects];
  for (const { thing, to } of moves) objects[thing] = to;
  return { ...snapshot, world: { ...world, objects } };
}

/**
 * The actions that reveal hidden contents: going to an open receptacle, and opening a closed one. Hidden
 * doors are all closed.
 */
function revealing(scene: Scene, places: readonly number[]): (action: string) => boolean {
  const shows = new Set(
    places.map((place) => `${scene.openable[place] === 1 ? 'open' : 'go to'} ${scene.places[place]}`),
  );
  return (action) => shows.has(action);
}
