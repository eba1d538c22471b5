import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, UsageError } from '../../envs/core/errors.ts';
import { canonicalJson } from '../../envs/core/json.ts';
import { readEvaluation } from '../../trainers/evaluate/kept-record.ts';
import type { NamedPlayer } from '../players/resolve-players.ts';

/**
 * The folder of each player within `keep`. A player whose episodes are there already keeps its folder, which is found by its weights or its
 * endpoint. A new folder gets the name of the player, with a digest if another player has that name.
 * @throws UsageError for a folder that holds something else, and for two players of one identity, whose episodes would mix
 */
export async function keepFolders(
  keep: string,
  players: readonly NamedPlayer[],
): Promise<ReadonlyMap<NamedPlayer, string>> {
  refuseShared(keep, players);
  const there = await readFolders(keep);
  const found = new Map(players.map((player) => [player, there.get(keyOf(player))] as const));
  const plain = new Map(players.map((player) => [player, plainName(player.name)] as const));
  const nameOf = (player: NamedPlayer): string => {
    const name = plain.get(player) ?? '';
    const isTaken = players.some(
      (other) => other !== player && (plain.get(other) === name || found.get(other) === name),
    );
    return (
      found.get(player) ??
      (isTaken ? `${name}-${createHash('sha256').update(keyOf(player)).digest('hex').slice(0, 8)}` : name)
    );
  };
  return new Map(players.map((player) => [player, join(keep, nameOf(player))] as const));
}

const keyOf = (player: NamedPlayer): string => canonicalJson(player.identity);

/** A name that every file system takes. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '') || 'agent';

const fix = 'Name a new folder, or that of an evaluation that was begun.';

/** The folders that hold episodes, by who played them. */
async function readFolders(keep: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(keep, { withFileTypes: true }).catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ENOENT') return [];
    throw new UsageError({ where: keep, what: 'it is no folder that can be read.', fix }, { cause: thrown });
  });
  const folders = new Map<string, string>();
  for (const { name } of entries) {
    const evaluation = await readEvaluation(join(keep, name));
    if (evaluation !== undefined) folders.set(canonicalJson(evaluation['player'] ?? null), name);
  }
  const strange = entries.find((entry) => !entry.isDirectory());
  if (folders.size > 0 || strange === undefined) return folders;
  throw new UsageError({ where: keep, what: `it holds ${strange.name}, and no evaluation.`, fix });
}

function refuseShared(keep: string, players: readonly NamedPlayer[]): void {
  const seen = new Map<string, NamedPlayer>();
  for (const player of players) {
    const key = keyOf(player);
    const before = seen.get(key);
    if (before !== undefined) throw shared(keep, before, player);
    seen.set(key, player);
  }
}

function shared(keep: string, one: NamedPlayer, other: NamedPlayer): UsageError {
  const why =
    other.kind === 'openai'
      ? 'their URLs differ only in the query, which is written nowhere'
      : other.kind === 'own'
        ? 'they are one agent with the same options'
        : 'they are checkpoints of one name with the same weights';
  return new UsageError({
    where: `--keep ${keep}`,
    what: `the episodes of ${one.name} and ${other.name} would be taken for each other's: ${why}.`,
    fix: 'Evaluate them one by one with a folder each, or leave --keep out.',
  });
}
