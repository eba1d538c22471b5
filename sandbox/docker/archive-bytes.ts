import { bytesInPages } from '../pages.ts';

const blockBytes = 512;
/** Where a head has the length of what follows it, in octal, and what it is of. */
const sizeField = { from: 124, to: 136 } as const;
const typeField = 156;

/** Kinds of entries: what tells a file or a folder, beside heads of tar's own such as those with long names. */
const kept: ReadonlySet<string> = new Set(['0', '\0', '5']);

/** What the files of a tar archive take of a work folder. An archive that is damaged is counted as far as it can be read. */
export function bytesForArchive(archive: Uint8Array): number {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const sizes: number[] = [];
  for (let at = 0; at + blockBytes <= bytes.byteLength;) {
    const size = sizeAt(bytes.subarray(at, at + blockBytes));
    if (size === undefined) break;
    if (kept.has(String.fromCharCode(bytes[at + typeField] ?? 0)) && bytes[at] !== 0) sizes.push(size);
    at += blockBytes * (1 + Math.ceil(size / blockBytes));
  }
  return bytesInPages(sizes);
}

/** Undefined where there is no number. Files of 8 GiB, of which tar writes the length otherwise, are in no snapshot. */
function sizeAt(head: Buffer): number | undefined {
  const digits = head.toString('latin1', sizeField.from, sizeField.to).replace(/[\0 ]+$/, '');
  return digits === '' ? 0 : /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}
