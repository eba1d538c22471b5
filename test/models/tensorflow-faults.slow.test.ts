// Slow: each test loads a binding of TensorFlow's library in a process of its own.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeWithParts } from '../support/system-part.ts';

const root = resolve(import.meta.dirname, '../..');
const packageFolder = join(root, 'node_modules/@tensorflow/tfjs-node-gpu');
const installed = join(packageFolder, 'lib/napi-v8/tfjs_binding.node');
const library = 'libtensorflow_cc.so.2';
const compiler = 'g++'; // which built the installed one

let folder: string;
let binding: string;

function linkAll(from: string, to: string, but: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) if (name !== but) symlinkSync(join(from, name), join(to, name));
}

interface Said {
  readonly name?: string;
  readonly why?: string;
  readonly notes?: string;
  readonly thrown?: string;
}

/** What a process of that tree says of the backend by its name, and then of `auto`. */
function open(environment: Readonly<Record<string, string>> = {}): {
  readonly named: Said;
  readonly auto: Said;
} {
  const program = `
    const { openBackend } = await import(${JSON.stringify(join(folder, 'dist/models/backend/open-backend.js'))});
    const open = (name) => openBackend(name, { environment: process.env, prefer: 'speed' }).then(
      ({ name, why, notes }) => ({ name, why, notes: notes.join('; ') }),
      (thrown) => ({ thrown: thrown.message }),
    );
    console.log('SAID ' + JSON.stringify({ named: await open('tensorflow'), auto: await open('auto') }));`;
  const { stdout, stderr, signal } = spawnSync(
    process.execPath,
    ['--preserve-symlinks', '--input-type=module', '-e', program],
    {
      cwd: folder,
      encoding: 'utf8',
      timeout: 240_000,
      env: { ...process.env, TF_CPP_MIN_LOG_LEVEL: '3', ...environment },
    },
  );
  const line = stdout.split('\n').find((text) => text.startsWith('SAID '));
  if (line === undefined) throw new Error(`the process ended by ${signal}: ${stderr}`);
  return JSON.parse(line.slice('SAID '.length));
}

/** By its name, with the fix; `auto` goes on to the next backend. */
function expectRefused(reason: RegExp, environment: Readonly<Record<string, string>> = {}): void {
  const { named, auto } = open(environment);
  expect(named.thrown).toMatch(reason);
  expect(named.thrown).toMatch(/--backend tensorflow.*npm run provision -- tensorflow.*or use --backend/);
  expect(auto.name).toMatch(/^(?:webgpu|wasm)$/);
  expect(auto.notes).toMatch(new RegExp(`tensorflow was passed over: .*${reason.source}`));
  expect(auto.why).toMatch(/tensorflow is installed and does not start: /);
}

/** The installed binding, but that it looks for its library in another folder. */
function bindingThatLooksIn(place: string): Buffer {
  const bytes = readFileSync(installed);
  const paths = /\0(\/[\x20-\x7e]*tensorflow[\x20-\x7e]*)(?=\0)/.exec(bytes.toString('latin1'))?.[1] ?? '';
  const at = bytes.indexOf(`${paths}\0`);
  if (at < 0 || place.length > paths.length) throw new Error(`${place} does not fit over ${paths}`);
  bytes.fill(0, at, at + paths.length);
  bytes.write(place, at);
  return bytes;
}

await describeWithParts(['tensorflow'], 'a binding of tensorflow that cannot be loaded', () => {
  /** A tree in which all is as it is here but the folder of the binding. */
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-tensorflow-'));
    symlinkSync(join(root, 'dist'), join(folder, 'dist'));
    symlinkSync(join(root, 'package.json'), join(folder, 'package.json'));
    linkAll(join(root, 'node_modules'), join(folder, 'node_modules'), '@tensorflow');
    linkAll(
      join(root, 'node_modules/@tensorflow'),
      join(folder, 'node_modules/@tensorflow'),
      'tfjs-node-gpu',
    );
    const own = join(folder, 'node_modules/@tensorflow/tfjs-node-gpu');
    mkdirSync(join(own, 'lib/napi-v8'), { recursive: true });
    cpSync(join(packageFolder, 'dist'), join(own, 'dist'), { recursive: true });
    copyFileSync(join(packageFolder, 'package.json'), join(own, 'package.json'));
    binding = join(own, 'lib/napi-v8/tfjs_binding.node');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('the backend starts in such a tree with the installed binding, by its name and by auto', () => {
    copyFileSync(installed, binding);
    const { named, auto } = open();
    expect(named.name).toBe('tensorflow');
    expect(auto.name).toBe('tensorflow');
  });

  test('a binding that was built for another Node is refused', () => {
    const source = join(folder, 'old.c');
    writeFileSync(
      source,
      `struct module { int version; unsigned flags; void *handle; const char *file; void *init, *context; const char *name; void *data, *link; };
       extern void node_module_register(void *);
       static struct module old = {93, 0, 0, "old.c", 0, 0, "old", 0, 0};
       __attribute__((constructor)) static void add(void) { node_module_register(&old); }`,
    );
    execFileSync(compiler, ['-x', 'c', '-shared', '-fPIC', '-w', source, '-o', binding]);
    expectRefused(/was compiled against a different Node\.js version using NODE_MODULE_VERSION 93/);
  });

  test('a binding whose library is missing is refused', () => {
    writeFileSync(binding, bindingThatLooksIn(folder));
    expectRefused(/libtensorflow_cc\.so\.2: cannot open shared object file/);
  });

  test('a binding whose library is cut is refused before the process dies of it', () => {
    writeFileSync(binding, bindingThatLooksIn(folder));
    copyFileSync(installed, join(folder, library)); // any library would do
    truncateSync(join(folder, library), 100_000);
    expectRefused(/libtensorflow_cc\.so\.2 is cut: it has 100000 bytes of at least \d+/);
  });

  test('a cut library in a folder of LD_LIBRARY_PATH is noticed', () => {
    copyFileSync(installed, binding);
    copyFileSync(installed, join(folder, library));
    truncateSync(join(folder, library), 100_000);
    expectRefused(/is cut: it has 100000 bytes/, { LD_LIBRARY_PATH: folder });
  });

  test('a binding that is cut is refused', () => {
    writeFileSync(binding, readFileSync(installed).subarray(0, 200_000));
    expectRefused(/tfjs_binding\.node is cut: it has 200000 bytes/);
  });

  test('a file that is no library is refused', () => {
    writeFileSync(binding, 'not a library');
    expectRefused(/cannot be loaded \(.*(?:invalid ELF header|file too short)/);
  });
});
