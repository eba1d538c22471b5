/** Lengths below this are exact. A length up to 2^31 - 1 then still has a code of one byte. */
const exactLengths = 24;

/** Significant bits kept of a longer length: the leading one, which is implicit, and three more. */
const keptBits = 4;

/**
 * Encodes a document's length in one byte, as Lucene has done since version 7 (SmallFloat.intToByte4). It is
 * exact below 40, then rounded down to four significant bits.
 */
export function encodeLength(length: number): number {
  if (!Number.isInteger(length) || length < 0 || length > 2 ** 31 - 1)
    throw new RangeError(`a length is a whole number from 0 to 2^31 - 1, not ${length}`);
  if (length < exactLengths) return length;
  const rest = length - exactLengths;
  const bits = 32 - Math.clz32(rest);
  if (bits < keptBits) return exactLengths + rest;
  const shift = bits - keptBits;
  return exactLengths + (((shift + 1) << 3) | ((rest >>> shift) & 7));
}

/** Decodes a length (SmallFloat.byte4ToInt). */
export function decodeLength(code: number): number {
  if (code < exactLengths) return code;
  const rest = code - exactLengths;
  const shift = (rest >>> 3) - 1;
  return exactLengths + (shift < 0 ? rest & 7 : ((rest & 7) | 8) * 2 ** shift);
}
