import { UsageError } from '../envs/core/errors.ts';

/** The levels of each guarantee, from the weakest to the strongest. */
export const guaranteeLevels = {
  /**
   * The boundary between the program and this process. `none`: the program runs in this process, as
   * WebAssembly does.
   */
  boundary: ['none', 'process', 'namespaces', 'container', 'virtual-machine'],
  /**
   * The user that runs the program. `unprivileged`: a user that owns nothing outside and has no capabilities.
   */
  user: ['same', 'unprivileged'],
  /**
   * The files that it sees. `private-root`: only what it was given, and read-only system folders of the host.
   */
  files: ['host', 'private-root'],
  /** `loopback`: a loopback of its own, not the host's. */
  network: ['open', 'loopback', 'none'],
  /** Environment variables of this process: inherited, or only those set for the program. */
  environment: ['inherited', 'cleared'],
  /** Whether the limit on memory holds against a hostile program. The next four have the same meaning. */
  memory: ['advisory', 'enforced'],
  cpu: ['advisory', 'enforced'],
  pids: ['advisory', 'enforced'],
  disk: ['advisory', 'enforced'],
  /** Children that left their process group. */
  children: ['may-leak', 'all-killed'],
  /** Whether a hole in the kernel is a hole in the sandbox. `filtered`: fewer system calls are allowed. */
  kernel: ['shared', 'filtered', 'separate'],
} as const;

type Levels = typeof guaranteeLevels;

/**
 * What a provider actually isolates. An env states its needs. A provider that does not meet them refuses to
 * open.
 */
export type Guarantees = { readonly [Aspect in keyof Levels]: Levels[Aspect][number] };

/** The guarantees of no isolation at all. */
export const noGuarantees: Guarantees = {
  boundary: 'none',
  user: 'same',
  files: 'host',
  network: 'open',
  environment: 'inherited',
  memory: 'advisory',
  cpu: 'advisory',
  pids: 'advisory',
  disk: 'advisory',
  children: 'may-leak',
  kernel: 'shared',
};

/** A need that is not met. */
export interface Shortfall {
  readonly aspect: keyof Guarantees;
  readonly needed: string;
  readonly given: string;
}

const aspects = Object.keys(guaranteeLevels) as readonly (keyof Guarantees)[];

/**
 * The needs that the guarantees do not meet; empty where all are met. A stronger guarantee than needed meets
 * the need.
 *
 * @throws UsageError for an unknown need or level, such as a misspelt one
 */
export function meets(guarantees: Guarantees, needs: Partial<Guarantees>): readonly Shortfall[] {
  for (const [aspect, level] of Object.entries(needs)) assertKnown(aspect, level);
  const shortfalls: Shortfall[] = [];
  for (const aspect of aspects) {
    const needed = needs[aspect];
    const given = guarantees[aspect];
    if (needed !== undefined && strength(aspect, given) < strength(aspect, needed))
      shortfalls.push({ aspect, needed, given });
  }
  return shortfalls;
}

function assertKnown(aspect: string, level: string | undefined): void {
  const known: Readonly<Record<string, readonly string[]>> = guaranteeLevels;
  const levels = Object.hasOwn(known, aspect) ? known[aspect] : undefined;
  if (levels !== undefined && (level === undefined || levels.includes(level))) return;
  throw new UsageError({
    where: `sandbox need "${aspect}"`,
    what: levels === undefined ? 'this guarantee does not exist.' : `the level "${level}" does not exist.`,
    fix: `Choose one of ${(levels ?? Object.keys(known)).join(', ')}.`,
  });
}

const strength = (aspect: keyof Guarantees, level: string): number =>
  (guaranteeLevels[aspect] as readonly string[]).indexOf(level);

/** Throws a `UsageError` that names every need that is not met. */
export function assertMeets(
  provider: { readonly name: string; readonly guarantees: Guarantees },
  needs: Partial<Guarantees>,
): void {
  const shortfalls = meets(provider.guarantees, needs);
  if (shortfalls.length === 0) return;
  const list = shortfalls.map(({ aspect, needed, given }) => `${aspect} "${needed}" (it has "${given}")`);
  throw new UsageError({
    where: `sandbox provider "${provider.name}"`,
    what: `it does not meet the needs: ${list.join(', ')}.`,
    fix: 'Use a provider that meets them, or lower the needs if you trust the programs.',
  });
}
