import type { Json } from '../../core/json.ts';

/**
 * Numbers that JavaScript would read as others, as JSON: whole ones beyond 2^53 as `{"#int": "9007199254740993"}`, and whole ones with a
 * point or an exponent, which to Python are no whole numbers, as `{"#float": "2.0"}`. All else is JSON as it is.
 */
const marks = { int: '#int', float: '#float' } as const;

/** Texts, so that nothing in them is taken for a number, also one that does not end, behind whose quote nothing is to be looked for anew; and numbers. */
const pieces = /"(?:[^"\\]|\\[^])*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Of a mark in quotes with all its letters as escapes. */
const longestMark = 50;
/** Of a number that is refused, what is shown at most. */
const shownDigits = 40;

/** What the JSON text holds, with every number as it stands. @throws SyntaxError where it is none, has marks of its own, or a number that no program could be given */
export function parseExactly(text: string): Json {
  return JSON.parse(
    text.replace(pieces, (piece) => (piece.startsWith('"') ? withoutMarks(piece) : markOf(piece))),
  ) as Json;
}

/** The text of JSON as it is. @throws SyntaxError where it is a mark, also one whose letters are written as escapes */
function withoutMarks(piece: string): string {
  if (piece.length > longestMark) return piece;
  const text: unknown = piece.includes('\\') ? JSON.parse(piece) : piece.slice(1, -1);
  if (text === marks.int || text === marks.float)
    throw new SyntaxError(`"${text}" stands for numbers that JSON cannot hold, and can be no text`);
  return piece;
}

/** @throws SyntaxError where it is beyond all floats, of which JSON.parse would make an infinity, that is no JSON */
function markOf(number: string): string {
  const isFloat = /[.eE]/.test(number);
  if (isFloat && !Number.isFinite(Number(number)))
    throw new SyntaxError(
      `${number.length > shownDigits ? `${number.slice(0, shownDigits)}…` : number} is larger than any number a program can be given`,
    );
  if (isFloat ? !Number.isInteger(Number(number)) : Number.isSafeInteger(Number(number))) return number;
  return JSON.stringify({ [isFloat ? marks.float : marks.int]: number });
}

/** A number as it was read: whole ones as such, beyond 2^53 too; `isFloat` where it was written with a point. Undefined for all else. */
export function numberIn(
  value: Json,
): { readonly value: number | bigint; readonly isFloat: boolean } | undefined {
  if (typeof value === 'number') return { value, isFloat: !Number.isInteger(value) };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const [[key, digits] = ['', ''], ...more] = Object.entries(value);
  if (more.length > 0 || typeof digits !== 'string') return undefined;
  if (
    key === marks.float &&
    /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(digits) &&
    Number.isFinite(Number(digits))
  )
    return { value: Number(digits), isFloat: true };
  return key === marks.int && /^-?\d+$/.test(digits) ? { value: BigInt(digits), isFloat: false } : undefined;
}

/** The JSON text of a value, its numbers as they were. */
export const writeExactly = (value: Json): string =>
  JSON.stringify(value).replace(/\{"#(?:int|float)":"([^"\\]*)"\}/g, '$1');
