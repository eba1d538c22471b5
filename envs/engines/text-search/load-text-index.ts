import { open, type FileHandle } from 'node:fs/promises';
import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import { describeIssues } from '../../core/issues.ts';
import { codeOf, messageOf, RunError, UsageError } from '../../core/errors.ts';
import { assertCacheFile } from '../cache-file/read-file.ts';
import type { Analyzer } from './analyzer.ts';
import { anseriniParameters, type Bm25Parameters } from './bm25.ts';
import { englishAnalyzer } from './english-analyzer.ts';
import {
  bytesPerElement,
  formatVersion,
  headerSchema,
  longestHeader,
  magic,
  preambleLength,
  sectionNames,
  sectionTypes,
  type Header,
  type SectionName,
} from './file-layout.ts';
import type { TextIndexData } from './index-data.ts';
import { TextIndex } from './text-index.ts';

/** The result of looking for a stored index. */
export type StoredIndex =
  | { readonly kind: 'loaded'; readonly index: TextIndex }
  | { readonly kind: 'missing' }
  /** An index of other documents, or with other settings. It has to be rebuilt. */
  | { readonly kind: 'stale'; readonly why: string };

export interface LoadOptions {
  /** The key that was passed to {@link saveTextIndex}. */
  readonly contentKey: string;
  readonly analyzer?: Analyzer;
  readonly parameters?: Bm25Parameters;
  readonly signal?: AbortSignal;
}

/** Bytes per read. */
const chunkSize = 1 << 24;

/**
 * Reads an index.
 *
 * @throws RunError for a damaged or incomplete file
 * @throws UsageError for a file that is no index or that a newer version wrote
 */
export async function loadTextIndex(file: string, options: LoadOptions): Promise<StoredIndex> {
  const handle = await openFile(file);
  if (handle === undefined) return { kind: 'missing' };
  try {
    return await read({ file, handle, length: (await handle.stat()).size }, options);
  } catch (thrown) {
    throw nameReadError(thrown, file);
  } finally {
    await handle.close();
  }
}

interface Source {
  readonly file: string;
  readonly handle: FileHandle;
  readonly length: number;
}

async function openFile(file: string): Promise<FileHandle | undefined> {
  try {
    await assertCacheFile(file);
    return await open(file, 'r');
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw nameReadError(thrown, file);
  }
}

async function read(source: Source, options: LoadOptions): Promise<StoredIndex> {
  const { version, headerLength, headerChecksum } = await readPreamble(source);
  if (version > formatVersion) throw newer(source.file, version);
  if (version < formatVersion) return { kind: 'stale', why: `its format is version ${version}` };
  const header = await readHeader(source, headerLength, headerChecksum);
  const { contentKey, analyzer = englishAnalyzer, parameters = anseriniParameters, signal } = options;
  const why = difference(header, { contentKey, analyzer: analyzer.id, parameters });
  if (why !== undefined) return { kind: 'stale', why };
  assertLayout(source, header);
  return { kind: 'loaded', index: new TextIndex(await readData(source, header, signal), analyzer) };
}

interface Preamble {
  readonly version: number;
  readonly headerLength: number;
  readonly headerChecksum: number;
}

async function readPreamble(source: Source): Promise<Preamble> {
  const bytes = Buffer.alloc(Math.min(preambleLength, source.length));
  await readFully(source, bytes, { offset: 0, signal: undefined });
  if (
    !bytes.subarray(0, magic.length).equals(Buffer.from(magic, 'latin1').subarray(0, bytes.length)) ||
    bytes.length === 0
  )
    throw foreign(source.file);
  if (bytes.length < preambleLength) throw damaged(source.file, `it ends after ${bytes.length} bytes.`);
  return {
    version: bytes.readUInt32LE(8),
    headerLength: bytes.readUInt32LE(12),
    headerChecksum: bytes.readUInt32LE(16),
  };
}

async function readHeader(source: Source, length: number, checksum: number): Promise<Header> {
  if (length > longestHeader || preambleLength + length > source.length)
    throw damaged(source.file, 'its header is incomplete.');
  const bytes = Buffer.alloc(length);
  await readFully(source, bytes, { offset: preambleLength, signal: undefined });
  if (crc32(bytes) !== checksum) throw damaged(source.file, 'its header does not match its checksum.');
  const header = headerSchema.safeParse(parseJson(bytes.toString()));
  if (!header.success) throw damaged(source.file, `its header is wrong: ${describeIssues(header.error)}.`);
  return header.data;
}

/** The parsed text; undefined where it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Why an index is not the requested one. */
function difference(
  header: Header,
  wanted: Pick<Header, 'contentKey' | 'analyzer' | 'parameters'>,
): string | undefined {
  if (header.byteOrder !== endianness()) return 'it was written on a machine with the other byte order';
  if (header.contentKey !== wanted.contentKey) return 'it was made of other documents';
  if (header.analyzer !== wanted.analyzer) return `its terms were made by the analyzer ${header.analyzer}`;
  const { k1, b } = header.parameters;
  if (k1 !== wanted.parameters.k1 || b !== wanted.parameters.b) return `it was made for k1 ${k1} and b ${b}`;
  return undefined;
}

/** Validates the table of sections before memory is allocated for them. */
function assertLayout({ file, length }: Source, { fileLength, sections }: Header): void {
  if (fileLength !== length) throw damaged(file, `it has ${length} bytes and should have ${fileLength}.`);
  const complete =
    sections.length === sectionNames.length &&
    sectionNames.every(
      (name, at) => sections[at]?.name === name && sections[at]?.type === sectionTypes[name],
    );
  const inside = sections.every(
    ({ offset, length: elements, type }) =>
      offset + elements * bytesPerElement[type] <= length && offset % bytesPerElement[type] === 0,
  );
  if (!complete || !inside) throw damaged(file, 'its table of sections is wrong.');
}

async function readData(
  source: Source,
  header: Header,
  signal: AbortSignal | undefined,
): Promise<TextIndexData> {
  const buffers = new Map<SectionName, SharedArrayBuffer>();
  for (const { name, type, length, offset, checksum } of header.sections) {
    const buffer = new SharedArrayBuffer(length * bytesPerElement[type]);
    if ((await readFully(source, new Uint8Array(buffer), { offset, signal })) !== checksum)
      throw damaged(source.file, `its section ${name} does not match its checksum.`);
    buffers.set(name, buffer);
  }
  const bytes = (name: SectionName): Uint8Array =>
    new Uint8Array(buffers.get(name) ?? new SharedArrayBuffer(0));
  const words = (name: SectionName): Uint32Array =>
    new Uint32Array(buffers.get(name) ?? new SharedArrayBuffer(0));
  const { analyzer, parameters, documentsWithTerms, occurrences } = header;
  const data: TextIndexData = {
    analyzer,
    parameters,
    documentsWithTerms,
    occurrences,
    lengths: bytes('lengths'),
    order: words('order'),
    terms: { bytes: bytes('termBytes'), starts: words('termStarts'), slots: words('termSlots') },
    starts: words('starts'),
    documents: words('documents'),
    frequencies: bytes('frequencies'),
    longPlaces: words('longPlaces'),
    longFrequencies: words('longFrequencies'),
    blockStarts: words('blockStarts'),
    peaks: new Float32Array(buffers.get('peaks') ?? new SharedArrayBuffer(0)),
  };
  assertTogether(source.file, data);
  return data;
}

/** Checks that the lengths of sections agree, in case a file with valid checksums was assembled wrongly. */
function assertTogether(file: string, data: TextIndexData): void {
  const { lengths, order, terms, starts, documents, frequencies } = data;
  const { longPlaces, longFrequencies, blockStarts, peaks } = data;
  const agree =
    (order.length === 0 || order.length === lengths.length) &&
    terms.starts.length === starts.length &&
    blockStarts.length === starts.length &&
    terms.starts.at(-1) === terms.bytes.length &&
    starts.at(-1) === documents.length &&
    frequencies.length === documents.length &&
    longPlaces.length === longFrequencies.length &&
    blockStarts.at(-1) === peaks.length &&
    Number.isInteger(Math.log2(terms.slots.length)) &&
    terms.slots.length >= starts.length;
  if (!agree) throw damaged(file, 'its sections do not match each other.');
}

/** Fills `into`. Returns the CRC-32 of the bytes. */
async function readFully(
  { file, handle }: Source,
  into: Uint8Array,
  { offset, signal }: { readonly offset: number; readonly signal: AbortSignal | undefined },
): Promise<number> {
  let checksum = 0;
  for (let done = 0; done < into.length;) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(
      into,
      done,
      Math.min(chunkSize, into.length - done),
      offset + done,
    );
    if (bytesRead === 0) throw damaged(file, `it ends after ${offset + done} bytes.`);
    checksum = crc32(into.subarray(done, done + bytesRead), checksum);
    done += bytesRead;
  }
  return checksum;
}

const foreign = (file: string): UsageError =>
  new UsageError({
    where: file,
    what: 'it is not a text index.',
    fix: 'Name another file for the index, or move this one away.',
  });

const newer = (file: string, version: number): UsageError =>
  new UsageError({
    where: file,
    what: `a newer version of this package wrote it (format ${version}; this one reads ${formatVersion}).`,
    fix: 'Use that version, or another folder for the cache, or delete the file. It is then built again.',
  });

const damaged = (file: string, what: string): RunError =>
  new RunError({ where: file, what, fix: 'Delete it. It is then built again from the documents.' });

function nameReadError(thrown: unknown, file: string): unknown {
  if (!(thrown instanceof Error && 'code' in thrown && 'syscall' in thrown)) return thrown;
  return new RunError(
    {
      where: file,
      what: `it could not be read: ${messageOf(thrown)}.`,
      fix: 'Check that it is a readable file, or delete it.',
    },
    { cause: thrown },
  );
}
