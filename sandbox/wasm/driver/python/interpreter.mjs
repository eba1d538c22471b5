// CPython in WebAssembly (Pyodide), begun from a snapshot of its memory and cut off from JavaScript before any program runs.
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { guardImports } from './imports.mjs';
import { openWorkFolder } from './work-folder.mjs';

/**
 * @typedef {import('../main.mjs').Host} Host @typedef {import('../main.mjs').Call} Call @typedef {import('../main.mjs').End} End
 * @typedef {import('../main.mjs').Interpreter} Interpreter
 * @typedef {Record<string, (...words: unknown[]) => number> & { HEAPU8: Uint8Array, HEAPU32: Uint32Array, FS: import('./work-folder.mjs').FileSystem,
 *   stringToNewUTF8: (text: string) => number }} PyodideModule what is used here of Pyodide's inner module
 */

const pauses = new Int32Array(new SharedArrayBuffer(4));

/** State that the functions of WebAssembly share. */
const seal = {
  isSealed: false,
  /** @type {(name: string) => void} */
  refuse: () => undefined,
  memoryBytes: Number.POSITIVE_INFINITY,
  /** @type {Host | undefined} */
  host: undefined,
};

/** @typedef {(source: Uint8Array, imports?: import('./imports.mjs').Imports) => Promise<unknown>} Instantiate */

/** Puts our functions between WebAssembly and those that Pyodide gives it. */
function watchInstantiation() {
  const engine = /** @type {{ instantiate: Instantiate }} */ (
    /** @type {unknown} */ (Reflect.get(globalThis, 'WebAssembly'))
  );
  const original = engine.instantiate.bind(engine);
  engine.instantiate = (source, imports = {}) => {
    guardImports(imports, seal);
    guardEnds(imports);
    return original(source, imports);
  };
}

/** @param {import('./imports.mjs').Imports} imports */
function guardEnds({ env = {}, wasi_snapshot_preview1: wasi = {} }) {
  const grow = env['emscripten_resize_heap'];
  if (typeof grow !== 'function') return;
  env['emscripten_resize_heap'] = (/** @type {number} */ bytes) => {
    if (bytes >>> 0 > seal.memoryBytes) seal.host?.finish({ killed: 'memory' });
    return /** @type {import('./imports.mjs').Import} */ (grow)(bytes);
  };
  const end = (/** @type {number} */ code) => seal.host?.finish({ code: code & 0xff });
  env['exit'] = end;
  wasi['proc_exit'] = end;
}

/** @param {string} entry URL of Pyodide's module @param {Record<string, unknown>} options */
async function load(entry, options) {
  // Pyodide asks for the constants of files in a way that Node's permission model forbids.
  Object.assign(process, { binding: () => ({ fs: fs.constants }) });
  const { loadPyodide } = /** @type {typeof import('pyodide')} */ (await import(entry));
  return loadPyodide({ indexURL: fileURLToPath(new URL('.', entry)), ...options });
}

/** @param {readonly string[]} entries URL of Pyodide's module @returns {Promise<Uint8Array>} the memory of an interpreter that has loaded what programs usually need */
export async function makeSnapshot([entry = '']) {
  const options = { _makeSnapshot: true, env: { HOME: '/work' } };
  const python = await load(entry, options);
  const source = fs.readFileSync(new URL('./prelude.py', import.meta.url), 'utf8');
  /** @type {import('./work-folder.mjs').FileSystem} */ (python.FS).writeFile(
    '/tmp/prelude',
    Buffer.from(source),
  );
  python.runPython(`
import sys, types
prelude = types.ModuleType("_cairn")
prelude.__file__ = "<cairn>"
with open("/tmp/prelude") as file:
    exec(compile(file.read(), "<cairn>", "exec"), prelude.__dict__)
sys.modules["_cairn"] = prelude
del prelude, file, sys, types
`);
  return /** @type {Uint8Array} */ (python.makeMemorySnapshot());
}

/**
 * @param {Host} host
 * @param {Uint8Array} snapshot
 * @param {readonly string[]} entries URL of Pyodide's module
 * @returns {Promise<Interpreter>}
 */
export async function open(host, snapshot, [entry = '']) {
  watchInstantiation();
  const options = { _loadSnapshot: snapshot };
  const python = await load(entry, options);
  const { config } = /** @type {{ config: Record<string, unknown> }} */ (Reflect.get(python, '_api'));
  config['_loadSnapshot'] = undefined; // it would stay in memory
  const module = /** @type {PyodideModule} */ (Reflect.get(python, '_module'));
  const input = openStreams(python, host);
  const codes = addDevices(module.FS);
  const work = openWorkFolder(module.FS);
  seal.host = host;
  seal.refuse = (name) => refuse(module, name);
  seal.isSealed = true;
  for (const name of ['require', 'fetch', 'WebSocket', 'pyodide']) Reflect.deleteProperty(globalThis, name);
  return {
    limit: ({ memoryBytes, diskBytes }) => {
      seal.memoryBytes = module.HEAPU8.byteLength + memoryBytes;
      work.limit(diskBytes);
    },
    put: work.put,
    changes: work.changes,
    run: (call, stdin) => {
      input.bytes = stdin;
      input.at = 0;
      return evaluate(module, call, codes);
    },
  };
}

/** @param {PyodideModule} module @param {Call} call @param {{ last: number }} codes @returns {End} */
function evaluate(module, call, codes) {
  const { program, argv, env, folder } = call;
  const place = ['/work', folder].filter((part) => part !== '').join('/');
  const words = JSON.stringify(JSON.stringify({ program, argv, env, folder: place })); // twice: a literal of Python that holds JSON
  const entry = program.how === 'said' ? 'say' : 'program';
  const source = module.stringToNewUTF8(`__import__("_cairn").${entry}(${words})`);
  codes.last = 1;
  module['_PyRun_SimpleString']?.(source);
  module['_free']?.(source);
  return { code: codes.last };
}

/** @param {PyodideModule} module @param {string} name */
function refuse(module, name) {
  const text = module.stringToNewUTF8(
    `${name}: there is no JavaScript, no network and no loading of libraries here`,
  );
  module['_PyErr_SetString']?.(module.HEAPU32[Number(module['_PyExc_RuntimeError']) >>> 2] ?? 0, text);
  module['_free']?.(text);
}

/** @param {import('pyodide').PyodideAPI} python @param {Host} host */
function openStreams(python, host) {
  /** @type {{ bytes: Uint8Array, at: number }} */
  const input = { bytes: new Uint8Array(0), at: 0 };
  python.setStdin({
    isatty: false,
    read: (buffer) => {
      const part = input.bytes.subarray(input.at, input.at + buffer.byteLength);
      buffer.set(part);
      input.at += part.byteLength;
      return part.byteLength;
    },
  });
  /** @type {(stream: 'stdout' | 'stderr') => (buffer: Uint8Array) => number} */
  const writer = (stream) => (buffer) => {
    host.print(stream, buffer);
    return buffer.byteLength;
  };
  python.setStdout({ isatty: false, write: writer('stdout') });
  python.setStderr({ isatty: false, write: writer('stderr') });
  return input;
}

/** @param {import('./work-folder.mjs').FileSystem} files @returns {{ last: number }} where codes of what was said are told */
function addDevices(files) {
  const codes = { last: 1 };
  /** @type {(path: string, minor: number, hear: (value: number) => void) => void} */
  const device = (path, minor, hear) => {
    const id = files.makedev(90, minor);
    files.registerDevice(id, {
      write: (_stream, buffer, offset, length) => {
        hear(Number(Buffer.from(buffer.subarray(offset, offset + length)).toString()));
        return length;
      },
    });
    files.mkdev(path, id);
  };
  device('/dev/pause', 0, (ms) => void Atomics.wait(pauses, 0, 0, ms));
  device('/dev/code', 1, (code) => void (codes.last = code));
  return codes;
}
