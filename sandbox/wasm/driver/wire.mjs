// Messages between this process and the one that started it, over stdin and stdout: a length, then a length, a JSON header and bytes.
import { writeSync } from 'node:fs';

/** @typedef {{ readonly header: unknown, readonly body: Uint8Array }} Message */

/**
 * @param {Uint8Array} payload what follows a message's length
 * @returns {Message}
 */
export function decode(payload) {
  const headerEnd = 4 + new DataView(payload.buffer, payload.byteOffset).getUint32(0);
  return {
    header: JSON.parse(Buffer.from(payload.buffer, payload.byteOffset + 4, headerEnd - 4).toString()),
    body: payload.subarray(headerEnd),
  };
}

/**
 * Blocks until all of it is written, so that a program cannot print faster than it is heard.
 * @param {unknown} header
 * @param {readonly Uint8Array[]} [parts] the bytes
 */
export function send(header, parts = []) {
  const json = Buffer.from(JSON.stringify(header));
  const bytes = parts.reduce((sum, part) => sum + part.byteLength, 0);
  const start = Buffer.alloc(8 + json.byteLength);
  start.writeUInt32BE(4 + json.byteLength + bytes, 0);
  start.writeUInt32BE(json.byteLength, 4);
  json.copy(start, 8);
  for (const part of [start, ...parts]) {
    for (let written = 0; written < part.byteLength;) written += writeSome(part.subarray(written));
  }
}

const pauses = new Int32Array(new SharedArrayBuffer(4));
const pauseMs = 1;

/** @param {Uint8Array} part @returns {number} how many bytes were written: none while the other side has not read what came before */
function writeSome(part) {
  try {
    return writeSync(1, part);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EAGAIN')) throw thrown;
    Atomics.wait(pauses, 0, 0, pauseMs);
    return 0;
  }
}
