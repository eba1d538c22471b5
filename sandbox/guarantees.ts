import { UsageError } from '../envs/core/errors.ts';

/** For each thing a sandbox may isolate, what there is to promise, from nothing to the most. */
export const guaranteeLevels = {
  /** What stands between the program and this process. `none`: it runs in it, as WebAssembly does. */
  boundary: ['none', 'process', 'namespaces', 'container', 'virtual-machine'],
  /** Whom the program runs as. `unprivileged`: a user that owns nothing outside and has no capabilities. */
  user: ['same', 'unprivileged'],
  /** Which files it sees. `private-root`: only what it was given; none of the host's but read-only system folders. */
  files: ['host', 'private-root'],
  /** `loopback`: its own, not the host's. */
  network: ['open', 'loopback', 'none'],
  /** Environment variables of this process: inherited, or only those that were set for it. */
  environment: ['inherited', 'cleared'],
  /** Whether the limit on memory holds against a program that fights it; likewise the four that follow. */
  memory: ['advisory', 'enforced'],
  cpu: ['advisory', 'enforced'],
  pids: ['advisory', 'enforced'],
  disk: ['advisory', 'enforced'],
  /** What becomes of children that left their process group. */
  children: ['may-leak', 'all-killed'],
  /** Whether a hole in the kernel is a hole in the sandbox. `filtered`: fewer system calls can be made. */
  kernel: ['shared', 'filtered', 'separate'],
} as const;

type Levels = typeof guaranteeLevels;

/** What a provider really isolates. An env states what it needs; a provider that cannot give it refuses to open. */
export type Guarantees = { readonly [Aspect in keyof Levels]: Levels[Aspect][number] };

/** What isolates nothing. */
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
 * The needs that the guarantees do not meet; empty when all are. A stronger guarantee than needed meets the need.
 *
 * @throws UsageError for a need that nothing is known of, such as a misspelt one: it would be met by nobody, and missed by nobody
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
    what:
      levels === undefined
        ? 'this guarantee does not exist.'
        : `the level "${level}" does not exist.`,
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
