import { UsageError } from '../core/errors.ts';

/** A program with places for pieces, and the pieces of each place. Only `right` contains the solution. */
export interface Assembly {
  /** The number of pieces of each place. */
  readonly pieces: readonly number[];
  /** The initial choice, drawn at random. */
  readonly start: readonly number[];
  /** The choice that solves the problem. */
  readonly right: readonly number[];
  /** Writes the program. It has the same number of lines for every choice. */
  write(choice: readonly number[]): string;
  /** A piece in words. */
  says(place: number, piece: number): string;
  /** The start of a comment in its language. */
  readonly remark: string;
}

/** A place with another piece in it. */
export interface Offer {
  /** Counted from 1. */
  readonly place: number;
  readonly piece: number;
  /** The piece in words, the line that it makes, and, where it was tried, its result. */
  readonly about: string;
}

/** The worth of tried programs, by their pieces. */
export type Tried = ReadonlyMap<string, number>;

export const keyOfChoice = (choice: readonly number[]): string => choice.join('.');

/**
 * All possible replacements. They depend on the pieces, on the current choice and on earlier results, never
 * on the solution.
 */
export function offersIn(assembly: Assembly, choice: readonly number[], tried: Tried): readonly Offer[] {
  return choice.flatMap((now, place) =>
    Array.from({ length: assembly.pieces[place] as number }, (_, piece) => piece)
      .filter((piece) => piece !== now)
      .map((piece): Offer => ({
        place: place + 1,
        piece: piece + 1,
        about: `${assembly.says(place, piece)}${comparedWith(tried, choice, choice.with(place, piece))}, for ${lineOf(assembly, choice.with(place, piece), place)}`,
      })),
  );
}

/** The result of a choice that was tried, compared with the current one. */
function comparedWith(tried: Tried, choice: readonly number[], other: readonly number[]): string {
  const [now, then] = [tried.get(keyOfChoice(choice)), tried.get(keyOfChoice(other))];
  if (now === undefined || then === undefined) return '';
  if (then === now) return ', tried and alike';
  return then > now ? ', tried and better' : ', tried and worse';
}

/**
 * The choice with a replaced piece; undefined where the place or the piece does not exist, or the piece is
 * already there.
 */
export function withPiece(
  assembly: Assembly,
  choice: readonly number[],
  { place, piece }: { readonly place: number; readonly piece: number },
): readonly number[] | undefined {
  const count = assembly.pieces[place - 1];
  if (count === undefined || piece < 1 || piece > count || choice[place - 1] === piece - 1) return undefined;
  return choice.with(place - 1, piece - 1);
}

/** The program with the numbers of its places after their lines. */
export function marked(assembly: Assembly, choice: readonly number[]): string {
  const lines = assembly.write(choice).trimEnd().split('\n');
  const places = new Map<number, number[]>();
  for (const place of choice.keys()) {
    const at = whereIs(assembly, choice, place);
    places.set(at, [...(places.get(at) ?? []), place + 1]);
  }
  return lines
    .map((line, at) =>
      places.has(at) ? `${line}  ${assembly.remark} ${(places.get(at) ?? []).join(', ')}` : line,
    )
    .join('\n');
}

const lineOf = (assembly: Assembly, choice: readonly number[], place: number): string =>
  (assembly.write(choice).split('\n')[whereIs(assembly, choice, place)] ?? '').trim();

/** The line of a place: the first line that another piece changes. */
function whereIs(assembly: Assembly, choice: readonly number[], place: number): number {
  const now = assembly.write(choice).split('\n');
  const other = assembly.write(choice.with(place, choice[place] === 0 ? 1 : 0)).split('\n');
  const at = now.findIndex((line, index) => line !== other[index]);
  if (at >= 0 && now.length === other.length) return at;
  throw new UsageError({
    where: 'assembly',
    what: `the pieces of place ${place + 1} do not change exactly one line.`,
    fix: 'Use different pieces with equal numbers of lines.',
  });
}
