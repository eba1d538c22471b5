// Slow: sets up and builds clones of the repository.
import { spawn, type ChildProcess } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root, run, type Ran } from '../support/run-program.ts';

let clone = '';
const inClone = (...parts: readonly string[]): string => path.join(clone, ...parts);

/** npm and the compiler are played by programs that write down how they were called; both take a moment, as the real ones do. */
const fakeNpm = `
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
appendFileSync('calls.txt', 'npm ' + process.argv.slice(2).join(' ') + '\\n');
rmSync('node_modules', { recursive: true, force: true });
await new Promise((resolve) => setTimeout(resolve, 100));
if (process.env.FAIL === 'npm') process.exit(7);
mkdirSync('node_modules/typescript/bin', { recursive: true });
writeFileSync('node_modules/typescript/bin/tsc', "require('fs').appendFileSync('calls.txt', 'tsc\\\\n'); require('fs').mkdirSync('dist/cli', { recursive: true }); require('fs').writeFileSync('dist/cli/main.js', '')");
process.stdout.write('npm says hello\\n');
`;

beforeEach(async () => {
  clone = await mkdtemp(path.join(os.tmpdir(), 'cairn-clone-'));
  await cp(path.join(root, 'scripts'), inClone('scripts'), { recursive: true });
  await mkdir(inClone('cli'));
  await writeFile(inClone('cli', 'main.ts'), '');
  await writeFile(inClone('package-lock.json'), '{}');
  await writeFile(inClone('tsconfig.json'), '{}');
  await writeFile(inClone('tsconfig.build.json'), '{ "include": ["cli"] }');
  await writeFile(inClone('npm-cli.js'), fakeNpm);
  await writeFile(inClone('package.json'), '{ "type": "module" }');
  await mkdir(inClone('elsewhere'));
});
afterEach(() => rm(clone, { recursive: true }));

const setUp = (
  words: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
  drive?: (child: ChildProcess) => void,
): Promise<Ran> =>
  run(process.execPath, [inClone('scripts', 'setup.mjs'), ...words], {
    cwd: inClone('elsewhere'),
    environment: { npm_execpath: inClone('npm-cli.js'), CAIRN_SET_UP: undefined, ...environment },
    ...(drive === undefined ? {} : { drive }),
  });
const calls = async (): Promise<readonly string[]> =>
  (await readFile(inClone('calls.txt'), 'utf8').catch(() => '')).split('\n').slice(0, -1);
const install = 'npm ci --include=dev --include=optional --no-audit --no-fund';

describe('set-up', () => {
  it('installs development and optional packages, whatever NODE_ENV says, and keeps stdout empty', async () => {
    const { code, out, err } = await setUp([], { NODE_ENV: 'production' });
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toContain('npm says hello');
    expect(await calls()).toEqual([install]);
  });

  it('does nothing the second time, and installs again when the lockfile changed', async () => {
    await setUp();
    expect(await setUp()).toEqual({ code: 0, out: '', err: '' });
    await writeFile(inClone('package-lock.json'), '{ "changed": true }');
    await setUp();
    expect(await calls()).toEqual([install, install]);
  });

  it('leaves a folder unchanged that a linked node_modules points to', async () => {
    await mkdir(inClone('theirs'));
    await writeFile(inClone('theirs', 'kept'), '');
    await symlink(inClone('theirs'), inClone('node_modules'));
    const { code, err } = await setUp();
    expect(code).toBe(1);
    expect(err).toContain('is a link');
    expect(await readdir(inClone('theirs'))).toEqual(['kept']);
    expect(await calls()).toEqual([]);
  });

  it('builds on request, and again only when a source was changed, added or removed', async () => {
    await setUp(['--build']);
    await setUp(['--build']);
    expect(await calls()).toEqual([install, 'tsc']);
    await writeFile(inClone('cli', 'new.ts'), '');
    await setUp(['--build']);
    await rm(inClone('cli', 'new.ts'));
    await setUp(['--build']);
    await writeFile(inClone('cli', 'main.ts'), 'export {};');
    await setUp(['--build']);
    expect((await calls()).filter((call) => call === 'tsc')).toHaveLength(4);
  });

  it('only builds for npm, which has installed by itself, and builds once where it started npm', async () => {
    expect((await setUp(['--prepare'])).err).toContain('the compiler is not installed');
    await setUp();
    await setUp(['--prepare'], { CAIRN_SET_UP: '1' });
    expect(await calls()).toEqual([install]);
    await setUp(['--prepare']);
    await setUp(['--prepare']);
    expect(await calls()).toEqual([install, 'tsc']);
  });

  it('accepts what npm has installed by itself, if that is all that the lockfile lists', async () => {
    const packages = {
      '': { name: 'clone' },
      'node_modules/a': { version: '1.0.0', integrity: 'x' },
      'node_modules/b': { version: '2.0.0', optional: true, os: [process.platform], cpu: [process.arch] },
      'node_modules/c': { version: '3.0.0', optional: true, os: ['plan9'], cpu: [process.arch] },
    };
    const { 'node_modules/c': _elsewhere, ...whole } = packages;
    const { 'node_modules/b': _omitted, ...partial } = whole;
    await writeFile(inClone('package-lock.json'), JSON.stringify({ packages }));
    const installed = inClone('node_modules', '.package-lock.json');
    await mkdir(inClone('node_modules'));
    const other = { ...whole, 'node_modules/a': { version: '1.0.1', integrity: 'y' } };
    for (const found of [partial, other]) {
      await writeFile(installed, JSON.stringify({ packages: found }));
      await setUp(['--prepare']);
      expect(await readdir(inClone('node_modules'))).toEqual(['.package-lock.json']);
    }
    await writeFile(installed, JSON.stringify({ packages: whole }));
    await setUp(['--prepare']);
    expect(await setUp()).toEqual({ code: 0, out: '', err: '' });
    expect(await calls()).toEqual([]);
  });

  it('copies data beside the modules, and removes what lost its source', async () => {
    await writeFile(inClone('cli', 'words.json'), '[]');
    await setUp(['--build']);
    await writeFile(inClone('dist', 'cli', 'gone.js'), '');
    await writeFile(inClone('dist', 'cli', 'gone.d.ts'), '');
    await rm(inClone('cli', 'words.json'));
    await writeFile(inClone('cli', 'other.json'), '{}');
    await setUp(['--build']);
    expect((await readdir(inClone('dist', 'cli'))).toSorted()).toEqual(['main.js', 'other.json']);
  });

  it('fails when npm fails, and retries the next time', async () => {
    const { code, err } = await setUp([], { FAIL: 'npm' });
    expect(code).toBe(1);
    expect(err).toMatch(/set-up: .*npm-cli\.js ci .* ended with exit code 7/);
    expect((await setUp()).code).toBe(0);
    expect(await readdir(clone)).not.toContain('.setup-lock');
  });

  it('refuses an unknown flag', async () => {
    expect(await setUp(['--biuld'])).toMatchObject({
      code: 1,
      err: 'set-up: there is no option --biuld. The options are --build and --prepare.\n',
    });
  });

  it('refuses an old Node in one sentence', async () => {
    const pretend = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.1' } })`;
    const { code, err } = await run(process.execPath, ['--import', pretend, inClone('scripts', 'setup.mjs')]);
    expect(code).toBe(1);
    expect(err).toMatch(/^set-up: this is Node 18\.20\.1, and Cairn needs 20\.19 or newer\. .*\n$/);
  });
});

describe('lock of set-up', () => {
  it('lets one of many do the work', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => setUp(['--build'])));
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(await calls()).toEqual([install, 'tsc']);
    expect((await readdir(clone)).filter((name) => name.startsWith('.setup-lock'))).toEqual([]);
  });

  it('passes from a dead process to one of those that wait', async () => {
    const dead = spawn(process.execPath, ['-e', '']);
    await once(dead, 'exit');
    await mkdir(inClone('.setup-lock'));
    await writeFile(inClone('.setup-lock', `${dead.pid}-123`), '');
    const all = await Promise.all(Array.from({ length: 4 }, () => setUp()));
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(
      all.filter(({ err }) => err.includes(`took over the lock of process ${dead.pid}, which is gone`)),
    ).toHaveLength(1);
    expect(await calls()).toEqual([install]);
  });

  it('passes from a process whose number was reused', async () => {
    await mkdir(inClone('.setup-lock'));
    await writeFile(inClone('.setup-lock', `${process.pid}-1`), '');
    expect((await setUp()).code).toBe(0);
  });

  it('can be taken when it is empty, as a crash leaves it', async () => {
    await mkdir(inClone('.setup-lock'));
    expect((await setUp()).code).toBe(0);
  });

  it('stays with a live process', async () => {
    const holder = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `
      import { withLock } from ${JSON.stringify(inClone('scripts', 'set-up', 'lock.mjs'))};
      await withLock(() => undefined, async () => { console.log('held'); await new Promise((resolve) => process.stdin.once('data', resolve)); });
      process.exit();
    `,
    ]);
    await once(holder.stdout, 'data');
    let before: readonly string[] | undefined;
    await setUp([], {}, (child) => {
      child.stderr?.on('data', (text: Buffer) => {
        if (!text.includes('waiting for another set-up')) return;
        void calls()
          .then((made) => (before = made))
          .then(() => holder.stdin.end('go'));
      });
    });
    expect(before).toEqual([]);
    expect(await calls()).toEqual([install]);
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('becomes free after its holder got %s', async (signal) => {
    await writeFile(
      inClone('slow-npm-cli.js'),
      "import { writeFileSync } from 'node:fs'; writeFileSync('npm.pid', String(process.pid)); setTimeout(() => undefined, 60_000);",
    );
    const holder = spawn(process.execPath, [inClone('scripts', 'setup.mjs')], {
      env: { ...process.env, npm_execpath: inClone('slow-npm-cli.js') },
    });
    const npm = await waitFor(() => readFile(inClone('npm.pid'), 'utf8').then(Number));
    holder.kill(signal);
    const [code] = (await once(holder, 'exit')) as readonly unknown[];
    expect(code).toBe(signal === 'SIGTERM' ? 1 : null);
    if (signal === 'SIGTERM') expect(() => process.kill(npm, 0)).toThrow('ESRCH');
    else process.kill(npm, 'SIGKILL'); // nobody could pass it on
    expect((await setUp()).code).toBe(0);
  });
});

/** The first result of `look` that is not refused or NaN. */
async function waitFor(look: () => Promise<number>): Promise<number> {
  for (;;) {
    const found = await look().catch(() => Number.NaN);
    if (!Number.isNaN(found) && found !== 0) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
