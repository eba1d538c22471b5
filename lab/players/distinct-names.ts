import type { ResolvedPlayer } from './player-kind.ts';

/**
 * One name for each candidate, all different. Each candidate brings its names, the plainest first. Candidates that share a name take their next
 * one; a candidate without a next one keeps its last name, with a number if others have it too.
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

/** Names of players for tables, folders of episodes and plans. No two are equal. */
export function namePlayers(players: readonly Pick<ResolvedPlayer, 'folder' | 'names'>[]): readonly string[] {
  const folders = [...new Set(players.flatMap(({ folder }) => folder ?? []))];
  const labels = distinctNames(folders.map(endingsOf));
  const labelOf = (folder: string): string => labels[folders.indexOf(folder)] ?? folder;
  return distinctNames(
    players.map(({ folder, names }) => names(folder === undefined ? '' : labelOf(folder))),
  );
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
