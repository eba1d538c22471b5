// What a program in QuickJS finds of Node: each function here is evaluated in there, from its text, and knows only what it is given.

/**
 * @typedef {any} Inside an object of the engine inside, where there are no types
 * @typedef {Record<string, (...words: Inside[]) => Inside>} Outside
 */

/** Timers and other things that come later. @param {Outside} outside @param {Inside} shared */
export function installEvents(outside, shared) {
  /** @type {{ id: number, at: number, every: number | undefined, run: () => void }[]} */
  let waiting = [];
  let last = 0;
  /** @param {() => void} run @param {number} ms @param {number} [every] */
  const later = (run, ms, every) => {
    last += 1;
    waiting.push({ id: last, at: outside['now']?.() + Math.max(0, Number(ms) || 0), every, run });
    return last;
  };
  const clear = (/** @type {number} */ id) => {
    waiting = waiting.filter((each) => each.id !== id);
  };
  shared.later = later;
  Object.assign(globalThis, {
    setTimeout: (/** @type {Inside} */ run, /** @type {number} */ ms, /** @type {Inside[]} */ ...words) =>
      later(() => run(...words), ms),
    setInterval: (/** @type {Inside} */ run, /** @type {number} */ ms, /** @type {Inside[]} */ ...words) =>
      later(() => run(...words), ms, Math.max(1, Number(ms) || 1)),
    setImmediate: (/** @type {Inside} */ run, /** @type {Inside[]} */ ...words) =>
      later(() => run(...words), 0),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
    queueMicrotask: (/** @type {() => void} */ run) => void Promise.resolve().then(run),
  });
  const next = () => {
    const due = waiting.reduce(
      (/** @type {Inside} */ first, each) => (first === undefined || each.at < first.at ? each : first),
      undefined,
    );
    if (due === undefined) return undefined;
    const ms = due.at - outside['now']?.();
    if (ms > 0) outside['pause']?.(ms);
    if (due.every === undefined) clear(due.id);
    else due.at += due.every;
    due.run();
    return true;
  };
  Object.defineProperty(globalThis, '__next', { value: next });
}

/** @param {Outside} outside @param {Inside} shared */
export function installConsole(outside, shared) {
  /** @type {(value: Inside, depth: number, seen: readonly Inside[]) => string} */
  const inspect = (value, depth, seen) => {
    if (typeof value === 'string')
      return depth === 0 && seen.length === 0
        ? value
        : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'function')
      return value.name === '' ? '[Function (anonymous)]' : `[Function: ${value.name}]`;
    if (Object.is(value, -0)) return '-0';
    if (typeof value !== 'object' || value === null) return String(value);
    if (seen.includes(value)) return '[Circular *1]';
    if (value instanceof Error)
      return [
        String(value),
        ...String(value.stack ?? '')
          .split('\n')
          .slice(0, 10),
      ]
        .join('\n')
        .trimEnd();
    if (value instanceof RegExp) return String(value);
    if (Object.prototype.toString.call(value) === '[object Date]') return value.toISOString();
    if (depth > 2) return Array.isArray(value) ? '[Array]' : '[Object]';
    const inner = (/** @type {Inside} */ each) => inspect(each, depth + 1, [...seen, value]);
    const wrap = (/** @type {string} */ open, /** @type {string[]} */ parts, /** @type {string} */ close) =>
      parts.length === 0 ? `${open}${close}` : `${open} ${parts.join(', ')} ${close}`;
    if (Array.isArray(value)) return wrap('[', Array.from(value, inner), ']');
    if (ArrayBuffer.isView(value))
      return wrap(
        `${value.constructor.name}(${/** @type {Inside} */ (value).length}) [`,
        Array.from(/** @type {Inside} */ (value), inner),
        ']',
      );
    if (value instanceof Map)
      return wrap(
        `Map(${value.size}) {`,
        Array.from(value, ([key, each]) => `${inner(key)} => ${inner(each)}`),
        '}',
      );
    if (value instanceof Set) return wrap(`Set(${value.size}) {`, Array.from(value, inner), '}');
    const name = value.constructor?.name ?? '[Object: null prototype]';
    const key = (/** @type {string} */ each) => (/^[A-Za-z_$][\w$]*$/.test(each) ? each : inner(each));
    return wrap(
      name === 'Object' ? '{' : `${name} {`,
      Object.entries(value).map(([each, of]) => `${key(each)}: ${inner(of)}`),
      '}',
    );
  };
  /** @param {Inside[]} words */
  const format = (...words) => {
    const [first, ...more] = words;
    if (typeof first !== 'string' || !first.includes('%'))
      return words.map((word) => inspect(word, 0, [])).join(' ');
    const filled = first.replaceAll(/%([sdifjoO%])/g, (whole, letter) => {
      if (letter === '%') return '%';
      if (more.length === 0) return whole;
      const word = more.shift();
      if (letter === 's') return typeof word === 'object' ? inspect(word, 1, []) : String(word);
      if (letter === 'j') return JSON.stringify(word);
      if (letter === 'o' || letter === 'O') return inspect(word, 1, []);
      return String(letter === 'i' ? Math.trunc(Number(word)) : Number(word));
    });
    return [filled, ...more.map((word) => inspect(word, 0, []))].join(' ');
  };
  const printer =
    (/** @type {number} */ stream) =>
    (/** @type {Inside[]} */ ...words) =>
      void outside['print']?.(stream, `${format(...words)}\n`);
  const [out, err] = [printer(1), printer(2)];
  shared.format = format;
  shared.inspect = (/** @type {Inside} */ value) => inspect(value, 0, [undefined]);
  Object.assign(globalThis, {
    console: { log: out, info: out, debug: out, table: out, error: err, warn: err, trace: err },
  });
  const report = (/** @type {Inside} */ error) =>
    outside['print']?.(2, `Uncaught ${inspect(error, 1, [])}\n`);
  Object.defineProperty(globalThis, '__report', { value: report });
}

/** @param {Outside} outside @param {Inside} shared */
export function installProcess(outside, shared) {
  class Buffer extends Uint8Array {
    /** @override @param {Inside} source @returns {Inside} */
    static from(source) {
      const bytes = typeof source === 'string' ? new Uint8Array(outside['encode']?.(source)) : source;
      const made = new Buffer(bytes.length ?? bytes.byteLength);
      made.set(bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes);
      return made;
    }

    /** @override @param {string} [encoding] */
    toString(encoding) {
      return outside['decode']?.(
        this.buffer.slice(this.byteOffset, this.byteOffset + this.byteLength),
        encoding ?? 'utf8',
      );
    }
  }
  const write =
    (/** @type {number} */ stream) =>
    (/** @type {Inside} */ part, /** @type {Inside[]} */ ...more) => {
      outside['print']?.(stream, typeof part === 'string' ? part : Buffer.from(part).buffer);
      const done = more.find((each) => typeof each === 'function');
      if (done !== undefined) shared.later(done, 0);
      return true;
    };
  /** @type {Record<string, ((...words: Inside[]) => void)[]>} */
  const listeners = {};
  let isText = false;
  let isFlowing = false;
  const all = () =>
    isText ? Buffer.from(outside['stdin']?.()).toString() : Buffer.from(outside['stdin']?.());
  const emit = (/** @type {string} */ event, /** @type {Inside[]} */ ...words) => {
    for (const hear of listeners[event] ?? []) hear(...words);
  };
  const flow = () => {
    if (isFlowing) return;
    isFlowing = true;
    shared.later(() => {
      const part = all();
      if (part.length > 0) emit('data', part);
      emit('end');
      emit('close');
    }, 0);
  };
  const stdin = {
    isTTY: false,
    fd: 0,
    resume: () => (flow(), stdin),
    pause: () => stdin,
    setEncoding: () => ((isText = true), stdin),
    on: (/** @type {string} */ event, /** @type {Inside} */ hear) => {
      (listeners[event] ??= []).push(hear);
      if (event === 'data') flow();
      return stdin;
    },
    async *[Symbol.asyncIterator]() {
      const part = all();
      if (part.length > 0) yield part;
    },
  };
  Object.assign(stdin, { once: stdin.on, addListener: stdin.on });
  const { argv, env, folder } = shared.given;
  const started = outside['now']?.();
  const process = {
    argv,
    env,
    stdin,
    stdout: { isTTY: false, write: write(1) },
    stderr: { isTTY: false, write: write(2) },
    platform: 'linux',
    exitCode: undefined,
    cwd: () => folder,
    exit: (/** @type {number | undefined} */ code) => outside['exit']?.(code ?? process.exitCode ?? 0),
    nextTick: (/** @type {Inside} */ run, /** @type {Inside[]} */ ...words) =>
      void Promise.resolve().then(() => run(...words)),
    uptime: () => (outside['now']?.() - started) / 1000,
    memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0 }),
    on: () => process,
    hrtime: { bigint: () => BigInt(Math.round(outside['now']?.() * 1e6)) },
  };
  shared.Buffer = Buffer;
  Object.assign(globalThis, {
    process,
    Buffer,
    global: globalThis,
    performance: { now: () => outside['now']?.() - started },
  });
}

/** @param {Outside} outside @param {Inside} shared */
export function installFiles(outside, shared) {
  const absolute = (/** @type {Inside} */ path) =>
    String(path).startsWith('/') ? String(path) : `${shared.given.folder}/${path}`;
  /** @param {string} code @param {string} call @param {Inside} path */
  const failed = (code, call, path) => {
    const words = {
      ENOENT: 'no such file or directory',
      EISDIR: 'illegal operation on a directory',
      ENOSPC: 'no space left on device',
      EEXIST: 'file already exists',
    };
    const text = /** @type {Record<string, string>} */ (words)[code] ?? 'permission denied';
    return Object.assign(new Error(`${code}: ${text}, ${call} '${path}'`), { code, syscall: call, path });
  };
  const bytesOf = (/** @type {Inside} */ content) =>
    shared.Buffer.from(typeof content === 'string' ? content : content);
  const isStdin = (/** @type {Inside} */ path) => path === 0 || path === '/dev/stdin';
  const readFileSync = (/** @type {Inside} */ path, /** @type {Inside} */ options) => {
    const found = isStdin(path) ? outside['stdin']?.() : outside['readFile']?.(absolute(path));
    if (found === undefined)
      throw failed(outside['kindOf']?.(absolute(path)) === 'folder' ? 'EISDIR' : 'ENOENT', 'open', path);
    const encoding = typeof options === 'string' ? options : options?.encoding;
    return encoding === undefined || encoding === null
      ? shared.Buffer.from(found)
      : shared.Buffer.from(found).toString(encoding);
  };
  const writeFileSync = (/** @type {Inside} */ path, /** @type {Inside} */ content) => {
    if (path === 1 || path === 2) return void outside['print']?.(path, bytesOf(content).buffer);
    const code = outside['writeFile']?.(absolute(path), bytesOf(content).buffer);
    if (code !== undefined) throw failed(code, 'open', path);
  };
  const existsSync = (/** @type {Inside} */ path) => outside['kindOf']?.(absolute(path)) !== undefined;
  const mkdirSync = (/** @type {Inside} */ path, /** @type {Inside} */ options) => {
    const whole = absolute(path);
    const parts = whole.split('/');
    for (let depth = options?.recursive === true ? 2 : parts.length; depth <= parts.length; depth += 1) {
      const code = outside['makeFolder']?.(parts.slice(0, depth).join('/'));
      if (code !== undefined && !(options?.recursive === true && code !== 'ENOSPC'))
        throw failed(code, 'mkdir', path);
    }
  };
  const remove = (/** @type {Inside} */ path, /** @type {Inside} */ options) => {
    if (!existsSync(path) && options?.force !== true) throw failed('ENOENT', 'rm', path);
    outside['remove']?.(absolute(path));
  };
  const readdirSync = (/** @type {Inside} */ path) => {
    if (outside['kindOf']?.(absolute(path)) !== 'folder') throw failed('ENOENT', 'scandir', path);
    return JSON.parse(outside['list']?.(absolute(path)));
  };
  const appendFileSync = (/** @type {Inside} */ path, /** @type {Inside} */ content) => {
    const before = existsSync(path) ? readFileSync(path, undefined) : [];
    writeFileSync(path, shared.Buffer.from([...before, ...bytesOf(content)]));
  };
  const statSync = (/** @type {Inside} */ path) => {
    const kind = outside['kindOf']?.(absolute(path));
    if (kind === undefined) throw failed('ENOENT', 'stat', path);
    return {
      size: kind === 'file' ? readFileSync(path, undefined).length : 0,
      isFile: () => kind === 'file',
      isDirectory: () => kind === 'folder',
    };
  };
  const writeSync = (/** @type {number} */ stream, /** @type {Inside} */ part) =>
    (writeFileSync(stream, part), part.length);
  shared.absolute = absolute;
  shared.fs = {
    readFileSync,
    writeFileSync,
    appendFileSync,
    existsSync,
    mkdirSync,
    readdirSync,
    statSync,
    writeSync,
    unlinkSync: remove,
    rmSync: remove,
    rmdirSync: remove,
  };
}

/** Modules that are not of files alone. @param {Outside} outside @param {Inside} shared */
export function installLibrary(outside, shared) {
  const createInterface = () => {
    const lines = () => {
      const text = shared.Buffer.from(outside['stdin']?.()).toString();
      const split = text.split(/\r?\n/);
      return split.at(-1) === '' ? split.slice(0, -1) : split;
    };
    /** @type {Record<string, ((...words: Inside[]) => void)[]>} */
    const listeners = {};
    let isClosed = false;
    const close = () => {
      if (isClosed) return;
      isClosed = true;
      for (const hear of listeners['close'] ?? []) hear();
    };
    const reader = {
      on: (/** @type {string} */ event, /** @type {Inside} */ hear) =>
        ((listeners[event] ??= []).push(hear), reader),
      close,
      async *[Symbol.asyncIterator]() {
        yield* lines();
      },
    };
    Object.assign(reader, { once: reader.on });
    shared.later(() => {
      if (listeners['line'] === undefined && listeners['close'] === undefined) return;
      for (const line of lines()) for (const hear of isClosed ? [] : (listeners['line'] ?? [])) hear(line);
      close();
    }, 0);
    return reader;
  };
  const assert = Object.assign(
    (/** @type {Inside} */ value, /** @type {string} */ message) => {
      if (!value) throw new Error(message ?? 'the assertion does not hold');
    },
    {
      strictEqual: (/** @type {Inside} */ a, /** @type {Inside} */ b) =>
        assert(Object.is(a, b), `${shared.inspect(a)} is not ${shared.inspect(b)}`),
      deepStrictEqual: (/** @type {Inside} */ a, /** @type {Inside} */ b) =>
        assert(shared.inspect(a) === shared.inspect(b), `${shared.inspect(a)} is not ${shared.inspect(b)}`),
    },
  );
  shared.builtIn = {
    fs: shared.fs,
    readline: { createInterface },
    util: { format: shared.format, inspect: shared.inspect },
    process: /** @type {Inside} */ (globalThis).process,
    assert,
    buffer: { Buffer: shared.Buffer },
    perf_hooks: { performance: /** @type {Inside} */ (globalThis).performance },
  };
}

/** Modules: those above, and files. @param {Outside} outside @param {Inside} shared */
export function installRequire(outside, shared) {
  /** @type {Map<string, { exports: Inside }>} */
  const loaded = new Map();
  const plain = (/** @type {string} */ path) => {
    /** @type {string[]} */
    const parts = [];
    for (const part of path.split('/'))
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    return `/${parts.join('/')}`;
  };
  /** @param {string} source @param {string} file */
  const evaluate = (source, file) => {
    const folder = file.slice(0, file.lastIndexOf('/'));
    const made = { exports: {} };
    loaded.set(file, made);
    if (file.endsWith('.json')) made.exports = JSON.parse(source);
    else
      outside['compile']?.(
        `(function (exports, require, module, __filename, __dirname) {${source.replace(/^#!.*/, '')}\n})`,
        file,
      )(made.exports, requireFrom(folder), made, file, folder);
    return made.exports;
  };
  const requireFrom = (/** @type {string} */ folder) => (/** @type {string} */ name) => {
    const known = shared.builtIn[name.replace(/^node:/, '')];
    if (known !== undefined) return known;
    const path = plain(name.startsWith('/') ? name : `${folder}/${name}`);
    const file = /^\.{0,2}\//.test(name)
      ? ['', '.js', '.json', '/index.js']
          .map((end) => `${path}${end}`)
          .find((each) => outside['kindOf']?.(each) === 'file')
      : undefined;
    if (file === undefined)
      throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
    return loaded.get(file)?.exports ?? evaluate(shared.fs.readFileSync(file, 'utf8'), file);
  };
  const run = (/** @type {string} */ how, /** @type {string} */ text) => {
    if (how !== 'file') return evaluate(text, `${shared.given.folder}/[eval]`);
    const file = plain(shared.absolute(text));
    const found = [file, `${file}.js`].find((each) => outside['kindOf']?.(each) === 'file');
    if (found === undefined)
      throw Object.assign(new Error(`Cannot find module '${file}'`), { code: 'MODULE_NOT_FOUND' });
    shared.given.argv[1] = found;
    return evaluate(shared.fs.readFileSync(found, 'utf8'), found);
  };
  Object.assign(globalThis, { require: requireFrom(shared.given.folder) });
  Object.defineProperty(globalThis, '__run', { value: run });
}
