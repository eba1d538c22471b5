import type { OpenedPlayer, OpenPlayerOptions } from './player-kind.ts';
import type { PlayerSpec } from './player-spec.ts';
import { resolvePlayers } from './resolve-players.ts';

/**
 * Opens a player from its JSON: `evaluate` takes it as its `player`, and `runGroups` takes its `agent`. Open it with `await using`, so that its
 * weights or its connection are closed.
 * @throws UsageError for a player that does not fit the env, for a folder that holds no weights, and for a key that is missing
 */
export async function openPlayer(spec: PlayerSpec, options: OpenPlayerOptions): Promise<OpenedPlayer> {
  const [player] = await resolvePlayers([spec], options);
  if (player === undefined) throw new TypeError('one spec resolves to one player');
  return player.open(player.name);
}
