import { findPlan } from '../engines/planning/find-plan.ts';
import { Episode } from './episode.ts';
import type { Game } from './game.ts';

/**
 * Commands that solve the game: its own walkthrough where that works in the grammar's dialect and within the
 * limit, else the result of a search. Undefined when the search gives up, see `mostWorlds`. The search is
 * greedy, and its plans are seldom the shortest.
 */
export function planGame(game: Game, maxSteps: number): readonly string[] | undefined {
  const written = game.walkthrough === undefined ? undefined : solving(game, game.walkthrough);
  if (written !== undefined && written.length <= maxSteps) return written;
  return searched(game) ?? written;
}

/**
 * The commands up to the one that solves the game; undefined when one is not admissible, or none solves it.
 */
function solving(game: Game, commands: readonly string[]): readonly string[] | undefined {
  const episode = new Episode(game);
  for (const [index, command] of commands.entries()) {
    if (episode.perform(command.trim()) === undefined) return undefined;
    if (episode.isSolved) return commands.slice(0, index + 1).map((text) => text.trim());
  }
  return undefined;
}

function searched(game: Game): readonly string[] | undefined {
  const deeds = findPlan(game.task);
  if (deeds === undefined) return undefined;
  const episode = new Episode(game);
  const commands: string[] = [];
  for (const { action, values } of deeds) {
    const text = game.texts[action]?.template.write(values, episode) ?? '';
    commands.push(text);
    episode.perform(text);
  }
  return solving(game, commands);
}
