/** Where the hash of nothing begins (FNV-1a, 32 bits). */
export const hashStart = 0x811c9dc5;

/** The hash with one more number below 2^16 taken in. */
export const hashStep = (hash: number, value: number): number => Math.imul(hash ^ value, 0x01000193);

/** The hash with its bits mixed once more, so that the low ones can choose a slot. */
export function hashEnd(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return mixed ^ (mixed >>> 16);
}
