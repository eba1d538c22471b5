import type { Json } from '../../core/json.ts';

/**
 * Encodes numbers that JavaScript would change. Integers beyond 2^53 become `{"#int": "9007199254740993"}`.
 * Integers with a point or an exponent, which are no integers in Python, become `{"#float": "2.0"}`.
 * Everything else is plain JSON.
 */
const marks = { int: '#int', float: '#float' } as const;

/**
 * Matches strings, so that nothing in them counts as a number, and numbers. An unterminated string matches as
 * well, so that the search does not restart after its quote.
 */
const pieces = /"(?:[^"\\]|\\[^])*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The longest mark in quotes, with all letters as escapes. */
const longestMark = 50;
/** The most digits of a refused number that are shown. */
const shownDigits = 40;

/**
 * Parses JSON and keeps every number exact.
 *
 * @throws SyntaxError for invalid JSON, for texts that contain the marks themselves, and for numbers that no
 * program could receive
 */
export function parseExactly(text: string): Json {
  return JSON.parse(
    text.replace(pieces, (piece) => (piece.startsWith('"') ? withoutMarks(piece) : markOf(piece))),
  ) as Json;
}

/**
 * The piece unchanged.
 *
 * @throws SyntaxError where it is a mark, even with its letters as escapes
 */
function withoutMarks(piece: string): string {
  if (piece.length > longestMark) return piece;
  const text: unknown = piece.includes('\\') ? JSON.parse(piece) : piece.slice(1, -1);
  if (text === marks.int || text === marks.float)
    throw new SyntaxError(`"${text}" stands for numbers that JSON cannot hold, and can be no text`);
  return piece;
}

/**
 * @throws SyntaxError where it is beyond all floats, which JSON.parse would turn into an infinity, which is
 * no JSON
 */
function markOf(number: string): string {
  const isFloat = /[.eE]/.test(number);
  if (isFloat && !Number.isFinite(Number(number)))
    throw new SyntaxError(
      `${number.length > shownDigits ? `${number.slice(0, shownDigits)}…` : number} is larger than any number a program can be given`,
    );
  if (isFloat ? !Number.isInteger(Number(number)) : Number.isSafeInteger(Number(number))) return number;
  return JSON.stringify({ [isFloat ? marks.float : marks.int]: number });
}

/**
 * An exact number: integers as such, even beyond 2^53. `isFloat` where it was written with a point. Undefined
 * for other values.
 */
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

/** The JSON text of a value, with its exact numbers. */
export const writeExactly = (value: Json): string =>
  JSON.stringify(value).replace(/\{"#(?:int|float)":"([^"\\]*)"\}/g, '$1');
