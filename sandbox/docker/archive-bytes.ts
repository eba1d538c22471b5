import { bytesInPages } from '../pages.ts';

const blockBytes = 512;
/** The place in a header of the size of the following content, in octal, in bytes. */
const sizeField = { from: 124, to: 136 } as const;
const typeField = 156;

/**
 * Types of entries that are files or folders. Other headers belong to tar itself, such as those for long
 * names.
 */
const kept: ReadonlySet<string> = new Set(['0', '\0', '5']);

/**
 * The bytes that the files of a tar archive take in a work folder. A damaged archive is counted as far as it
 * can be read.
 */
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

/**
 * Undefined where there is no number. tar writes sizes of 8 GiB and more in another format, but no snapshot
 * contains such files.
 */
function sizeAt(head: Buffer): number | undefined {
  const digits = head.toString('latin1', sizeField.from, sizeField.to).replace(/[\0 ]+$/, '');
  return digits === '' ? 0 : /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}
