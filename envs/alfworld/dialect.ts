import { UsageError } from '../core/errors.ts';
import { templateOf } from './text-grammar/twl2.ts';

/**
 * How a game wants things put down: `move X to Y`, as ALFWorld writes it since its version 0.4.0 (`current`), `put X in/on Y` as before
 * (`classic`), or in words of its own, or not at all (`other`). Arrivals, answers and `help` differ along with it.
 */
export type GameDialect = 'current' | 'classic' | 'other';

/** That of a set of games: `mixed` where they do not all speak alike. */
export type SharedDialect = GameDialect | 'mixed';

const wordings: readonly (readonly [dialect: GameDialect, command: RegExp])[] = [
  ['current', /^move \{[^{}]+\} to \{[^{}]+\}$/],
  ['classic', /^put \{[^{}]+\} in\/on \{[^{}]+\}$/],
];

/** The dialect of a grammar; undefined where it cannot be read, which is told when the game is played. */
export function dialectOfGrammar(text: string): GameDialect | undefined {
  try {
    const command = templateOf({ name: 'grammar', text }, 'PutObject')?.trim() ?? '';
    return wordings.find(([, pattern]) => pattern.test(command))?.[0] ?? 'other';
  } catch (thrown) {
    if (UsageError.is(thrown)) return undefined;
    throw thrown;
  }
}

/** A dialect among games: how many speak it, and the file of the first that does. */
export interface DialectShare {
  readonly dialect: GameDialect;
  readonly first: string;
  readonly games: number;
}

/** The dialects of games, in the order in which they first come. Games whose grammar cannot be read count for none. */
export function countDialects(
  games: readonly { readonly path: string; readonly dialect: GameDialect | undefined }[],
): readonly DialectShare[] {
  const shares = new Map<GameDialect, DialectShare>();
  for (const { path, dialect } of games) {
    if (dialect === undefined) continue;
    const share = shares.get(dialect) ?? { dialect, first: path, games: 0 };
    shares.set(dialect, { ...share, games: share.games + 1 });
  }
  return [...shares.values()];
}

/** What games that speak these dialects speak together. */
export function sharedDialect(shares: readonly DialectShare[]): SharedDialect {
  const [first] = shares;
  return shares.length > 1 ? 'mixed' : (first?.dialect ?? 'other');
}
