import { javascriptWatch } from './javascript-watch.ts';

/**
 * The harness for JavaScript on Node. Each function call has a context of its own. Programs that read lines
 * run in a process of their own.
 */
export const javascriptHarness = String.raw`'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const vm = require('vm');
const { spawn } = require('child_process');
const { Console } = require('console');
const { randomUUID } = require('crypto');
const { Writable } = require('stream');
const { Worker } = require('worker_threads');

const job = JSON.parse(fs.readFileSync(0, 'utf8'));
const NAME = 'program.js';
const write = fs.writeSync.bind(fs);
const { add, compareExchange, load, notify, store, wait } = Atomics; // the program may put others in their place
const never = new Int32Array(new SharedArrayBuffer(4));

/** Writes all of it. Threads, and programs that look at process.stdout, make Node open it so that a write to a full pipe fails instead of waiting: it is tried again until whoever reads has made room. */
const put = (text) => {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(write(1, rest));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      wait(never, 0, 0, 5);
    }
  }
};
const tell = (at, result) => put('\n' + job.mark + JSON.stringify({ at, ...result }) + '\n');

put(job.mark + '\n');

const brief = (error) => {
  if (error === null || typeof error !== 'object') return 'it threw ' + String(error);
  const places = String(error.stack).split('\n').filter((line) => /^\s*at /.test(line) && line.includes(NAME + ':')).slice(0, 6);
  const at = places.map((line) => line.replace(/^\s*at\s+/, 'at ').replace(/\(?(?:\S*[/\\])?program\.js:(\d+):(\d+)\)?/, 'line $1'));
  return [String(error.name) + ': ' + String(error.message), ...at].join('\n');
};

// Drawn numbers are the same in every context (mulberry32, by Tommy Ettinger); in processes a flag of V8 sees to it.
const standingChance = new vm.Script('{ let state = 1; Math.random = function random() { state = (state + 0x6D2B79F5) | 0; let t = Math.imul(state ^ (state >>> 15), state | 1); t ^= t + Math.imul(t ^ (t >>> 7), t | 61); return ((t ^ (t >>> 14)) >>> 0) / 4294967296; }; }');

// What Node has beside the language; what is for the network and for streams takes long to load.
const ofNode = 'AbortController AbortSignal Blob Buffer DOMException Event EventTarget MessageChannel TextDecoder TextEncoder URL URLSearchParams atob btoa clearImmediate clearInterval clearTimeout crypto performance queueMicrotask setImmediate setInterval setTimeout structuredClone'.split(' ');

/** The globals of Node for one test; what it prints is said, and it cannot leave. */
function surroundings(say) {
  const stream = new Writable({
    decodeStrings: false,
    write: (text, _, done) => {
      say(String(text));
      done();
    },
  });
  const exit = () => {
    throw new Error('the program left instead of returning');
  };
  const own = Object.create(process, Object.fromEntries(Object.entries({ exit, stdout: stream, stderr: stream }).map(([name, value]) => [name, { value, writable: true }])));
  return { ...Object.fromEntries(ofNode.map((name) => [name, globalThis[name]])), console: new Console(stream, stream), process: own };
}

/** Made in a context ahead of the program, so that nothing the program calls as it likes is in the way: gives what the function of the name answers, as JSON; undefined where there is none. */
const judging = new vm.Script('(' + function () {
  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const { hasOwn, getPrototypeOf } = Object;
  const { isFinite, isSafeInteger } = Number;
  const [big, number, text, WrongType] = [BigInt, Number, String, TypeError];
  const exact = (key, value) => {
    if (value === null || typeof value !== 'object') return value;
    if (typeof value['#int'] === 'string') return big(value['#int']);
    return typeof value['#float'] === 'string' ? number(value['#float']) : value;
  };
  const noData = (what) => { throw new WrongType('it returned ' + what + ', which is no plain data'); };
  function plain(key, value) {
    const found = this[key];
    if (typeof found === 'bigint') return isSafeInteger(number(found)) ? number(found) : { '#int': text(found) };
    if (typeof found === 'number' && !isFinite(found)) throw new WrongType('a number is ' + found);
    if (typeof found === 'function' || typeof found === 'symbol' || found === undefined) noData(found === undefined ? 'something undefined' : 'a ' + typeof found);
    if (found !== null && typeof found === 'object' && !isArray(found)) {
      const above = getPrototypeOf(found);
      if (above !== null && getPrototypeOf(above) !== null) noData('an object of another class than Object');
    }
    return found === value ? value : noData('an object that writes itself');
  }
  const foundIn = ({ exports }, name) => {
    if (typeof exports === 'function') return exports;
    return exports !== null && typeof exports === 'object' && hasOwn(exports, name) && typeof exports[name] === 'function' ? exports[name] : undefined;
  };
  return (here, module, name, given) => {
    const found = typeof here === 'function' ? here : foundIn(module, name);
    return found === undefined ? undefined : stringify({ value: found(...parse(given, exact)) }, plain);
  };
} + ')()');

function called(scripts, test, interruptible) {
  let printed = '';
  const say = (text) => {
    if (printed.length <= job.outputBytes) printed += text;
  };
  const module = { exports: {} };
  const context = vm.createContext({ ...surroundings(say), module, exports: module.exports, require });
  vm.runInContext('globalThis.global = globalThis', context);
  const timed = { breakOnSigint: true };
  const judge = judging.runInContext(context);
  /** In the context, and in time. */
  const within = (work) => {
    const slot = '_' + randomUUID().replaceAll('-', '');
    Object.defineProperty(context, slot, { value: () => interruptible(work), configurable: true });
    return vm.runInContext(slot + '()', context, timed);
  };
  try {
    standingChance.runInContext(context);
    for (const script of scripts) within(() => script.runInContext(context));
    const here = within(() => vm.runInContext('typeof ' + job.name + ' === "function" ? ' + job.name + ' : undefined', context));
    const answer = within(() => judge(here, module, job.name, JSON.stringify(test.given)));
    return answer === undefined ? { end: 'missing', printed } : { end: 'value', value: JSON.parse(answer).value, printed };
  } catch (error) {
    if (error !== null && typeof error === 'object' && error.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') return { end: 'time', printed };
    let text = 'it failed';
    try {
      text = brief(error);
    } catch {}
    return { end: 'error', text, printed };
  }
}

async function started(folder, test, at) {
  const file = (name) => path.join(folder, name + at);
  fs.writeFileSync(file('in'), test.given);
  const streams = [fs.openSync(file('in'), 'r'), fs.openSync(file('out'), 'w+'), fs.openSync(file('err'), 'w+')];
  const result = await ended(() => spawn(process.execPath, ['--random-seed=1', path.join(folder, NAME)], { stdio: streams, cwd: folder, detached: true }));
  const read = (place, limit) => {
    const bytes = Buffer.alloc(limit + 1);
    const length = fs.readSync(streams[place], bytes, 0, limit + 1, 0);
    return { text: bytes.subarray(0, Math.min(length, limit)).toString('utf8'), flooded: length > limit };
  };
  const printed = read(1, job.outputBytes);
  const errors = read(2, 4000);
  for (const stream of streams) fs.closeSync(stream);
  for (const name of ['in', 'out', 'err']) fs.rmSync(file(name), { force: true });
  if (result.late) return { end: 'time', printed: printed.text };
  if (printed.flooded) return { end: 'output', printed: printed.text };
  if (result.unstarted) return { end: 'error', text: 'it could not be started', printed: printed.text };
  if (result.signal) return { end: 'error', text: 'it was ended by ' + result.signal, printed: printed.text };
  if (result.status === 0) return { end: 'printed', printed: printed.text };
  const lines = errors.text.split('\n').filter((line) => line.trim() !== '' && !/node:|^Node\.js v/.test(line)).map((line) => line.replaceAll(folder + path.sep, ''));
  return { end: 'error', text: lines.slice(0, 8).join('\n') || 'the program left with ' + result.status, printed: printed.text };
}

/** How the process ended: by itself, or because it computed for longer than it may, or was idle for too long. */
const ended = (start) => new Promise((resolve) => {
  const idle = idling(() => isRunnable(child.pid));
  const child = start(); // once it runs, it may stop who looks
  let late = false;
  const kill = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {}
  };
  const look = () => {
    late = late || idle() > job.idleMs || computed(child.pid) > job.ms;
  };
  const looking = setInterval(() => {
    look();
    if (late) kill();
  }, lookMs);
  const end = (result) => {
    clearInterval(looking);
    if (child.pid !== undefined) kill(); // what it left behind
    resolve(result);
  };
  child.on('error', () => end({ unstarted: true }));
  child.on('exit', (status, signal) => {
    look(); // it may have stopped who looks until now
    end({ status, signal, late });
  });
});

${javascriptWatch}

/** What a module hands on is a script's own: its lines stay where they are. */
const ofScript = (program) => program
  .replace(/^([ \t]*)export[ \t]+(?:default[ \t]+(?=(?:async[ \t]+)?function\b[ \t]*\*?[ \t]*\w|class[ \t]+\w))?(?=(?:async|function|const|let|var|class)\b)/gm, '$1')
  .replace(/^([ \t]*)export[ \t]+default\b/gm, '$1module.exports =')
  .replace(/^[ \t]*export[ \t]*\{[\w$,\s]*\}[ \t]*;?/gm, (text) => text.replace(/[^\n]/g, ''));

/** The program where it can be read, as it is or as the script that it would be. @throws SyntaxError */
function readable(program) {
  const read = (text) => new vm.Script(job.form === 'lines' ? '(function (exports, require, module) {' + text.replace(/^#!/, '//') + '\n})' : text, { filename: NAME });
  try {
    return { text: program, script: read(program) };
  } catch (error) {
    const text = ofScript(program);
    if (text === program) throw error;
    return { text, script: read(text) };
  }
}

async function main() {
  let program;
  try {
    program = readable(job.program);
  } catch (error) {
    const isModule = /^\s*import\b/m.test(job.program) && /\bimport\b/.test(String(error.message));
    tell(-1, { end: 'unreadable', text: isModule ? 'import does not work here: use require' : brief(error).split('\n')[0] });
    return;
  }
  if (job.form !== 'lines') {
    const scripts = [...(job.preamble === '' ? [] : [new vm.Script(job.preamble, { filename: 'preamble.js' })]), program.script];
    await each(watched()((test, interruptible) => called(scripts, test, interruptible)));
    return;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tests-'));
  fs.writeFileSync(path.join(folder, NAME), program.text);
  await each((test, at) => started(folder, test, at));
}

async function each(run) {
  for (const [at, test] of job.tests.entries()) {
    const result = await run(test, at);
    tell(at, result);
    if (result.end === 'time') return;
  }
}

main().then(() => process.exit()); // whatever timers a program has left
`;
