// Runs programs of one language for the process that started it, one call after the other, and ends with it.
import { setFlagsFromString } from 'node:v8';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { decode, send } from './wire.mjs';

/**
 * @typedef {{ readonly wallMs: number, readonly cpuMs: number, readonly memoryBytes: number, readonly diskBytes: number }} CallLimits
 * @typedef {{ readonly path: string, readonly size: number }} FileEntry
 * @typedef {{ readonly argv: readonly string[], readonly env: Readonly<Record<string, string>>, readonly folder: string }} Surroundings
 * @typedef {{ readonly how: 'file' | 'module' | 'code' | 'said', readonly text: string }} Program `text`: a path, a name or the code itself
 * @typedef {{ readonly kind: 'call', readonly program: Program, readonly limits: CallLimits, readonly files: readonly FileEntry[],
 *   readonly removed: readonly string[], readonly folders: readonly string[], readonly stdinBytes: number } & Surroundings} Call
 * @typedef {{ readonly files: ReadonlyMap<string, Uint8Array>, readonly removed: readonly string[], readonly folders: readonly string[] }} Changes
 * @typedef {{ readonly code: number } | { readonly crashed: string } | { readonly killed: string }} End
 *
 * @typedef {{ readonly print: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void, readonly finish: (end: End) => never }} Host
 * What an interpreter may do to the outside; `finish` ends the process in the middle of a program.
 * @typedef {{ readonly run: (call: Call, stdin: Uint8Array) => End, readonly put: (call: Call, contents: ReadonlyMap<string, Uint8Array>) => void,
 *   readonly changes: () => Changes, readonly limit: (limits: CallLimits) => void }} Interpreter
 */

// Bytes of a function that run before V8 optimises it: ten times the default. The interpreters' functions are huge, and optimising them
// takes longer than most programs run. A V8 without the flag says so on stderr and goes on.
setFlagsFromString('--wasm-tiering-budget=18000000');

const [language = '', mode = 'serve', ...entries] = process.argv.slice(2);
const { port1: near, port2: far } = new MessageChannel();
const arrived = new Int32Array(new SharedArrayBuffer(4));
const limits = new Float64Array(new SharedArrayBuffer(32));
let taken = 0;

/** Blocks until the next message is there. */
function receive() {
  for (;;) {
    const message = receiveMessageOnPort(near);
    if (message !== undefined) {
      taken += 1;
      return decode(/** @type {Uint8Array} */ (message.message));
    }
    Atomics.wait(arrived, 0, taken);
  }
}

const startGuard = () =>
  new Promise((resolve, reject) => {
    const guard = new Worker(new URL('./guard.mjs', import.meta.url), {
      workerData: { port: far, arrived, limits },
      transferList: [far],
    });
    guard.once('online', resolve);
    guard.once('error', reject);
  });

/** @param {CallLimits} given counted from now on */
function arm(given) {
  const { user, system } = process.cpuUsage();
  limits[1] = process.uptime() * 1000 + given.wallMs;
  limits[2] = (user + system) / 1000 + given.cpuMs;
  limits[3] = process.memoryUsage.rss() + given.memoryBytes;
  limits[0] = 1;
}

/** @type {Interpreter | undefined} */
let interpreter;

/** @param {End} end @param {boolean} over */
function report(end, over) {
  limits[0] = 0;
  if (interpreter === undefined) throw new TypeError('nothing ran');
  const { files, removed, folders } = interpreter.changes();
  const sizes = [...files].map(([path, content]) => ({ path, size: content.byteLength }));
  send({ kind: 'ended', end, over, files: sizes, removed, folders }, [...files.values()]);
}

/** @type {Host} */
const host = {
  print: (stream, bytes) => send({ kind: stream }, [bytes]),
  finish: (end) => {
    report(end, true);
    process.kill(process.pid, 'SIGKILL');
    for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
};

/** @param {Call} call @param {Uint8Array} body */
function serve(call, body) {
  /** @type {Map<string, Uint8Array>} */
  const contents = new Map();
  let at = call.stdinBytes;
  for (const { path, size } of call.files) contents.set(path, body.subarray(at, (at += size)));
  interpreter?.limit(call.limits);
  interpreter?.put(call, contents);
  arm(call.limits);
  const end = run(call, body.subarray(0, call.stdinBytes));
  report(end, !('code' in end));
}

/** @param {Call} call @param {Uint8Array} stdin @returns {End} */
function run(call, stdin) {
  try {
    return interpreter?.run(call, stdin) ?? { code: 1 };
  } catch (thrown) {
    host.print(
      'stderr',
      Buffer.from(`the interpreter broke: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`),
    );
    return { crashed: thrown instanceof RangeError ? 'SIGSEGV' : 'SIGABRT' };
  }
}

await startGuard();
/** `entries`: URLs of the modules of packages, which cannot be found by name here.
 * @type {{ open: (host: Host, snapshot: Uint8Array, entries: readonly string[]) => Promise<Interpreter>, makeSnapshot: (entries: readonly string[]) => Promise<Uint8Array> }} */
const { open, makeSnapshot } = await (language === 'python'
  ? import('./python/interpreter.mjs')
  : import('./javascript/interpreter.mjs'));
if (mode === 'snapshot') {
  send({ kind: 'snapshot' }, [await makeSnapshot(entries)]);
  process.exit(0);
}
interpreter = await open(host, receive().body, entries);
send({ kind: 'ready' });
for (;;) {
  const { header, body } = receive();
  serve(/** @type {Call} */ (header), body);
}
