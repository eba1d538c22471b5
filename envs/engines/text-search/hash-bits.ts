/** The initial hash (FNV-1a, 32 bits). */
export const hashStart = 0x811c9dc5;

/** Adds a number below 2^16 to the hash. */
export const hashStep = (hash: number, value: number): number => Math.imul(hash ^ value, 0x01000193);

/** Mixes the bits of the hash once more, so that the low ones can choose a slot. */
export function hashEnd(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return mixed ^ (mixed >>> 16);
}
