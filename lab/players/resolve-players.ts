import { UsageError } from '../../envs/core/errors.ts';
import { namePlayers } from './distinct-names.ts';
import { kindOf } from './parse-player.ts';
import type { ResolveOptions, ResolvedPlayer } from './player-kind.ts';
import type { PlayerSpec } from './player-spec.ts';

/** A player with its name in tables, which no other player has. */
export type NamedPlayer = ResolvedPlayer & { readonly name: string };

/**
 * Checks each player against the opened env and gives it a name. It loads no weights and asks no server.
 * @throws UsageError for a player that does not fit the env, and for two players that play alike
 */
export async function resolvePlayers(
  specs: readonly PlayerSpec[],
  options: ResolveOptions,
): Promise<readonly NamedPlayer[]> {
  const players = await Promise.all(specs.map((spec) => kindOf(spec).resolve(spec, options)));
  refuseDoubles(players);
  const names = namePlayers(players);
  return players.map((player, index) => ({ ...player, name: names[index] ?? '' }));
}

/** Two equal players would give equal rows without an explanation. */
function refuseDoubles(players: readonly ResolvedPlayer[]): void {
  const seen = new Map<string, ResolvedPlayer>();
  for (const player of players) {
    const before = seen.get(player.sameAs);
    if (before !== undefined) {
      throw new UsageError({
        where: 'the agents that are to play',
        what:
          before.text === player.text
            ? `${player.text} is named twice.`
            : `${before.text} and ${player.text} name one agent, ${player.words}.`,
        fix: 'Name each agent once; --episodes plays its tasks more often.',
      });
    }
    seen.set(player.sameAs, player);
  }
}
