import type { Audit, Snapshot } from '../core/env.ts';
import type { TaskRef } from '../core/task.ts';
import { impossible } from '../engines/planning/facts.ts';
import type { Episode } from './episode.ts';
import type { LoadedGame } from './game-shelf.ts';
import { factOfPair, rolesOf, type Place, type Roles } from './roles.ts';
import { readPoint, restorePoint, type SavedPoint } from './snapshot.ts';

/**
 * Moves one object between two receptacles. The object could be in either, and for neither is it known
 * whether it is there. Undefined where nothing can be moved unseen. The change never meets the goal, and the
 * admissible commands stay the same: the domain lets a player slice an object behind a closed door, which
 * reveals it.
 *
 * Any action at the location of one of the two receptacles may show the difference.
 */
export function swapHiddenIn(
  gameOf: (task: TaskRef) => LoadedGame,
): NonNullable<Audit<string>['swapHidden']> {
  return (snapshot, rng) => {
    const point = readPoint(snapshot);
    const loaded = gameOf(point.world.task);
    const roles = rolesOf(loaded.game.task);
    const episode = restorePoint(loaded.game, loaded.digest, point);
    if (roles === undefined || episode.isSolved) return undefined;
    for (const move of rng.shuffle(hiddenMoves(roles, episode))) {
      const swapped = moved(snapshot, point, move, episode);
      const other = restorePoint(loaded.game, loaded.digest, readPoint(swapped));
      if (other.isSolved || other.choices.fingerprint !== episode.choices.fingerprint) continue;
      const shown = new Set([move.from.location, move.to.location]);
      return {
        snapshot: swapped,
        reveals: (action) => shown.has(locationAfter(loaded, point, action, roles)),
      };
    }
    return undefined;
  };
}

interface Move {
  readonly from: Place;
  readonly to: Place;
  /** Facts that change with it. */
  readonly facts: readonly number[];
}

function hiddenMoves(roles: Roles, episode: Episode): readonly Move[] {
  const { inside, lies, places } = roles;
  const isHidden = (fact: number): boolean => fact !== impossible && !episode.known.holds(fact);
  const lying = (object: number, { location }: Place): number =>
    lies === undefined ? impossible : factOfPair(lies, object, location);
  const moves: Move[] = [];
  for (const object of inside.candidates[0] as Int32Array) {
    const homes = places.filter(({ receptacle }) => isThere(factOfPair(inside, object, receptacle), episode));
    const [from] = homes;
    if (from === undefined || homes.length > 1) continue; // in one receptacle with a location
    for (const to of places) {
      if (to.receptacle === from.receptacle || !roles.canHold(object, to.receptacle)) continue;
      const facts = [factOfPair(inside, object, from.receptacle), factOfPair(inside, object, to.receptacle)];
      if (from.location !== to.location) facts.push(lying(object, from), lying(object, to));
      const changing = lies === undefined ? facts.slice(0, 2) : facts;
      const isSound =
        changing.length < 4 ||
        (isThere(changing[2] as number, episode) && !isThere(changing[3] as number, episode));
      if (isSound && changing.every(isHidden)) moves.push({ from, to, facts: changing });
    }
  }
  return moves;
}

const isThere = (fact: number, episode: Episode): boolean => fact !== impossible && episode.holds(fact);

function moved(snapshot: Snapshot, { world }: SavedPoint, { facts }: Move, episode: Episode): Snapshot {
  const changed = new Set(world.changed);
  for (const fact of facts) if (!changed.delete(fact)) changed.add(fact);
  const sorted = [...changed].toSorted((a, b) => a - b);
  return {
    ...snapshot,
    world: { ...world, task: { ...world.task }, changed: sorted, denied: [...episode.denied.members()] },
  };
}

/** The player's location after the action; -1 where there is none. */
function locationAfter(
  { game, digest }: LoadedGame,
  point: SavedPoint,
  action: string,
  { at }: Roles,
): number {
  const episode = restorePoint(game, digest, point);
  episode.perform(action.trim());
  for (const location of at.candidates[1] as Int32Array) {
    for (const agent of at.candidates[0] as Int32Array)
      if (isThere(factOfPair(at, agent, location), episode)) return location;
  }
  return -1;
}
