import { UsageError } from '../core/errors.ts';
import { templateOf } from './text-grammar/twl2.ts';

/**
 * How a game phrases putting things down: `move X to Y` (`current`), as ALFWorld writes it since version
 * 0.4.0, or `put X in/on Y` as before (`classic`). `other`: in other words, or not at all. Arrivals, answers
 * and `help` differ too.
 */
export type GameDialect = 'current' | 'classic' | 'other';

/** The dialect of a set of games: `mixed` where they differ. */
export type SharedDialect = GameDialect | 'mixed';

const wordings: readonly (readonly [dialect: GameDialect, command: RegExp])[] = [
  ['current', /^move \{[^{}]+\} to \{[^{}]+\}$/],
  ['classic', /^put \{[^{}]+\} in\/on \{[^{}]+\}$/],
];

/**
 * The dialect of a grammar. Undefined where the grammar cannot be read, which is reported when the game is
 * played.
 */
export function dialectOfGrammar(text: string): GameDialect | undefined {
  try {
    const command = templateOf({ name: 'grammar', text }, 'PutObject')?.trim() ?? '';
    return wordings.find(([, pattern]) => pattern.test(command))?.[0] ?? 'other';
  } catch (thrown) {
    if (UsageError.is(thrown)) return undefined;
    throw thrown;
  }
}

/** A dialect among games: how many use it, and the file of the first one. */
export interface DialectShare {
  readonly dialect: GameDialect;
  readonly first: string;
  readonly games: number;
}

/**
 * The dialects of games, in the order of their first occurrence. Games with an unreadable grammar are not
 * counted.
 */
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

/** The dialect that games with these dialects share. */
export function sharedDialect(shares: readonly DialectShare[]): SharedDialect {
  const [first] = shares;
  return shares.length > 1 ? 'mixed' : (first?.dialect ?? 'other');
}
