import { impossible } from '../engines/planning/facts.ts';
import type { FluentPredicate } from '../engines/planning/predicate-table.ts';
import type { Episode } from './episode.ts';
import type { Game } from './game.ts';
import type { GoalTarget } from './goal-shape.ts';
import { factOfOne, factOfPair, rolesOf, tableOf, type Roles } from './roles.ts';

/** An object that could meet the goal. */
interface Target {
  readonly object: number;
  /** Facts that it is in some receptacle. */
  readonly inside: readonly number[]; // (receptacles)
  readonly held: number;
  /** Facts that the goal requires of it alone. */
  readonly conditions: readonly number[];
}

interface Hunt {
  readonly targets: readonly Target[];
  readonly count: number;
  /** Ranks of the receptacles that could hold one. */
  readonly worth: readonly number[];
}

/**
 * Writes the information state: what a player who remembers everything knows *and could still use*. It
 * consists of known facts (see `Episode.known`) and of the list of admissible commands, which the player
 * sees. So no hidden fact can change it, and equal keys have equal admissible actions.
 *
 * Kept: where the player is, what is held, what is admissible. For each object that could meet the goal:
 * where it is and whether it is in the required condition, once known. As long as too few of them are found:
 * which receptacles that could hold one are known not to. Dropped: the number and order of steps, other
 * objects elsewhere, doors elsewhere, conditions that are not required.
 *
 * In a game whose goal or domain is not of ALFWorld's kind the key contains every known fact.
 */
export class InformationKey {
  readonly #roles: Roles | undefined;
  readonly #hunts: readonly Hunt[];

  constructor(game: Game) {
    this.#roles = game.goal === undefined ? undefined : rolesOf(game.task);
    const wants = [game.goal?.things, game.goal?.lamps].filter((wanted) => wanted !== undefined);
    this.#hunts =
      this.#roles === undefined ? [] : wants.map((wanted) => huntOf(wanted, game, this.#roles as Roles));
  }

  /** The key without the name of the task. */
  write(episode: Episode): string {
    const { fingerprint } = episode.choices;
    const roles = this.#roles;
    if (roles === undefined) return `${everythingKnown(episode)}|${fingerprint}`;
    let key = `${holding(roles.at, episode)}|${holding(roles.held, episode)}`;
    for (const hunt of this.#hunts) key += `|${writeHunt(hunt, episode)}`;
    return `${key}|${fingerprint}`;
  }
}

function huntOf({ objects, count, conditions }: GoalTarget, { task }: Game, roles: Roles): Hunt {
  const receptacles = [...(roles.inside.candidates[1] as Int32Array)];
  const [first] = objects;
  return {
    targets: [...objects].map((object) => ({
      object,
      inside: receptacles.map((receptacle) => factOfPair(roles.inside, object, receptacle)),
      held:
        [...(roles.held.candidates[0] as Int32Array)]
          .map((agent) => factOfPair(roles.held, agent, object))
          .find((fact) => fact !== impossible) ?? impossible,
      conditions: conditions.map((name) => factOfOne(tableOf(task, name), object)),
    })),
    count,
    worth: receptacles.flatMap((receptacle, rank) =>
      first === undefined || roles.canHold(first, receptacle) ? [rank] : [],
    ),
  };
}

/** The facts of a predicate that hold, which are few. */
function holding({ base, size }: FluentPredicate, { world }: Episode): string {
  let text = '';
  for (let fact = base; fact < base + size; fact += 1)
    if (world.holds(fact)) text += `${(fact - base).toString(36)},`;
  return text;
}

function writeHunt({ targets, count, worth }: Hunt, episode: Episode): string {
  let text = '';
  let found = 0;
  let lost: Target | undefined;
  for (const target of targets) {
    const where = placesOf(target, episode);
    if (where === '') lost ??= target;
    else found += 1;
    text += `${where === '' ? '?' : where}${conditionsOf(target, episode)};`;
  }
  if (found >= count || lost === undefined) return text;
  // known to be absent
  for (const rank of worth) text += isKnown(lost.inside[rank] as number, episode) ? '1' : '0';
  return text;
}

const isKnown = (fact: number, { known }: Episode): boolean => fact !== impossible && known.holds(fact);
const isTrue = (fact: number, episode: Episode): boolean =>
  isKnown(fact, episode) && episode.world.holds(fact);

function placesOf({ inside, held }: Target, episode: Episode): string {
  if (isTrue(held, episode)) return 'h';
  let text = '';
  for (let rank = 0; rank < inside.length; rank += 1)
    if (isTrue(inside[rank] as number, episode)) text += `${rank.toString(36)}.`;
  return text;
}

function conditionsOf({ conditions }: Target, episode: Episode): string {
  let text = '';
  for (const fact of conditions) text += isTrue(fact, episode) ? '+' : '-';
  return text;
}

function everythingKnown({ known, world }: Episode): string {
  return known
    .members()
    .map((fact) => `${world.holds(fact) ? '' : '-'}${fact.toString(36)}`)
    .join(',');
}
