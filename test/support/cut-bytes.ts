import fc from 'fast-check';

export const bytes = fc.uint8Array({ maxLength: 40 });

/** Cuts at places that the stream knows nothing of. */
export const cut = (all: Buffer, places: readonly number[]): readonly Buffer[] => {
  const at = [0, ...places.map((place) => place % (all.length + 1)).toSorted((a, b) => a - b), all.length];
  return at.slice(1).map((end, index) => all.subarray(at[index], end));
};
