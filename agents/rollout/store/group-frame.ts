import { promisify } from 'node:util';
import { constants, gunzip, gzip, inflateRawSync } from 'node:zlib';
import { messageOf } from '../../../envs/core/errors.ts';
import { damaged, repacked, tooMuch, type ReadLimits } from '../format/read-limits.ts';

/**
 * A group on disk is one gzip member, which any gunzip reads, with an extra field (RFC 1952, 2.3.1.1) of our own: `CN`, the
 * length of the member and the length of its text, both 32 bits, little-endian. So a reader knows where the next member
 * begins without decompressing, takes no more than it was promised, and can tell a torn tail from damage.
 */
export const frameHeaderBytes = 24;
const trailerBytes = 8; // CRC-32 and length
const memberLengthAt = 16;
const textLengthAt = 20;

/** The first 16 bytes of every member: gzip, deflate, one extra field, no time, no file name, system unknown. */
export const signature = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 12, 0, 0x43, 0x4e, 8, 0]);
const plainHeaderBytes = 10;
const gzipMagicBytes = 3;
/** The name and length of our extra field. */
const extraFieldAt = 12;

const gzipAsync = promisify<Buffer, Buffer>(gzip);

/** One group's lines as a gzip member: the same bytes for the same lines. */
export async function frameGroup(text: Buffer): Promise<Buffer> {
  const plain = await gzipAsync(text);
  const member = Buffer.alloc(frameHeaderBytes + plain.length - plainHeaderBytes);
  signature.copy(member);
  member.writeUInt32LE(member.length, memberLengthAt);
  member.writeUInt32LE(text.length, textLengthAt);
  plain.copy(member, frameHeaderBytes, plainHeaderBytes);
  return member;
}

/** What the head of a member promises, in bytes. */
export interface Frame {
  readonly memberBytes: number;
  readonly textBytes: number;
}

const hasSigned = (head: Buffer, from: number, to: number): boolean =>
  head.compare(signature, from, to, from, to) === 0;

/** Reads the head of a member; `where` names file and byte. Refuses lengths beyond the limits. */
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

/** The length of a member by its head, whatever else of that is damaged; undefined where the head is not whole. */
export const promisedBytes = (head: Buffer): number | undefined =>
  head.length < frameHeaderBytes ? undefined : head.readUInt32LE(memberLengthAt);

/** The text of a whole member. It never inflates beyond what the head promised. */
export function unframe(member: Buffer, frame: Frame, where: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gunzip(member, { maxOutputLength: Math.max(1, frame.textBytes) }, (error, text) => {
      if (error !== null) reject(damaged(where, `the group does not decompress (${error.message})`, error));
      else if (text.length !== frame.textBytes)
        reject(damaged(where, `the group has ${text.length} bytes of text and says ${frame.textBytes}`));
      else resolve(text);
    });
  });
}

/** The text that the first bytes of a sound member hold, as far as it goes; some of it may be in bytes that are not there. */
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

/** True when `head` is the beginning of a head, cut off by the end of the file. */
export function isTornHead(head: Buffer): boolean {
  const known = Math.min(head.length, signature.length);
  return head.length < frameHeaderBytes && head.compare(signature, 0, known, 0, known) === 0;
}

/**
 * True when `member`, which ends before its promised length, is a member whose writing was cut off. Its compressed stream
 * must then be sound and unfinished; anything else is damage, such as a hole with another member behind it.
 */
export function isTornMember(member: Buffer, frame: Frame): boolean {
  const body = member.subarray(frameHeaderBytes);
  if (body.length === 0) return true;
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: frame.textBytes + 1, info: true };
    // With `info` it also returns the engine, whose `bytesWritten` is what it consumed; the type declarations leave that out.
    const { buffer, engine } = inflateRawSync(body, options) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return buffer.length <= frame.textBytes && body.length - engine.bytesWritten < trailerBytes;
  } catch {
    return false;
  }
}
