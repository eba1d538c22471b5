// Builds the binding of the backend `tensorflow` from the sources in its own package, and brings the library that it binds.
//
//   npm run provision -- tensorflow                  the library for the processor, from the wheel tensorflow-cpu (274 MB, pip downloads it)
//   npm run provision -- tensorflow --wheel FILE     from a wheel that is there already
//   npm run provision -- tensorflow --from FOLDER    from an installed package, such as VENV/lib/python3.11/site-packages/tensorflow: with CUDA
//                                                    after `pip install 'tensorflow[and-cuda]'`
import {
  chmodSync,
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cache, downloadMs, downloadWheel, run } from './programs.mjs';

const version = '2.21.0';
const packageName = '@tensorflow/tfjs-node-gpu';
const packageVersion = '4.22.0';
const libraries = ['libtensorflow_cc.so.2', 'libtensorflow_framework.so.2'];
/** What the binding's sources include, in the wheel. */
const headers =
  /^tensorflow\/include\/(?:tensorflow\/c|tensorflow\/core\/platform|tsl\/platform|xla\/tsl\/c)\/.*\.h$/;
const compileMs = 600_000;

/** @typedef {import('./programs.mjs').Say} Say */

/**
 * True when the backend starts afterwards. What is there already is left alone.
 * @param {Say} say
 * @param {readonly string[]} words `--wheel FILE` or `--from FOLDER`
 */
export async function bringTensorflow(say, words) {
  const [flag, place] = words;
  if (
    words.length > 0 &&
    ((flag !== '--wheel' && flag !== '--from') || place === undefined || words.length > 2)
  ) {
    say(`tensorflow takes --wheel FILE or --from FOLDER, not "${words.join(' ')}".`);
    return false;
  }
  if (words.length === 0 && starts().ok) {
    say('tensorflow is there');
    return true;
  }
  if (process.platform !== 'linux') {
    say(`the wheel with the library is for Linux, and this is ${process.platform}.`);
    return false;
  }
  for (const [program, get] of [
    ['g++', 'apt-get install g++'],
    ['python3', 'apt-get install python3-pip'],
  ]) {
    if (program === 'python3' && words.length > 0) continue;
    if (run(program ?? '', ['--version']).ok) continue;
    say(`${program} is missing: ${get}.`);
    return false;
  }
  const folder = packageFolder(say);
  if (folder === undefined) return false;
  try {
    const library =
      flag === '--from'
        ? path.resolve(place ?? '')
        : await libraryOf(say, flag === '--wheel' ? place : undefined);
    if (library === undefined || !build(say, folder, library)) return false;
  } catch (thrown) {
    say(`tensorflow: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return false;
  }
  const { ok, out } = starts();
  say(ok ? `tensorflow starts: ${out}` : `the binding was built, but does not start: ${out}`);
  return ok;
}

/** Whether TensorFlow starts in a process of its own and multiplies. */
function starts() {
  const program = `
    const tf = require('@tensorflow/tfjs-core');
    require('${packageName}');
    tf.setBackend('tensorflow').then(async () => {
      const [product] = await tf.matMul([[3]], [[4]]).data();
      if (product !== 12) throw new Error('3 x 4 is ' + product);
      console.log(tf.backend().isUsingGpuDevice ? 'on an NVIDIA GPU' : 'on the processor');
    }).catch((thrown) => { console.error(thrown.message); process.exitCode = 1; });`;
  const { ok, printed, out } = run(process.execPath, ['-e', program]);
  const lines = out.split('\n').filter((line) => line.trim() !== '');
  const why = lines.find((line) => /Error|cannot/.test(line)) ?? lines.at(-1) ?? 'it says nothing';
  return { ok, out: ok ? (printed.split('\n').at(-1) ?? '') : why };
}

/**
 * The folder of the npm package, which npm leaves out where its own download is refused: then it is installed without it.
 * @param {Say} say
 */
function packageFolder(say) {
  const folder = path.resolve('node_modules', packageName);
  if (existsSync(path.join(folder, 'binding'))) return folder;
  say(`${packageName} is missing: npm installs it without its download`);
  const npm = run(
    'npm',
    [
      'install',
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `${packageName}@${packageVersion}`,
    ],
    {
      timeout: downloadMs,
    },
  );
  if (existsSync(path.join(folder, 'binding'))) return folder;
  say(`npm could not install ${packageName}@${packageVersion}: ${npm.out.slice(-500)}`);
  return undefined;
}

/**
 * The folder with TensorFlow's library and headers, in the user's cache.
 * @param {Say} say
 * @param {string | undefined} wheel
 */
async function libraryOf(say, wheel) {
  const folder = path.join(cache, `tensorflow-cpu-${version}-${os.arch()}`);
  const library = path.join(folder, 'tensorflow');
  if (wheel === undefined && libraries.every((name) => existsSync(path.join(library, name)))) return library;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(path.join(cache, 'draft-'));
  try {
    const file = wheel ?? download(say, draft);
    if (file === undefined) return undefined;
    say('unpacking its library, 850 MB');
    await unpack(file, draft);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    renameSync(path.join(draft, 'tensorflow'), library);
    return library;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * @param {Say} say
 * @param {string} folder
 */
function download(say, folder) {
  const machine = { x64: 'x86_64', arm64: 'aarch64' }[os.arch()];
  say(`pip downloads tensorflow-cpu ${version}, 274 MB`);
  return downloadWheel(say, {
    requirement: `tensorflow-cpu==${version}`,
    folder,
    words: ['--python-version', '3.11', '--platform', `manylinux_2_27_${machine}`],
  });
}

/**
 * @param {string} wheel
 * @param {string} to
 */
async function unpack(wheel, to) {
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(wheel, { autoClose: false });
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName;
      if (!headers.test(name) && !libraries.some((library) => name === `tensorflow/${library}`)) continue;
      const target = path.join(to, name);
      mkdirSync(path.dirname(target), { recursive: true });
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target));
    }
  } finally {
    zip.close();
  }
  const lost = libraries.find((name) => !existsSync(path.join(to, 'tensorflow', name)));
  if (lost !== undefined)
    throw new Error(`${wheel} contains no tensorflow/${lost}: give a wheel of tensorflow-cpu ${version}.`);
}

/** Where the headers of Node's API may be: beside Node, and where Debian's libnode-dev puts them. */
function nodeHeaders() {
  const places = [
    path.resolve(process.execPath, '../../include/node'),
    '/usr/include/node',
    '/usr/local/include/node',
  ];
  return places.find((place) => existsSync(path.join(place, 'node_api.h')));
}

/**
 * Compiles the binding, and puts it where the package looks for it.
 * @param {Say} say
 * @param {string} folder of the npm package
 * @param {string} library the folder with TensorFlow's library
 */
function build(say, folder, library) {
  const node = nodeHeaders();
  if (node === undefined) {
    say(
      "the headers of Node's API are missing: install Node from nodejs.org, or `apt-get install libnode-dev`.",
    );
    return false;
  }
  // An installed TensorFlow has the libraries of CUDA in packages beside it.
  const beside = path.join(path.dirname(library), 'nvidia');
  const cuda = existsSync(beside)
    ? readdirSync(beside).flatMap((name) => {
        const place = path.join(beside, name, 'lib');
        return existsSync(place) ? [place] : [];
      })
    : [];
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(path.join(cache, 'draft-'));
  try {
    const made = path.join(draft, 'tfjs_binding.node');
    say('compiling the binding');
    const compiled = run(
      'g++',
      [
        '-shared',
        '-fPIC',
        '-std=c++17',
        '-O2',
        '-DNAPI_VERSION=8',
        `-I${node}`,
        '-I.',
        `-I${library}/include`,
        'binding/tfjs_backend.cc',
        'binding/tfjs_binding.cc',
        '-o',
        made,
        `-L${library}`,
        ...libraries.map((name) => `-l:${name}`),
        ...[library, ...cuda].map((place) => `-Wl,-rpath,${place}`),
      ],
      { cwd: folder, timeout: compileMs },
    );
    if (!compiled.ok) {
      const errors = compiled.out.split('\n').filter((line) => /error/.test(line));
      say(
        `g++ could not compile it: ${(errors.length > 0 ? errors : [compiled.out]).slice(0, 3).join('; ')}`,
      );
      return false;
    }
    const target = path.join(folder, 'lib', 'napi-v8');
    mkdirSync(target, { recursive: true });
    copyFileSync(made, path.join(target, 'tfjs_binding.node'));
    chmodSync(path.join(target, 'tfjs_binding.node'), 0o755);
    return true;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
