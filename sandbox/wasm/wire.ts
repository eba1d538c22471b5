import { z } from 'zod';
import type { FaultError } from '../../envs/core/errors.ts';
import { failed } from '../faults.ts';

const counts = z.number().int().min(0);

/** Messages of the process. It runs untrusted programs, so every message is validated. */
const headerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('snapshot') }),
  z.object({ kind: z.enum(['stdout', 'stderr']) }),
  z.object({
    kind: z.literal('ended'),
    end: z.union([
      z.object({ code: z.number().int().min(0).max(255) }),
      z.object({ crashed: z.enum(['SIGSEGV', 'SIGABRT']) }),
      z.object({ killed: z.literal('memory') }),
    ]),
    /** Whether the interpreter can no longer be used. */
    over: z.boolean(),
    files: z.array(z.object({ path: z.string(), size: counts })),
    removed: z.array(z.string()),
    folders: z.array(z.string()),
  }),
]);

export type InterpreterHeader = z.infer<typeof headerSchema>;
export type EndedHeader = Extract<InterpreterHeader, { readonly kind: 'ended' }>;

/**
 * Encodes a message: its length, the length of its header, the header as JSON, and the parts of its body. The
 * body starts at a multiple of four after the first length, so that it can be read as words without a copy.
 */
export function encodeMessage(header: unknown, parts: readonly Uint8Array[]): readonly Uint8Array[] {
  const text = Buffer.from(JSON.stringify(header));
  const json = Buffer.concat([text, Buffer.alloc(-text.byteLength & 3, ' ')]);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(4 + json.byteLength + parts.reduce((sum, part) => sum + part.byteLength, 0), 0);
  lengths.writeUInt32BE(json.byteLength, 4);
  return [lengths, json, ...parts];
}

export interface InterpreterMessage {
  readonly header: InterpreterHeader;
  readonly body: Uint8Array;
}

/** Assembles messages from the chunks of a stream. */
export class MessageReader {
  /** The most bytes of one message. */
  mostBytes: number;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** The number of bytes from which the next look is useful. */
  #needed = 4;

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  /**
   * Adds a chunk and returns the messages that it completes.
   *
   * @throws FaultError for invalid messages
   */
  take(chunk: Uint8Array): readonly InterpreterMessage[] {
    this.#chunks.push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#bytes < this.#needed) return [];
    const messages: InterpreterMessage[] = [];
    let rest = Buffer.concat(this.#chunks.splice(0));
    while (rest.byteLength >= (this.#needed = this.#lengthOf(rest))) {
      messages.push(decode(rest.subarray(4, this.#needed)));
      rest = rest.subarray(this.#needed);
    }
    this.#chunks.push(rest);
    this.#bytes = rest.byteLength;
    return messages;
  }

  /** The length of the first message, including the four bytes of the length itself. */
  #lengthOf(bytes: Buffer): number {
    if (bytes.byteLength < 4) return 4;
    const length = bytes.readUInt32BE(0);
    if (length < 4 || length > this.mostBytes) throw rubbish(`a message of ${length} bytes`);
    return 4 + length;
  }
}

function decode(payload: Buffer): InterpreterMessage {
  const headerBytes = payload.readUInt32BE(0);
  if (headerBytes > payload.byteLength - 4) throw rubbish('a header longer than its message');
  const parsed = headerSchema.safeParse(parseJson(payload.toString('utf8', 4, 4 + headerBytes)));
  if (!parsed.success)
    throw rubbish(`a header that means nothing (${parsed.error.issues[0]?.message ?? ''})`);
  return { header: parsed.data, body: payload.subarray(4 + headerBytes) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const rubbish = (what: string): FaultError => failed('exec', `the interpreter's process sent ${what}`);
