/** Numbers of a vector, at most. */
export const mostDimensions = 65_536;

/** A list of numbers, as JSON and Parquet have it. */
const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || value instanceof Float32Array || value instanceof Float64Array;

/** A list in a cell of a table: `[0.5, -1]`. Other texts stay texts. */
function listIn(text: string): unknown {
  if (!/^\s*\[/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The vector of length 1 in the direction of a list of numbers, or of one in JSON, in single precision. The product of two of them is
 * their cosine.
 *
 * @returns the vector, or why there is none: it is no list, it has something else than finite numbers, or its length is 0
 */
export function unitVector(given: unknown): Float32Array | string {
  const value = typeof given === 'string' ? listIn(given) : given;
  if (!isList(value)) return 'is no list of numbers';
  const { length } = value;
  if (length === 0 || length > mostDimensions)
    return `has ${length} numbers, and 1 to ${mostDimensions} are allowed`;
  let largest = 0;
  for (let at = 0; at < length; at += 1) {
    const number = value[at];
    if (typeof number !== 'number' || !Number.isFinite(number))
      return `has ${typeof number === 'number' ? number : typeof number} at place ${at}, which is no finite number`;
    largest = Math.max(largest, Math.abs(number));
  }
  if (largest === 0) return 'has the length 0, so it has no direction';
  // numbers are scaled first, so that no square overflows or vanishes
  const vector = new Float32Array(length);
  let squares = 0;
  for (let at = 0; at < length; at += 1) squares += (Number(value[at]) / largest) ** 2;
  const norm = Math.sqrt(squares);
  for (let at = 0; at < length; at += 1) vector[at] = Number(value[at]) / largest / norm;
  return vector;
}
