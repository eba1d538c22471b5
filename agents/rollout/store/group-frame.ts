import { promisify } from 'node:util';
import { constants, gunzip, gzip, inflateRawSync } from 'node:zlib';
import { messageOf } from '../../../envs/core/errors.ts';
import { damaged, repacked, tooMuch, type ReadLimits } from '../format/read-limits.ts';

/**
 * A group on disk is one gzip member, which any gunzip reads. An extra field (RFC 1952, 2.3.1.1) named `CN`
 * has the length of the member and the length of its text, both 32 bits, little-endian. A reader thus finds
 * the next member without decompressing, never inflates more than the header states, and can distinguish a
 * torn tail from damage.
 */
export const frameHeaderBytes = 24;
const trailerBytes = 8; // CRC-32 and length
const memberLengthAt = 16;
const textLengthAt = 20;

/** The first 16 bytes of every member: gzip, deflate, one extra field, no time, no file name, system unknown. */
export const signature = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 12, 0, 0x43, 0x4e, 8, 0]);
const plainHeaderBytes = 10;
const gzipMagicBytes = 3;
/** Position of the name and length of our extra field. */
const extraFieldAt = 12;

const gzipAsync = promisify<Buffer, Buffer>(gzip);

/** Compresses a group's lines to a gzip member. The same lines give the same bytes. */
export async function frameGroup(text: Buffer): Promise<Buffer> {
  const plain = await gzipAsync(text);
  const member = Buffer.alloc(frameHeaderBytes + plain.length - plainHeaderBytes);
  signature.copy(member);
  member.writeUInt32LE(member.length, memberLengthAt);
  member.writeUInt32LE(text.length, textLengthAt);
  plain.copy(member, frameHeaderBytes, plainHeaderBytes);
  return member;
}

/** The sizes in a member's header, in bytes. */
export interface Frame {
  readonly memberBytes: number;
  readonly textBytes: number;
}

const hasSigned = (head: Buffer, from: number, to: number): boolean =>
  head.compare(signature, from, to, from, to) === 0;

/**
 * Reads the header of a member; `where` names file and byte. @throws UsageError for lengths beyond the limits
 */
export function readFrame(head: Buffer, where: string, limits: ReadLimits): Frame {
  if (!hasSigned(head, 0, signature.length)) {
    throw hasSigned(head, 0, gzipMagicBytes) && !hasSigned(head, extraFieldAt, signature.length)
      ? repacked(where)
      : damaged(where, 'no group begins here');
  }
  const memberBytes = head.readUInt32LE(memberLengthAt);
  const textBytes = head.readUInt32LE(textLengthAt);
  if (memberBytes <= frameHeaderBytes + trailerBytes)
    throw damaged(where, `a group cannot have ${memberBytes} bytes`);
  const larger = Math.max(memberBytes, textBytes);
  if (larger > limits.maxGroupBytes)
    throw tooMuch(where, `the group has ${larger} bytes`, 'maxGroupBytes', limits.maxGroupBytes);
  return { memberBytes, textBytes };
}

/**
 * The length of a member by its header, even if other parts of the header are damaged. Undefined if the
 * header is truncated.
 */
export const promisedBytes = (head: Buffer): number | undefined =>
  head.length < frameHeaderBytes ? undefined : head.readUInt32LE(memberLengthAt);

/** Decompresses a whole member. It never inflates more than the header states. */
export function unframe(member: Buffer, frame: Frame, where: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gunzip(member, { maxOutputLength: Math.max(1, frame.textBytes) }, (error, text) => {
      if (error !== null) reject(damaged(where, `the group does not decompress (${error.message})`, error));
      else if (text.length !== frame.textBytes)
        reject(
          damaged(
            where,
            `the group has ${text.length} bytes of text, and its header says ${frame.textBytes}`,
          ),
        );
      else resolve(text);
    });
  });
}

/**
 * The text that the first bytes of an intact member contain. The rest of the text may need bytes that are not
 * in `first`.
 */
export function beginningOf(first: Buffer, frame: Frame, where: string): Buffer {
  try {
    return inflateRawSync(first.subarray(frameHeaderBytes), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: Math.max(1, frame.textBytes),
    });
  } catch (error) {
    throw damaged(where, `the group does not decompress (${messageOf(error)})`, error);
  }
}

/** True if `head` is the beginning of a header that the end of the file cut off. */
export function isTornHead(head: Buffer): boolean {
  const known = Math.min(head.length, signature.length);
  return head.length < frameHeaderBytes && head.compare(signature, 0, known, 0, known) === 0;
}

/**
 * True if `member`, which is shorter than its stated length, is one whose writing was interrupted. Its
 * compressed stream must be valid and unfinished. Anything else is damage, such as a hole followed by another
 * member.
 */
export function isTornMember(member: Buffer, frame: Frame): boolean {
  const body = member.subarray(frameHeaderBytes);
  if (body.length === 0) return true;
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: frame.textBytes + 1, info: true };
    // With `info` it also returns the engine, whose `bytesWritten` is the input consumed. The type
    // declarations omit that.
    const { buffer, engine } = inflateRawSync(body, options) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return buffer.length <= frame.textBytes && body.length - engine.bytesWritten < trailerBytes;
  } catch {
    return false;
  }
}
