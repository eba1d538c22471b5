/**
 * The same for JavaScript on Node. Functions are called in a context of their own each, programs that read lines in a process of their own.
 */
export const javascriptHarness = String.raw`'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const vm = require('vm');
const { spawnSync } = require('child_process');

const job = JSON.parse(fs.readFileSync(0, 'utf8'));
const NAME = 'program.js';
const write = fs.writeSync.bind(fs);
const tell = (at, result) => {
  let text = Buffer.from(job.mark + JSON.stringify({ at, ...result }) + '\n');
  while (text.length > 0) text = text.subarray(write(1, text));
};

write(1, job.mark + '\n');

const brief = (error) => {
  if (error === null || typeof error !== 'object') return 'it threw ' + String(error);
  const places = String(error.stack).split('\n').filter((line) => /^\s*at /.test(line) && line.includes(NAME + ':')).slice(0, 6);
  const at = places.map((line) => line.replace(/^\s*at\s+/, 'at ').replace(/\(?(?:\S*[/\\])?program\.js:(\d+):(\d+)\)?/, 'line $1'));
  return [String(error.name) + ': ' + String(error.message), ...at].join('\n');
};

// Drawn numbers are the same in every context (mulberry32, by Tommy Ettinger); in processes a flag of V8 sees to it.
const standingChance = new vm.Script('{ let state = 1; Math.random = function random() { state = (state + 0x6D2B79F5) | 0; let t = Math.imul(state ^ (state >>> 15), state | 1); t ^= t + Math.imul(t ^ (t >>> 7), t | 61); return ((t ^ (t >>> 14)) >>> 0) / 4294967296; }; }');

function called(script, test) {
  let printed = '';
  const said = (...words) => {
    if (printed.length <= job.outputBytes) printed += words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' ') + '\n';
  };
  const module = { exports: {} };
  const context = vm.createContext({ console: { log: said, info: said, warn: said, error: said, debug: said }, module, exports: module.exports, require });
  const timed = { timeout: job.ms };
  try {
    standingChance.runInContext(context);
    script.runInContext(context, timed);
    const name = JSON.stringify(job.name);
    const found = vm.runInContext('(typeof ' + job.name + ' === "function" || typeof module.exports[' + name + '] === "function" || typeof module.exports === "function")', context, timed);
    if (!found) return { end: 'missing', printed };
    context.__given = JSON.stringify(test.given);
    const call = 'JSON.stringify({ value: (typeof ' + job.name + ' === "function" ? ' + job.name + ' : module.exports[' + name + '] || module.exports)(...JSON.parse(__given, (key, value) => value === null || typeof value !== "object" ? value : typeof value["#int"] === "string" ? BigInt(value["#int"]) : typeof value["#float"] === "string" ? Number(value["#float"]) : value)) }, (key, value) => { if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : { "#int": String(value) }; if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError("a number is " + value); return value; })';
    const parsed = JSON.parse(vm.runInContext(call, context, timed));
    if (parsed === null || typeof parsed !== 'object' || parsed.value === undefined) return { end: 'error', text: 'it returned nothing that is plain data', printed };
    return { end: 'value', value: parsed.value, printed };
  } catch (error) {
    if (error !== null && typeof error === 'object' && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return { end: 'time', printed };
    let text = 'it failed';
    try {
      text = brief(error);
    } catch {}
    return { end: 'error', text, printed };
  }
}

function started(folder, test, at) {
  const file = (name) => path.join(folder, name + at);
  fs.writeFileSync(file('in'), test.given);
  const streams = [fs.openSync(file('in'), 'r'), fs.openSync(file('out'), 'w+'), fs.openSync(file('err'), 'w+')];
  const result = spawnSync(process.execPath, ['--random-seed=1', path.join(folder, NAME)], { stdio: streams, timeout: job.ms, killSignal: 'SIGKILL', cwd: folder });
  const read = (place, limit) => {
    const bytes = Buffer.alloc(limit + 1);
    const length = fs.readSync(streams[place], bytes, 0, limit + 1, 0);
    return { text: bytes.subarray(0, Math.min(length, limit)).toString('utf8'), flooded: length > limit };
  };
  const printed = read(1, job.outputBytes);
  const errors = read(2, 4000);
  for (const stream of streams) fs.closeSync(stream);
  for (const name of ['in', 'out', 'err']) fs.rmSync(file(name), { force: true });
  if (result.error && result.error.code === 'ETIMEDOUT') return { end: 'time', printed: printed.text };
  if (printed.flooded) return { end: 'output', printed: printed.text };
  if (result.error) return { end: 'error', text: 'it could not be started', printed: printed.text };
  if (result.signal) return { end: 'error', text: 'it was ended by ' + result.signal, printed: printed.text };
  if (result.status === 0) return { end: 'printed', printed: printed.text };
  const lines = errors.text.split('\n').filter((line) => line.trim() !== '' && !/node:|^Node\.js v/.test(line)).map((line) => line.replaceAll(folder + path.sep, ''));
  return { end: 'error', text: lines.slice(0, 8).join('\n') || 'the program left with ' + result.status, printed: printed.text };
}

function main() {
  let script;
  try {
    script = new vm.Script(job.form === 'lines' ? '(function (exports, require, module) {' + job.program.replace(/^#!/, '//') + '\n})' : job.program, { filename: NAME });
  } catch (error) {
    const isModule = job.form === 'lines' && /^\s*import\s/m.test(job.program);
    tell(-1, { end: 'unreadable', text: isModule ? 'import does not work here: use require' : brief(error).split('\n')[0] });
    return;
  }
  if (job.form !== 'lines') {
    each((test) => called(script, test));
    return;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tests-'));
  fs.writeFileSync(path.join(folder, NAME), job.program);
  each((test, at) => started(folder, test, at));
}

function each(run) {
  let late = 0;
  job.tests.forEach((test, at) => {
    const result = late >= job.mostLate ? { end: 'not run' } : run(test, at);
    if (result.end === 'time') late += 1;
    tell(at, result);
  });
}

main();
`;
