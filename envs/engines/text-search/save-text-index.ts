import type { FileHandle } from 'node:fs/promises';
import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import { replaceFile, writeFully } from '../cache-file/replace-file.ts';
import {
  aligned,
  bytesOf,
  formatVersion,
  magic,
  preambleLength,
  sectionNames,
  sectionsOf,
  sectionTypes,
  type Header,
  type Section,
  type SectionName,
} from './file-layout.ts';
import type { TextIndex } from './text-index.ts';

/**
 * Writes an index into one file, completely or not at all, and creates missing folders. `contentKey`
 * identifies its documents: {@link contentKeyOf}, or another key that changes whenever they do.
 */
export async function saveTextIndex(
  index: TextIndex,
  file: string,
  { contentKey }: { readonly contentKey: string },
): Promise<void> {
  const sections = sectionsOf(index.data);
  const header = describe(index, sections, contentKey);
  await replaceFile(file, (handle) => write(handle, header, sections));
}

/**
 * Computes the header. It contains offsets in the file, which depend on its own length, so room for it is
 * reserved first.
 */
function describe(
  index: TextIndex,
  sections: Readonly<Record<SectionName, Section>>,
  contentKey: string,
): Header {
  const { analyzer, parameters, documentsWithTerms, occurrences } = index.data;
  const checksums = sectionNames.map((name) => crc32(bytesOf(sections[name])));
  const layOut = (headerLength: number): Header => {
    let end = preambleLength + headerLength;
    const rows = sectionNames.map((name, at) => {
      const offset = aligned(end);
      end = offset + sections[name].byteLength;
      return {
        name,
        type: sectionTypes[name],
        length: sections[name].length,
        offset,
        checksum: checksums[at] ?? 0,
      };
    });
    return {
      contentKey,
      analyzer,
      parameters,
      byteOrder: endianness(),
      documentsWithTerms,
      occurrences,
      fileLength: end,
      sections: rows,
    };
  };
  // numbers with the most digits possible
  return layOut(aligned(encode(layOut(Number.MAX_SAFE_INTEGER / 4)).length));
}

const encode = (header: Header): Uint8Array => new TextEncoder().encode(JSON.stringify(header));

async function write(
  handle: FileHandle,
  header: Header,
  sections: Readonly<Record<SectionName, Section>>,
): Promise<void> {
  const text = encode(header);
  const preamble = Buffer.alloc(preambleLength);
  preamble.write(magic, 'latin1');
  preamble.writeUInt32LE(formatVersion, 8);
  preamble.writeUInt32LE(text.length, 12);
  preamble.writeUInt32LE(crc32(text), 16);
  await writeFully(handle, Buffer.concat([preamble, text]), 0);
  for (const { name, offset } of header.sections) await writeFully(handle, bytesOf(sections[name]), offset);
  await handle.truncate(header.fileLength); // pads the file where an empty section ends it
}
