import { UsageError } from '../../core/errors.ts';

/** A text from outside, and what it is called in errors. */
export interface Source {
  /** Such as `game.tw-pddl, pddl_problem`. */
  readonly name: string;
  readonly text: string;
}

/** `line 3, column 7` of an offset into the text, both from 1. */
export function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return `line ${line}, column ${offset - before.lastIndexOf('\n')}`;
}

/** Longer than this, what a file says is not repeated in full. */
const longest = 400;

/** What is wrong in a source, and where. */
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
