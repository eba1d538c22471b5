// Slow: installs packages in several ways and starts interpreters from them.
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { describeWithParts } from '../support/system-part.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const installed = path.join(repository, 'node_modules');
const deadlineMs = 100_000;

/** The source of a program that runs commands and prints their output. */
const runner = (within: string, commands: readonly (readonly string[])[]): string => `
import { createWasmProvider } from './sandbox/index.ts';
const { signal } = new AbortController();
await using provider = createWasmProvider({ now: () => performance.now(), warm: 0, within: '${within}' });
const limits = { wallMs: 60_000, cpuMs: 30_000, memoryBytes: 2 ** 28, pids: 8, diskBytes: 2 ** 24, outputBytes: 2 ** 16 };
await using sandbox = await provider.open({ limits, needs: {}, signal });
for (const command of ${JSON.stringify(commands)} as const) {
  const { stdout, stderr } = await sandbox.exec(command, { signal });
  console.log(command[0], stdout.text.trim(), stderr.text);
}
`;

/** The sources of sandboxes in a folder of their own, whose `node_modules` the caller makes. */
function copySources(program: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'linked-'));
  chmodSync(folder, 0o755); // bubblewrap reads it as another user
  for (const part of ['sandbox', 'envs/core', 'package.json'])
    cpSync(path.join(repository, part), path.join(folder, part), { recursive: true });
  writeFileSync(path.join(folder, 'run.ts'), program);
  return folder;
}

/** All packages are in another folder. */
function linkAll(folder: string): void {
  symlinkSync(installed, path.join(folder, 'node_modules'));
}

/** The layout of pnpm: each package in its own folder with links to its imports, and links to the packages imported here. */
function linkAsPnpm(folder: string): void {
  const modules = path.join(folder, 'node_modules');
  const store = (name: string): string =>
    path.join(modules, '.pnpm', `${name.replace('/', '+')}@1.0.0`, 'node_modules');
  const link = (to: string, from: string): void => {
    mkdirSync(path.dirname(from), { recursive: true });
    symlinkSync(path.relative(path.dirname(from), to), from);
  };
  const needs: Readonly<Record<string, readonly string[]>> = {
    'quickjs-emscripten-core': ['@jitl/quickjs-ffi-types'],
    '@jitl/quickjs-wasmfile-release-sync': ['@jitl/quickjs-ffi-types'],
    '@jitl/quickjs-ffi-types': [],
    pyodide: ['ws'],
    ws: [],
  };
  for (const [name, imports] of Object.entries(needs)) {
    cpSync(path.join(installed, name), path.join(store(name), name), { recursive: true });
    for (const imported of imports)
      link(path.join(store(imported), imported), path.join(store(name), imported));
  }
  for (const name of ['quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync', 'pyodide'])
    link(path.join(store(name), name), path.join(modules, name));
  for (const name of ['zod', 'dockerode']) symlinkSync(path.join(installed, name), path.join(modules, name)); // for this process alone
}

async function printedIn(within: string, { arrange, commands }: Layout): Promise<string> {
  const folder = copySources(runner(within, commands));
  arrange(folder);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', import.meta.resolve('jiti/register'), 'run.ts'],
    { cwd: folder, timeout: deadlineMs },
  );
  return stdout;
}

interface Layout {
  readonly arrange: (folder: string) => void;
  readonly commands: readonly (readonly string[])[];
}

const javascript = ['node', '-e', 'console.log(6 * 7)'];
const layouts: readonly (readonly [string, Layout])[] = [
  ['a folder of links', { arrange: linkAll, commands: [javascript] }],
  ['the layout of pnpm', { arrange: linkAsPnpm, commands: [javascript, ['python3', '-c', 'print(6 * 7)']] }], // Python takes seconds to start, so it runs once
];
const answers = ({ commands }: Layout): string => commands.map(([name]) => `${name} 42 \n`).join('');

it.each(layouts)(
  'WebAssembly programs run when packages are links, as in %s',
  async (_name, layout) => {
    expect(await printedIn('nothing', layout)).toBe(answers(layout));
  },
  2 * deadlineMs,
);

await describeWithParts(['bubblewrap'], 'linked packages within bubblewrap', () => {
  it.each(layouts)(
    'run WebAssembly programs, as in %s',
    async (_name, layout) => {
      expect(await printedIn('bubblewrap', layout)).toBe(answers(layout));
    },
    2 * deadlineMs,
  );
});
