import type { Player } from './entrants.ts';
import { endpointPath } from './player-identity.ts';

/**
 * A name for each that nobody else has. Each comes with its names from the plainest to the most exact; those that share one are called by the
 * next, and whoever has no more keeps the last, with a number where others have it too.
 */
export function distinctNames(candidates: readonly (readonly string[])[]): readonly string[] {
  const levels = candidates.map(() => 0);
  const nameAt = (index: number): string => candidates[index]?.[levels[index] ?? 0] ?? '';
  for (;;) {
    const names = candidates.map((_, index) => nameAt(index));
    const rising = names.flatMap((name, index) =>
      isShared(name, names) && (levels[index] ?? 0) + 1 < (candidates[index]?.length ?? 0) ? [index] : [],
    );
    if (rising.length === 0) return numbered(names);
    for (const index of rising) levels[index] = (levels[index] ?? 0) + 1;
  }
}

/** What the players are called in tables, in folders of episodes and in plans. */
export function nameEntrants(players: readonly Player[]): readonly string[] {
  const folders = [
    ...new Set(
      players.flatMap((player) =>
        player.kind === 'run' ? [player.run.folder] : player.kind === 'model' ? [player.model.folder] : [],
      ),
    ),
  ];
  const labels = distinctNames(folders.map(endingsOf));
  return distinctNames(
    players.map((player) => namesOf(player, (folder) => labels[folders.indexOf(folder)] ?? folder)),
  );
}

function namesOf(player: Player, labelOf: (folder: string) => string): readonly string[] {
  switch (player.kind) {
    case 'scripted':
      return [player.agent];
    case 'run': {
      const label = labelOf(player.run.folder);
      return [label, `${label} (${player.run.checkpoint})`];
    }
    case 'model':
      return [labelOf(player.model.folder)];
    case 'text': {
      const { model, endpoint } = player;
      const path = endpointPath(endpoint);
      return [
        model,
        `${model} at ${endpoint.host}`,
        `${model} at ${endpoint.host}${path}`,
        `${model} at ${endpoint.origin}${path}`,
      ];
    }
    default:
      return player satisfies never;
  }
}

/** `c`, `b/c`, `a/b/c`. */
function endingsOf(folder: string): readonly string[] {
  const parts = folder.split(/[/\\]/).filter((part) => part !== '');
  return parts.map((_, index) => parts.slice(-index - 1).join('/'));
}

const isShared = (name: string, names: readonly string[]): boolean =>
  names.indexOf(name) !== names.lastIndexOf(name);

function numbered(names: readonly string[]): readonly string[] {
  const given = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let number = 2; given.has(own) || (own !== name && names.includes(own)); number += 1)
      own = `${name} (${number})`;
    given.add(own);
    return own;
  });
}
