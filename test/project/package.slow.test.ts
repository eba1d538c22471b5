// Slow: packs the package, and compiles and runs a user's project with it.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root, run } from '../support/run-program.ts';

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
    ).toEqual([
      'bench/studies/public-web-pages.json', // a document links to it
      'bench/catalogue/catalogue.json', // cairn-gym envs reads it
    ]);
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
