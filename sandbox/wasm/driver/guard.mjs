// The thread that watches the interpreter's: it ends the process when its starter is gone or a limit is passed, whatever runs in it.
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';

/**
 * @typedef {{ readonly port: import('node:worker_threads').MessagePort, readonly arrived: Int32Array, readonly limits: Float64Array }} GuardData
 * `limits`: whether a program runs, then the uptime, the processor time and the resident set at which it has to end (ms, ms, bytes).
 */

const pollMs = 10;
const { port, arrived, limits } = /** @type {GuardData} */ (workerData);

/** @param {string} [limit] */
function end(limit) {
  if (limit !== undefined) writeSync(2, `\nkilled: ${limit}\n`);
  process.kill(process.pid, 'SIGKILL');
}

function watch() {
  const [running = 0, wallMs = 0, cpuMs = 0, memoryBytes = 0] = limits;
  if (running === 0) return;
  const { user, system } = process.cpuUsage();
  if (process.uptime() * 1000 > wallMs) end('wall');
  else if ((user + system) / 1000 > cpuMs) end('cpu');
  else if (process.memoryUsage.rss() > memoryBytes) end('memory');
}

/** @param {Uint8Array} payload */
function pass(payload) {
  port.postMessage(payload, [/** @type {ArrayBuffer} */ (payload.buffer)]);
  Atomics.add(arrived, 0, 1);
  Atomics.notify(arrived, 0);
}

const start = Buffer.alloc(4);
/** @type {Uint8Array | undefined} */
let payload;
let filled = 0;

/** @param {Buffer} chunk */
function take(chunk) {
  for (let at = 0; at < chunk.byteLength;) {
    const target = payload ?? start;
    const length = Math.min(target.byteLength - filled, chunk.byteLength - at);
    target.set(chunk.subarray(at, at + length), filled);
    at += length;
    filled += length;
    if (filled < target.byteLength) continue;
    filled = 0;
    if (payload === undefined) payload = new Uint8Array(start.readUInt32BE(0));
    else {
      pass(payload);
      payload = undefined;
    }
  }
}

const stdin = new Socket({ fd: 0, readable: true, writable: false });
stdin.on('data', take);
stdin.on('end', () => end());
stdin.on('error', () => end());
setInterval(watch, pollMs);
