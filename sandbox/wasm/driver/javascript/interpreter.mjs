// JavaScript in WebAssembly (QuickJS), with the part of Node's surroundings that programs of one file use.
import { memoryFiles } from './memory-files.mjs';
import {
  installConsole,
  installEvents,
  installFiles,
  installLibrary,
  installProcess,
  installRequire,
} from './surroundings.mjs';

/** @typedef {import('../main.mjs').Host} Host @typedef {import('../main.mjs').Call} Call @typedef {import('../main.mjs').End} End
 * @typedef {import('../main.mjs').Interpreter} Interpreter @typedef {import('quickjs-emscripten-core').QuickJSContext} Context
 * @typedef {import('quickjs-emscripten-core').QuickJSHandle} Handle
 * @typedef {string | number | boolean | Uint8Array | undefined} Plain what goes in and out as it is
 * @typedef {{ readonly limit: number, stdin: Uint8Array }} Given */

/** There is nothing to keep: it begins quickly. @returns {Promise<Uint8Array>} */
export const makeSnapshot = () => Promise.resolve(new Uint8Array(0));

/** Of the mebibyte that the engine has in its memory; what is deeper ends the program as a crash. */
const stackBytes = 15 * 2 ** 16;
const pauses = new Int32Array(new SharedArrayBuffer(4));

/** @param {Host} host @param {Uint8Array} _snapshot @param {readonly string[]} entries of the engine's wrapping and of the engine @returns {Promise<Interpreter>} */
export async function open(host, _snapshot, [wrapping = '', engine = '']) {
  const { newQuickJSWASMModuleFromVariant } = /** @type {typeof import('quickjs-emscripten-core')} */ (
    await import(wrapping)
  );
  const { default: variant } = /** @type {typeof import('@jitl/quickjs-wasmfile-release-sync')} */ (
    await import(engine)
  );
  const quickjs = await newQuickJSWASMModuleFromVariant(
    /** @type {import('quickjs-emscripten-core').QuickJSSyncVariant} */ (/** @type {unknown} */ (variant)),
  );
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(stackBytes);
  const context = runtime.newContext();
  const files = memoryFiles();
  /** @type {{ stdin: Uint8Array, turn: number }} */
  const state = { stdin: new Uint8Array(0), turn: 0 };
  return {
    limit: ({ memoryBytes, diskBytes }) => {
      runtime.setMemoryLimit(memoryBytes);
      files.limit(diskBytes);
    },
    put: files.put,
    changes: files.changes,
    run: (call, stdin) => {
      state.stdin = stdin;
      state.turn += 1;
      if (state.turn === 1) surround(context, outside(context, { host, files, state }), call);
      const end = evaluate(context, call, state.turn) ?? drain(context) ?? { code: 0 };
      if ('code' in end && call.program.how !== 'said') host.finish(end);
      return end;
    },
  };
}

/** @param {Context} context @param {{ host: Host, files: ReturnType<typeof memoryFiles>, state: { stdin: Uint8Array } }} parts */
function outside(context, { host, files, state }) {
  /** @type {Record<string, (...words: Plain[]) => Plain | void>} */
  const functions = {
    print: (stream, text) =>
      host.print(
        stream === 2 ? 'stderr' : 'stdout',
        typeof text === 'string' ? Buffer.from(text) : bytesOf(text),
      ),
    stdin: () => state.stdin,
    exit: (code) => host.finish({ code: Number(code) & 0xff }),
    pause: (ms) => void Atomics.wait(pauses, 0, 0, Number(ms)),
    now: () => process.uptime() * 1000,
    encode: (text) => Buffer.from(String(text)),
    decode: (bytes, encoding) =>
      Buffer.from(bytesOf(bytes)).toString(/** @type {BufferEncoding} */ (encoding ?? 'utf8')),
    kindOf: (path) => files.kindOf(String(path)),
    readFile: (path) => files.read(String(path)),
    writeFile: (path, content) => files.write(String(path), bytesOf(content)),
    makeFolder: (path) => files.makeFolder(String(path)),
    remove: (path) => files.remove(String(path)),
    list: (path) => JSON.stringify(files.list(String(path))),
  };
  const object = context.newObject();
  for (const [name, run] of Object.entries(functions)) {
    const made = context.newFunction(name, (...words) =>
      toHandle(context, run(...words.map((word) => toPlain(context, word)))),
    );
    context.setProp(object, name, made);
    made.dispose();
  }
  const compile = context.newFunction('compile', (source, name) =>
    context.evalCode(context.getString(source), context.getString(name), { type: 'global' }),
  );
  context.setProp(object, 'compile', compile);
  compile.dispose();
  return object;
}

/** @param {Plain} value */
const bytesOf = (value) => (value instanceof Uint8Array ? value : new Uint8Array(0));

/** @param {Context} context @param {Handle} handle @returns {Plain} */
function toPlain(context, handle) {
  const type = context.typeof(handle);
  if (type === 'string') return context.getString(handle);
  if (type === 'number') return context.getNumber(handle);
  if (type !== 'object') return undefined;
  const bytes = context.getArrayBuffer(handle);
  const copy = bytes.value.slice();
  bytes.dispose();
  return copy;
}

/** @param {Context} context @param {Plain | void} value */
function toHandle(context, value) {
  if (typeof value === 'string') return context.newString(value);
  if (typeof value === 'number') return context.newNumber(value);
  if (value === undefined || typeof value === 'boolean') return context.undefined;
  return context.newArrayBuffer(value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength));
}

/** @param {Context} context @param {Handle} object @param {Call} call */
function surround(context, object, { argv, env, folder }) {
  context.setProp(context.global, '__outside', object);
  object.dispose();
  const given = JSON.stringify({
    argv,
    env,
    folder: ['/work', folder].filter((part) => part !== '').join('/'),
  });
  const installers = [
    installEvents,
    installConsole,
    installProcess,
    installFiles,
    installLibrary,
    installRequire,
  ].map((install) => `(${install.toString()})(outside, shared);`);
  const source = `((outside, shared) => { delete globalThis.__outside; ${installers.join('\n')} })(__outside, { given: ${given} });`;
  context.unwrapResult(context.evalCode(source, '<surroundings>')).dispose();
}

/** @param {Context} context @param {Call} call @param {number} turn @returns {End | undefined} undefined when it went well */
function evaluate(context, { program }, turn) {
  const { how, text } = program;
  if (how === 'said') return failureOf(context, context.evalCode(text, `<said ${turn}>`, { type: 'global' }));
  const run = context.getProp(context.global, '__run');
  const words = [how, text].map((word) => context.newString(word));
  const end = failureOf(context, context.callFunction(run, context.undefined, ...words));
  for (const handle of [run, ...words]) handle.dispose();
  return end;
}

/** Runs what waits: promises first, then timers and input, until nothing does. @param {Context} context @returns {End | undefined} */
function drain(context) {
  for (;;) {
    const jobs = context.runtime.executePendingJobs();
    if (jobs.error) return failureOf(context, jobs);
    jobs.dispose();
    const next = context.getProp(context.global, '__next');
    const result = context.callFunction(next, context.undefined);
    next.dispose();
    if (result.error) return failureOf(context, result);
    const isDone = context.typeof(result.value) === 'undefined';
    result.dispose();
    if (isDone) return undefined;
  }
}

/**
 * @param {Context} context
 * @param {{ error?: Handle | undefined, value?: unknown, dispose: () => void }} result
 * @returns {End | undefined}
 */
function failureOf(context, result) {
  const { error } = result;
  if (error === undefined) {
    result.dispose();
    return undefined;
  }
  if (isMemory(context, error)) return { killed: 'memory' };
  const report = context.getProp(context.global, '__report');
  const said = context.callFunction(report, context.undefined, error);
  report.dispose();
  if (said.error && isMemory(context, said.error)) return { killed: 'memory' };
  said.dispose();
  result.dispose();
  return { code: 1 };
}

/** QuickJS has no room left for an error: it throws null, or one of its own. @param {Context} context @param {Handle} error */
function isMemory(context, error) {
  if (context.sameValue(error, context.null)) return true;
  const message = context.typeof(error) === 'object' ? context.getProp(error, 'message') : undefined;
  const isFull =
    message !== undefined &&
    context.typeof(message) === 'string' &&
    context.getString(message) === 'out of memory';
  message?.dispose();
  return isFull;
}
