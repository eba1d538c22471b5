// Builds the binding of the backend `tensorflow` from the sources in its own package and from our kernels, and brings the library that it binds.
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
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pipeline } from 'node:stream/promises';
import { cache, downloadMs, downloadWheel, run } from './programs.mjs';

const version = '2.21.0';
const packageName = '@tensorflow/tfjs-node-gpu';
const packageVersion = '4.22.0';
const libraries = ['libtensorflow_cc.so.2', 'libtensorflow_framework.so.2'];
/** What the sources include, in the wheel. */
const headers =
  /^tensorflow\/include\/(?:tensorflow\/c|tensorflow\/core\/platform|tsl\/platform|xla\/tsl\/c|tensorflow\/core\/common_runtime\/next_pluggable_device\/c)\/.*\.h$/;
/** The last of them that was needed: a folder of an older checkout lacks it. */
const newestHeader = 'include/tensorflow/core/common_runtime/next_pluggable_device/c/tf_rendezvous_c_api.h';
const compileMs = 600_000;

const kernels = fileURLToPath(new URL('../../models/kernels/tensorflow/native', import.meta.url));
/** Instructions that the loops of our kernels are compiled for, by the name of their table in `operators.cc`. */
const levels = /** @type {Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>} */ ({
  x64: {
    widest: [
      ...['avx512f', 'avx512dq', 'avx2', 'fma'].map((name) => `-m${name}`),
      '-mprefer-vector-width=512',
    ],
    wide: ['-mavx2', '-mfma'],
    plain: [],
  },
  arm64: { plain: [] },
});

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
  if (words.length === 0) {
    const found = starts();
    if (found.ok && found.hasKernels) {
      say('tensorflow is there');
      return true;
    }
    if (found.ok) say('tensorflow is there, but its binding was built without the kernels of this checkout');
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
  const isCached = words.length === 0 && isThere(cachedLibrary());
  try {
    if (await bringOnce(say, folder, { flag, place })) return true;
    if (!isCached) return false;
    say('the library that was downloaded before may be damaged: it is brought again');
    rmSync(path.dirname(cachedLibrary()), { recursive: true, force: true });
    return await bringOnce(say, folder, { flag, place });
  } catch (thrown) {
    say(`tensorflow: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return false;
  }
}

/**
 * @param {Say} say
 * @param {string} folder of the npm package
 * @param {{ flag: string | undefined, place: string | undefined }} from
 */
async function bringOnce(say, folder, { flag, place }) {
  const library =
    flag === '--from'
      ? path.resolve(place ?? '')
      : await libraryOf(say, flag === '--wheel' ? place : undefined);
  if (library === undefined || !build(say, folder, library)) return false;
  const { ok, hasKernels, out } = starts();
  if (!ok) say(`the binding was built, but does not start: ${out}`);
  else if (!hasKernels) say('the binding was built, but our kernels are not in it');
  else say(`tensorflow starts: ${out}`);
  return ok && hasKernels;
}

/** Whether TensorFlow starts in a process of its own and multiplies, and whether the binding has our kernels. */
function starts() {
  const program = `
    const tf = require('@tensorflow/tfjs-core');
    require('${packageName}');
    tf.setBackend('tensorflow').then(async () => {
      const [product] = await tf.matMul([[3]], [[4]]).data();
      if (product !== 12) throw new Error('3 x 4 is ' + product);
      let version = 0;
      try {
        version = tf.backend().executeSingleOutput('CairnKernels', [], []).dataSync()[0];
      } catch {}
      console.log(version + ' ' + (tf.backend().isUsingGpuDevice ? 'on an NVIDIA GPU' : 'on the processor'));
    }).catch((thrown) => { console.error(thrown.message); process.exitCode = 1; });`;
  const { ok, printed, out } = run(process.execPath, ['-e', program]);
  const lines = out.split('\n').filter((line) => line.trim() !== '');
  const why = lines.find((line) => /Error|cannot/.test(line)) ?? lines.at(-1) ?? 'it says nothing';
  const [version = '', ...where] = (printed.split('\n').at(-1) ?? '').split(' ');
  return { ok, hasKernels: ok && version === kernelVersion(), out: ok ? where.join(' ') : why };
}

/** As the sources of this checkout have it. */
function kernelVersion() {
  const source = readFileSync(path.join(kernels, 'operators.cc'), 'utf8');
  return /int32_t version = (\d+);/.exec(source)?.[1];
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

const cachedLibrary = () => path.join(cache, `tensorflow-cpu-${version}-${os.arch()}`, 'tensorflow');
/** @param {string} library */
const isThere = (library) =>
  [...libraries, newestHeader].every((name) => existsSync(path.join(library, name)));

/**
 * The folder with TensorFlow's library and headers, in the user's cache.
 * @param {Say} say
 * @param {string | undefined} wheel
 */
async function libraryOf(say, wheel) {
  const library = cachedLibrary();
  const folder = path.dirname(library);
  if (wheel === undefined && isThere(library)) return library;
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
    say('compiling our kernels and the binding');
    const include = [`-I${node}`, '-I.', `-I${library}/include`];
    const objects = [
      ...Object.entries(levels[os.arch()] ?? levels['arm64'] ?? {}).map(([level, words]) => ({
        source: path.join(kernels, 'loops.cc'),
        name: level,
        words: [...optimised, `-DCAIRN_LEVEL=${level}`, ...words],
      })),
      ...['operators', 'threads'].map((name) => ({
        source: path.join(kernels, `${name}.cc`),
        name,
        words: [...optimised, ...include],
      })),
      ...['tfjs_backend', 'tfjs_binding'].map((name) => ({
        source: `binding/${name}.cc`,
        name,
        words: ['-O2', '-DNAPI_VERSION=8', ...include],
      })),
    ];
    for (const { source, name, words } of objects) {
      const out = path.join(draft, `${name}.o`);
      if (!compile(say, folder, ['-c', '-fPIC', '-std=c++17', ...words, source, '-o', out])) return false;
    }
    const made = path.join(draft, 'tfjs_binding.node');
    const linked = compile(say, folder, [
      '-shared',
      ...objects.map(({ name }) => path.join(draft, `${name}.o`)),
      '-o',
      made,
      `-L${library}`,
      ...libraries.map((name) => `-l:${name}`),
      ...[library, ...cuda].map((place) => `-Wl,-rpath,${place}`),
    ]);
    if (!linked) return false;
    const target = path.join(folder, 'lib', 'napi-v8');
    mkdirSync(target, { recursive: true });
    copyFileSync(made, path.join(target, 'tfjs_binding.node.draft'));
    chmodSync(path.join(target, 'tfjs_binding.node.draft'), 0o755);
    renameSync(path.join(target, 'tfjs_binding.node.draft'), path.join(target, 'tfjs_binding.node'));
    return true;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** For our kernels: sums may not be reordered, but a root need not set errno, nor a division trap. */
const optimised = ['-O3', '-fno-math-errno', '-fno-trapping-math', '-Wno-psabi'];

/**
 * @param {Say} say
 * @param {string} folder to compile in
 * @param {readonly string[]} words
 */
function compile(say, folder, words) {
  const { ok, out } = run('g++', words, { cwd: folder, timeout: compileMs });
  if (ok) return true;
  const errors = out.split('\n').filter((line) => /error/.test(line));
  say(`g++ could not compile it: ${(errors.length > 0 ? errors : [out]).slice(0, 3).join('; ')}`);
  return false;
}
