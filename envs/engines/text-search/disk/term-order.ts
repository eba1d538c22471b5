import type { TermTable } from '../term-dictionary.ts';

/** Bytes of a term that a number in double precision holds. */
const prefixBytes = 6;

/** The first bytes of a term as a number, which is in the order of the bytes. */
export function prefixOf(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let prefix = 0;
  for (let at = start; at < start + prefixBytes; at += 1)
    prefix = prefix * 256 + (at < end ? (bytes[at] as number) : 0);
  return prefix;
}

/** The numbers of all terms, in the order of their bytes. */
export function byteOrderOf({ bytes, starts }: TermTable): Uint32Array {
  const count = starts.length - 1;
  const prefixes = new Float64Array(count);
  for (let term = 0; term < count; term += 1)
    prefixes[term] = prefixOf(bytes, starts[term] as number, starts[term + 1] as number);
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const compareAll = (a: number, b: number): number =>
    view.compare(
      view,
      starts[b] as number,
      starts[b + 1] as number,
      starts[a] as number,
      starts[a + 1] as number,
    );
  return Uint32Array.from({ length: count }, (_, term) => term).sort(
    (a, b) => (prefixes[a] as number) - (prefixes[b] as number) || compareAll(a, b),
  );
}
