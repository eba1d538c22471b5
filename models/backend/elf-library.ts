import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Says what is wrong with a shared library whose end is missing, or with one that it needs and finds by its own
 * paths. The system's loader maps it all the same, and the process ends without a message.
 *
 * @param environment with LD_LIBRARY_PATH, where the loader looks first
 */
export function whyLibraryIsCut(
  file: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): string | undefined {
  const folders = (environment['LD_LIBRARY_PATH'] ?? '').split(':').filter((folder) => folder !== '');
  const seen = new Set<string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next) || !existsSync(next)) continue; // the loader says so itself
    seen.add(next);
    const parts = readParts(next);
    if (parts === undefined) continue;
    if (parts.size < parts.wanted)
      return `${next} is cut: it has ${parts.size} bytes of at least ${parts.wanted}`;
    for (const name of parts.needed) {
      const found = [...folders, ...parts.paths].map((folder) => join(folder, name)).find(existsSync);
      if (found !== undefined) waiting.push(found);
    }
  }
  return undefined;
}

interface Parts {
  /** Bytes of the file. */
  readonly size: number;
  /** Bytes that its header says it has, at least. */
  readonly wanted: number;
  /** Names of the libraries that it needs. */
  readonly needed: readonly string[];
  /** Folders where they may be. */
  readonly paths: readonly string[];
}

/** Of a 64-bit little-endian ELF file; undefined for any other, and for one that cannot be read. Source: System V ABI, chapters 4 and 5. */
function readParts(file: string): Parts | undefined {
  try {
    const opened = openSync(file, 'r');
    try {
      return partsOf(opened, dirname(file));
    } finally {
      closeSync(opened);
    }
  } catch {
    return undefined; // the loader says why
  }
}

function partsOf(opened: number, folder: string): Parts | undefined {
  const { size } = fstatSync(opened);
  const read = (at: number, length: number): Buffer => {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - at)));
    readSync(opened, bytes, 0, bytes.length, at);
    return bytes;
  };
  const header = read(0, 64);
  const isElf64 =
    header.length === 64 && header.readUInt32BE(0) === 0x7f_45_4c_46 && header[4] === 2 && header[5] === 1;
  if (!isElf64) return undefined;
  const sections =
    Number(header.readBigUInt64LE(0x28)) + header.readUInt16LE(0x3a) * header.readUInt16LE(0x3c);
  const segments = readSegments(read, header);
  const wanted = segments.reduce((most, { at, length }) => Math.max(most, at + length), sections);
  if (size < wanted) return { size, wanted, needed: [], paths: [] };
  return { size, wanted, ...readDynamic(read, segments, folder) };
}

type Read = (at: number, length: number) => Buffer;

interface Segment {
  readonly kind: number;
  /** Where it is in the file. */
  readonly at: number;
  /** Where it is in memory. */
  readonly address: number;
  /** Bytes of it in the file. */
  readonly length: number;
}

function readSegments(read: Read, header: Buffer): readonly Segment[] {
  const [start, each, count] = [
    Number(header.readBigUInt64LE(0x20)),
    header.readUInt16LE(0x36),
    header.readUInt16LE(0x38),
  ];
  const table = read(start, each * count);
  const whole = each < 0x28 ? 0 : Math.floor(table.length / each);
  return Array.from({ length: whole }, (_, index) => {
    const entry = table.subarray(index * each);
    return {
      kind: entry.readUInt32LE(0),
      at: Number(entry.readBigUInt64LE(0x08)),
      address: Number(entry.readBigUInt64LE(0x10)),
      length: Number(entry.readBigUInt64LE(0x20)),
    };
  });
}

const [loaded, dynamic] = [1, 2];
/** Entries of the dynamic section. */
const tags = { needed: 1, strings: 5, rpath: 15, runpath: 29 };
const longestName = 4096;

/** What the dynamic section names. */
function readDynamic(
  read: Read,
  segments: readonly Segment[],
  origin: string,
): Pick<Parts, 'needed' | 'paths'> {
  const section = segments.find(({ kind }) => kind === dynamic);
  if (section === undefined) return { needed: [], paths: [] };
  const bytes = read(section.at, section.length);
  const entries = Array.from({ length: Math.floor(bytes.length / 16) }, (_, index) => ({
    tag: Number(bytes.readBigUInt64LE(16 * index)),
    value: Number(bytes.readBigUInt64LE(16 * index + 8)),
  }));
  const strings = entries.find(({ tag }) => tag === tags.strings)?.value ?? 0;
  const holder = segments.find(
    ({ kind, address, length }) => kind === loaded && strings >= address && strings < address + length,
  );
  if (holder === undefined) return { needed: [], paths: [] };
  const textsOf = (tag: number): readonly string[] =>
    entries
      .filter((entry) => entry.tag === tag)
      .map(({ value }) => read(holder.at + strings - holder.address + value, longestName))
      .map((text) => text.toString('latin1', 0, text.indexOf(0)));
  return {
    needed: textsOf(tags.needed),
    paths: [...textsOf(tags.rpath), ...textsOf(tags.runpath)]
      .flatMap((list) => list.split(':'))
      .map((folder) => folder.replaceAll(/\$ORIGIN|\$\{ORIGIN\}/g, origin)),
  };
}
