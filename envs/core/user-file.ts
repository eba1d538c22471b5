import { open, stat } from 'node:fs/promises';
import { codeOf, messageOf, UsageError } from './errors.ts';

const bomBytes = [0xef, 0xbb, 0xbf] as const;

/**
 * Windows-1252 for the bytes 0x80 to 0x9f, as the WHATWG encoding standard maps them. The runtime's own decoder is not used: its result
 * for these bytes differs between versions of Node.
 */
const windows1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** The text without a byte order mark in front, which some editors and spreadsheets write. */
export const withoutBom = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** UTF-8 without a byte order mark; undefined for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Decodes UTF-8 without a byte order mark. Every byte that is not part of valid UTF-8 is read as
 * Windows-1252. So a file in Windows-1252 is read correctly. This also holds for UTF-8 with stray bytes, and
 * for UTF-16 with its byte order mark. Never throws.
 */
export function decodeLoosely(bytes: Uint8Array): string {
  const whole = decodeUtf8(bytes);
  if (whole !== undefined) return whole;
  const wide = decodeUtf16(bytes);
  if (wide !== undefined) return wide;
  const start = bomBytes.every((byte, at) => bytes[at] === byte) ? bomBytes.length : 0;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let [text, valid] = ['', start];
  for (let at = start; at < bytes.length;) {
    const length = sequenceAt(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    const byte = bytes[at] as number;
    text += decoder.decode(bytes.subarray(valid, at));
    text += byte < 0xa0 ? windows1252.charAt(byte - 0x80) : String.fromCharCode(byte);
    at += 1;
    valid = at;
  }
  return text + decoder.decode(bytes.subarray(valid));
}

/** UTF-16 with its byte order mark, as spreadsheets save "Unicode text"; undefined for anything else. */
function decodeUtf16(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (bytes.length % 2 !== 0) return undefined;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  if (!isLittle && !isBig) return undefined;
  const words = Buffer.from(bytes.subarray(2));
  return (isBig ? words.swap16() : words).toString('utf16le');
}

/** The bytes of the valid UTF-8 sequence that begins there; 0 where none does. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (let next = 1; next < length; next += 1) {
    const byte = bytes[at + next];
    if (byte === undefined || (byte & 0xc0) !== 0x80) return 0;
  }
  const second = bytes[at + 1] as number;
  const overlong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
  const surrogate = first === 0xed && second > 0x9f;
  const beyond = first === 0xf4 && second > 0x8f;
  return overlong || surrogate || beyond ? 0 : length;
}

/** Says in words why a path that a user gave cannot be read, such as `there is no such file`. */
export function describeReadError(thrown: unknown): string {
  switch (codeOf(thrown)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such file';
    case 'EISDIR':
      return 'it is a folder, and a file is expected';
    case 'EACCES':
    case 'EPERM':
      return 'you are not allowed to read it';
    case 'ELOOP':
      return 'it is a symbolic link that leads back to itself';
    case 'ENAMETOOLONG':
      return 'its name is too long for the file system';
    default:
      return `it cannot be read (${messageOf(thrown)})`;
  }
}

/** Says in words why a path that a user gave cannot be a folder, or a new file, such as `a part of its path is a file`. */
export function describePathError(thrown: unknown): string {
  switch (codeOf(thrown)) {
    case 'ENOENT':
      return 'there is no such folder';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'it, or a part of its path, is a file and no folder';
    case 'EACCES':
    case 'EPERM':
      return 'you have no permission for it';
    case 'EROFS':
      return 'its file system is read-only';
    default:
      return describeReadError(thrown);
  }
}

/** How {@link readUserFile} reads and refuses. */
export interface UserFileOptions {
  /** Names the file in errors; its path by default. */
  readonly where?: string;
  /** What the user can do about it. */
  readonly fix: string;
  /** A larger file is refused; 256 MiB by default. */
  readonly maxBytes?: number;
}

const usualBytes = 256 * 2 ** 20;

/**
 * Reads a file of text that a user named, in UTF-8, without a byte order mark.
 * @throws UsageError for a file that is missing, a folder, a pipe or device, too large, not readable or not UTF-8
 */
export async function readUserFile(file: string | URL, options: UserFileOptions): Promise<string> {
  const bytes = await readUserBytes(file, options);
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  throw new UsageError({
    where: options.where ?? String(file),
    what: 'it is not UTF-8.',
    fix: 'Convert it, such as with `iconv -f windows-1252 -t utf-8`.',
  });
}

/**
 * Reads the bytes of a file that a user named.
 * @throws UsageError for a file that is missing, a folder, a pipe or device, too large or not readable
 */
export async function readUserBytes(
  file: string | URL,
  { where = String(file), fix, maxBytes = usualBytes }: UserFileOptions,
): Promise<Uint8Array> {
  const refusal = (what: string, cause?: unknown): UsageError =>
    new UsageError({ where, what: `${what}.`, fix }, { cause });
  try {
    const about = await stat(file);
    if (about.isDirectory()) throw refusal('it is a folder, and a file is expected');
    if (!about.isFile()) throw refusal('it is a pipe or a device, and a plain file is expected');
    await using handle = await open(file, 'r');
    const { size } = await handle.stat();
    if (size > maxBytes) throw refusal(`it has ${size} bytes, and at most ${maxBytes} are allowed`);
    return await handle.readFile();
  } catch (thrown) {
    if (UsageError.is(thrown)) throw thrown;
    throw refusal(describeReadError(thrown), thrown);
  }
}
