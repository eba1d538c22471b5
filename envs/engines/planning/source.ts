import { UsageError } from '../../core/errors.ts';

/** A text of external origin with its name for errors. */
export interface Source {
  /** Such as `game.tw-pddl, pddl_problem`. */
  readonly name: string;
  readonly text: string;
}

/** The place of an offset in the text as `line 3, column 7`, both from 1. */
export function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `line ${line}, column ${offset - before.lastIndexOf('\n')}`;
}

/** The most characters of a file that an error repeats. */
const longest = 400;

/** The error for a flaw in a source, with its place. */
export function flawIn(
  source: Source,
  offset: number,
  { what, fix }: { readonly what: string; readonly fix: string },
): UsageError {
  return new UsageError({
    where: `${source.name}, ${placeOf(source.text, offset)}`,
    what: what.length > longest ? `${what.slice(0, longest)}…` : what,
    fix,
  });
}
