import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, UsageError } from '../../envs/core/errors.ts';
import { canonicalJson } from '../../envs/core/json.ts';
import { readEvaluation } from '../../trainers/evaluate/kept-record.ts';
import type { Entrant } from './entrants.ts';
import { identityOf } from './player-identity.ts';

/**
 * The folder within `keep` of each entrant, which depends on nobody else where its episodes are there already: it is that of its weights or
 * endpoint, whatever it was called. A new one has the entrant's name, with a digest where another has that. Refuses a folder of something
 * else, and two entrants of one identity, which one folder could not tell apart.
 */
export async function keepFolders(
  keep: string,
  entrants: readonly Entrant[],
): Promise<ReadonlyMap<Entrant, string>> {
  refuseShared(keep, entrants);
  const there = await readFolders(keep);
  const found = new Map(entrants.map((entrant) => [entrant, there.get(keyOf(entrant))] as const));
  const plain = new Map(entrants.map((entrant) => [entrant, plainName(entrant.name)] as const));
  const nameOf = (entrant: Entrant): string => {
    const name = plain.get(entrant) ?? '';
    const isTaken = entrants.some(
      (other) => other !== entrant && (plain.get(other) === name || found.get(other) === name),
    );
    return (
      found.get(entrant) ??
      (isTaken ? `${name}-${createHash('sha256').update(keyOf(entrant)).digest('hex').slice(0, 8)}` : name)
    );
  };
  return new Map(entrants.map((entrant) => [entrant, join(keep, nameOf(entrant))] as const));
}

const keyOf = (entrant: Entrant): string => canonicalJson(identityOf(entrant));

/** A name that every file system takes. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '') || 'agent';

const mend = 'Name a new folder, or that of an evaluation that was begun.';

/** The folders that hold episodes, by who played them. */
async function readFolders(keep: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(keep, { withFileTypes: true }).catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ENOENT') return [];
    throw new UsageError({ where: keep, what: 'it is no folder that can be read.', mend }, { cause: thrown });
  });
  const folders = new Map<string, string>();
  for (const { name } of entries) {
    const evaluation = await readEvaluation(join(keep, name));
    if (evaluation !== undefined) folders.set(canonicalJson(evaluation['player'] ?? null), name);
  }
  const strange = entries.find((entry) => !entry.isDirectory());
  if (folders.size > 0 || strange === undefined) return folders;
  throw new UsageError({ where: keep, what: `it holds ${strange.name}, and no evaluation.`, mend });
}

function refuseShared(keep: string, entrants: readonly Entrant[]): void {
  const seen = new Map<string, Entrant>();
  for (const entrant of entrants) {
    const key = keyOf(entrant);
    const before = seen.get(key);
    if (before !== undefined) throw shared(keep, before, entrant);
    seen.set(key, entrant);
  }
}

function shared(keep: string, one: Entrant, other: Entrant): UsageError {
  const why =
    other.kind === 'text'
      ? 'their URLs differ only in the query, which is written nowhere'
      : 'they are checkpoints of one name with the same weights';
  return new UsageError({
    where: `--keep ${keep}`,
    what: `the episodes of ${one.name} and ${other.name} would be taken for each other's: ${why}.`,
    mend: 'Evaluate them one by one with a folder each, or leave --keep out.',
  });
}
