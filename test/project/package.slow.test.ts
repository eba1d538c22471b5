// Slow: packs the package, compiles a user's project in three ways and runs the commands of the documents.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root, run, type Ran } from '../support/run-program.ts';

let folder = '';
let tarball = '';
let packed = '';

/** A folder such as a user's project after `npm install cairn-gym`. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-consumer-'));
  const { code, out, err } = await run('npm', [
    'pack',
    '--ignore-scripts',
    '--json',
    '--pack-destination',
    folder,
  ]);
  expect(code, err).toBe(0);
  const [entry] = z.tuple([z.object({ filename: z.string() })]).parse(JSON.parse(out));
  tarball = path.join(folder, path.basename(entry.filename));
  await run('tar', ['-xzf', tarball, '-C', folder]);
  packed = path.join(folder, 'node_modules', 'cairn-gym');
  await mkdir(path.dirname(packed));
  await cp(path.join(folder, 'package'), packed, { recursive: true });
  for (const name of await readdir(path.join(root, 'node_modules'))) {
    if (!name.startsWith('.') && name !== 'cairn-gym')
      await symlink(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name));
  }
  await cp(path.join(root, 'test', 'project', 'consumer'), folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(() => rm(folder, { recursive: true }));

describe('packed package', () => {
  it('contains the expected files and no others', async () => {
    const files = (await readdir(packed, { recursive: true })).map((file) => file.split(path.sep).join('/'));
    for (const wanted of [
      'LICENSE',
      'NOTICE',
      'README.md',
      'CHANGELOG.md',
      'dist/cli/main.js',
      'dist/envs/index.js',
      'dist/envs/index.d.ts',
    ]) {
      expect(files).toContain(wanted);
    }
    expect(
      files.filter((file) =>
        /^(?:test|scripts)\/|^(?:bench|envs)\/.*\.(?!md$)\w+$|^dist\/(?:test|bench)|(?:^|\/)\./.test(file),
      ),
    ).toEqual(['bench/studies/public-web-pages.json']); // which a document links to
    expect(
      (await readFile(path.join(packed, 'dist/cli/main.js'), 'utf8')).startsWith('#!/usr/bin/env node\n'),
    ).toBe(true);
  });

  it('contains every file and folder that its documents link to', async () => {
    const files = (await readdir(packed, { recursive: true, withFileTypes: true })).map((entry) =>
      path.relative(packed, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'),
    );
    const dead: string[] = [];
    for (const document of files.filter((file) => file.endsWith('.md') && !file.startsWith('bench/'))) {
      const text = (await readFile(path.join(packed, document), 'utf8')).replace(/^```[\s\S]*?^```/gm, '');
      const links = [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !/^[a-z]+:/.test(link));
      dead.push(
        ...links
          .filter(
            (link) => !files.includes(path.posix.join(path.posix.dirname(document), link).replace(/\/$/, '')),
          )
          .map((link) => `${link} in ${document}`),
      );
      if (document === 'README.md') expect(links.length).toBeGreaterThan(30);
    }
    expect(dead).toEqual([]);
  });

  it('satisfies publint', async () => {
    const bytes = await readFile(tarball);
    const { messages, pkg } = await publint({
      pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
      strict: true,
    });
    expect(messages.map((message) => formatMessage(message, pkg ?? {}, { color: false }))).toEqual([]);
  });

  it('resolves its types for every consumer of ES modules', async () => {
    const attw = path.join(root, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js');
    const { code, out, err } = await run(process.execPath, [
      attw,
      tarball,
      '--profile',
      'esm-only',
      '--no-color',
      '--format',
      'ascii',
    ]);
    expect(code, out + err).toBe(0);
  });

  it('compiles in a user’s strict program that checks declarations too, and runs there', async () => {
    const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const compiled = await run(process.execPath, [tsc, '-p', 'tsconfig.json'], { cwd: folder });
    expect(compiled.out + compiled.err).toBe('');
    const ran = await run(process.execPath, ['built/program.js'], { cwd: folder });
    expect(ran).toEqual({
      code: 0,
      out: '{"backend":"cpu","credited":2,"tasks":5,"agrees":true,"unmet":1}\n',
      err: '',
    });
  });

  it('runs as a command from where it is installed', async () => {
    const { code, out } = await run(
      process.execPath,
      [path.join(packed, 'dist/cli/main.js'), 'envs', 'lights-out', '--json'],
      { cwd: folder },
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ id: 'lights-out-v1' });
  });
});

describe('snippets of README.md', () => {
  let readme = '';
  let environment = '';
  let credit = '';
  let training = '';
  beforeAll(async () => {
    readme = await readFile(path.join(root, 'README.md'), 'utf8');
    const snippets = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code);
    [environment, credit, training] = z.tuple([z.string(), z.string(), z.string()]).parse(snippets); // another one needs a test too
    await writeFile(path.join(folder, 'sort-env.ts'), environment);
    await writeFile(path.join(folder, 'my-credit.ts'), credit);
  });

  it('equal the files in examples/', async () => {
    expect(environment).toBe(await readFile(path.join(root, 'examples/sort-env.ts'), 'utf8'));
    expect(credit).toBe(await readFile(path.join(root, 'examples/time-baseline-credit.ts'), 'utf8'));
  });

  it('compile against the packed types', async () => {
    const place = path.join(folder, 'snippets');
    await mkdir(place);
    for (const [name, code] of Object.entries({ 'sort-env': environment, 'my-credit': credit, training }))
      await writeFile(path.join(place, `${name}.ts`), `${code}\nexport {};\n`);
    const config = JSON.stringify({
      extends: '../tsconfig.json',
      compilerOptions: { noEmit: true, allowImportingTsExtensions: true },
      include: ['*.ts'],
      files: [],
    });
    await writeFile(path.join(place, 'tsconfig.json'), config);
    const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const compiled = await run(process.execPath, [tsc, '-p', place], { cwd: folder });
    expect(compiled.out + compiled.err).toBe('');
  });

  /** The line of the README that begins so, run as it stands, with words that make it shorter. */
  const asWritten = async (begin: string, more: readonly string[] = [], stdin = ''): Promise<Ran> => {
    const [, line] = new RegExp(`\`npx (${begin}[^\`]*)\``).exec(readme) ?? [];
    const [command = '', ...words] = z.string().parse(line).split(' ');
    const programs: Readonly<Record<string, string>> = {
      cairn: path.join(packed, 'dist/cli/main.js'),
      jiti: path.join(folder, 'node_modules/jiti/lib/jiti-cli.mjs'),
    };
    return run(process.execPath, [z.string().parse(programs[command]), ...words, ...more], {
      cwd: folder,
      drive: (child) => child.stdin?.end(stdin),
    });
  };

  it('make an env that the commands in the README check, play and train on', async () => {
    const checked = await asWritten('cairn check');
    expect(checked.code, checked.err).toBe(0);
    expect(checked.out).toContain('my-lab/sort-v1: no findings');
    const played = await asWritten('cairn play', [], 'quit\n');
    expect(played.code, played.err).toBe(0);
    expect(played.out).toContain('Put the letters in order');
    const small = [
      '--iterations',
      '1',
      '--groups',
      '2',
      '--group-size',
      '2',
      '--with',
      'evaluation.tasks=2',
      '--json',
    ];
    const trained = await asWritten('cairn train', small);
    expect(trained.code, trained.err).toBe(0);
    expect(JSON.parse(trained.out)).toMatchObject({ iteration: 1 });
  });

  it('train with the user’s estimator by the command in the README, shortened', async () => {
    const small = ['--iterations', '1', '--groups', '2', '--group-size', '2', '--with', 'evaluation.tasks=2'];
    const trained = await asWritten('cairn train my-lab/sort --env-module sort-env.ts --credit', small);
    expect(trained.code, trained.err).toBe(0);
    expect(trained.out).toMatch(/^time baseline greedy /m);
  });

  it('evaluate an agent by the script command in the README', async () => {
    await cp(path.join(root, 'examples', 'evaluate-agent.ts'), path.join(folder, 'evaluate-agent.ts'));
    const evaluated = await asWritten('jiti evaluate-agent');
    expect(evaluated.code, evaluated.err).toBe(0);
    expect(evaluated.out).toMatch(
      /^my-lab\/sort-v1, panel dev .*\n[\s\S]*^backwards +100\.0 \[88\.6, 100\.0\].* 5\.0\nrandom /m,
    );
    expect(evaluated.out).toMatch(/^\d\d\.\d points more than chance$/m);
  });

  it('train by the script command in the README, shortened', async () => {
    const shorter = 'seed: 7, iterations: 2, groups: 2, groupSize: 2, evaluation: { tasks: 2 }';
    expect(training).toContain('seed: 7');
    await writeFile(path.join(folder, 'train.ts'), training.replace('seed: 7', shorter));
    const trained = await asWritten('jiti train');
    expect(trained.code, trained.err).toBe(0);
    expect(trained.err).toMatch(/^iteration 1: success \S+\niteration 2: success [\d.]+\n$/);
    expect(trained.out).toMatch(/^my-lab\/sort-v1, panel unseen .*\n[\s\S]*^untrained .*\nGiGPO /m);
    expect(trained.out).toContain(path.join('runs', 'script', 'report.html'));
  });
});
