import { describe, expect, it } from 'vitest';
import { readImports, readSources, type SourceFile } from '../support/source-tree.ts';

/** Families that run foreign programs and may therefore import `sandbox`. */
const familiesWithSandbox: readonly string[] = ['envs/code'];

const kernel = ['envs/core'];
/** `envs/open.ts` opens whatever definition it is given, `envs/own-module.ts` whatever file: they name no env. */
const trainer = ['trainers', 'agents', 'envs/core', 'envs/open.ts', 'envs/own-module.ts'];

interface Rule {
  /** Folders and files that may be imported, besides the file's own layer. */
  readonly files: readonly string[];
  /** Packages that may be imported; undefined: any. */
  readonly packages?: readonly string[];
}

const rules: Readonly<Record<string, Rule>> = {
  'envs/core': { files: [], packages: ['zod'] },
  'envs/wrappers': { files: kernel, packages: ['zod'] },
  'envs/composite': { files: kernel, packages: ['zod'] },
  'envs/engines': { files: kernel },
  'envs/<family>': { files: [...kernel, 'envs/engines'] },
  'envs/shop-browser': { files: [...kernel, 'envs/engines', 'envs/shop'] }, // the same shop, shown in another way
  envs: { files: ['envs'] },
  sandbox: { files: ['envs/core/errors.ts'] },
  agents: { files: kernel },
  trainers: { files: trainer },
  'trainers/recipes': { files: ['trainers', 'agents', 'envs', 'sandbox'] },
  serve: { files: ['envs', 'agents'] },
  cli: { files: ['envs', 'sandbox', 'agents', 'trainers', 'serve'] },
  bench: { files: ['envs', 'sandbox', 'agents', 'trainers', 'serve', 'cli'] },
  examples: { files: ['envs', 'sandbox', 'agents', 'trainers', 'serve'] },
  test: { files: ['envs', 'sandbox', 'agents', 'trainers', 'serve', 'cli', 'bench', 'examples', 'scripts'] },
};

/** The row of the table that a file falls under, and the folder that it may roam in. */
function layerOf(file: string): { readonly rule: string; readonly home: string } {
  const [top = '', second = ''] = file.split('/');
  const inFolder = file.split('/').length > 2;
  if (top === 'envs' && inFolder) {
    const own = `envs/${second}`;
    return { rule: own in rules ? own : 'envs/<family>', home: own };
  }
  if (top === 'trainers' && second === 'recipes')
    return { rule: 'trainers/recipes', home: 'trainers/recipes' };
  return { rule: top, home: top };
}

const lies = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`);

function offences(file: Pick<SourceFile, 'path' | 'imports'>): readonly string[] {
  const { rule: name, home } = layerOf(file.path);
  const rule = rules[name];
  if (rule === undefined) return [`${file.path} lies in no layer`];
  const folders = [home, ...rule.files, ...(familiesWithSandbox.includes(home) ? ['sandbox'] : [])];
  return file.imports.flatMap((target) => {
    if (target.kind === 'package') {
      const free =
        target.name.startsWith('node:') || rule.packages === undefined || rule.packages.includes(target.name);
      return free ? [] : [`${file.path} imports the package ${target.name}`];
    }
    const within = folders.some((folder) => lies(target.path, folder));
    const recipe =
      name === 'trainers' && lies(target.path, 'trainers/recipes') && file.path !== 'trainers/index.ts';
    return within && !recipe ? [] : [`${file.path} imports ${target.path}`];
  });
}

/** One cycle of imports that exist at run time, if there is one. */
function findCycle(files: readonly SourceFile[]): readonly string[] | undefined {
  const graph = new Map(
    files.map((file) => [
      file.path,
      file.imports.flatMap((target) => (target.kind === 'file' && !target.typeOnly ? [target.path] : [])),
    ]),
  );
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): readonly string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next, [...trail, file]);
      if (cycle !== undefined) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

describe('the import graph', () => {
  const sources = readSources().filter((file) => file.path !== 'test/project/import-graph.test.ts'); // its examples are no imports

  it('keeps to the table of layers', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.flatMap(offences)).toEqual([]);
  });

  it('imports only files that exist', () => {
    const known = new Set(sources.map((file) => file.path));
    const missing = sources.flatMap((file) =>
      file.imports.flatMap((target) =>
        target.kind === 'file' && target.path.endsWith('.ts') && !known.has(target.path)
          ? [`${file.path}: ${target.path}`]
          : [],
      ),
    );
    expect(missing).toEqual([]);
  });

  it('has no cycle but the lazy ones of the module loaders, which hand the public faces to user code', () => {
    const faces: Readonly<Record<string, string>> = {
      'envs/own-module.ts': 'envs/index.ts',
      'trainers/credit/load-credit-module.ts': 'trainers/index.ts',
    };
    const lazy = (file: SourceFile): SourceFile => ({
      ...file,
      imports: file.imports.filter((target) => target.kind !== 'file' || target.path !== faces[file.path]),
    });
    expect(findCycle(sources.map(lazy))).toBeUndefined();
  });

  it.each([
    ['envs/core/step.ts', "import { x } from '../wrappers/turn-limit.ts';"],
    ['envs/core/step.ts', "import commander from 'commander';"],
    ['envs/wrappers/turn-limit.ts', "import type { x } from '../household/env.ts';"],
    ['envs/household/env.ts', "export { x } from '../puzzle/lights-out.ts';"],
    ['envs/household/deep/env.ts', "import { x } from '../../wrappers/turn-limit.ts';"],
    ['envs/household/env.ts', "import { x } from '../../sandbox/index.ts';"],
    ['envs/open.ts', "import { x } from '../agents/index.ts';"],
    ['agents/policy/choice.ts', "const x = await import('../../trainers/index.ts');"],
    ['agents/rollout/episode.ts', "import { x } from '../../envs/open.ts';"],
    ['trainers/loop/train.ts', "import { x } from '../../envs/household/definition.ts';"],
    ['trainers/loop/train.ts', "import { x } from '../recipes/household.ts';"],
    ['sandbox/sandbox.ts', "import { x } from '../envs/core/env.ts';"],
    ['cli/main.ts', "import '../test/support/corridor.ts';"],
    ['trainers/loop/train.ts', "import {\n  x,\n  y,\n} from '../../cli/main.ts';"],
  ])('would notice in %s: %s', (file, text) => {
    expect(offences({ path: file, imports: readImports(file, text) })).toHaveLength(1);
  });

  it.each([
    ['envs/core/check/check.ts', "import { x } from '../env.ts'; import { z } from 'zod';"],
    ['envs/household/deep/env.ts', "import { x } from '../../core/env.ts';"],
    ['sandbox/fake/provider.ts', "import { x } from '../../envs/core/errors.ts';"],
    ['trainers/recipes/household.ts', "import { x } from '../../envs/household/definition.ts';"],
    [
      'agents/index.ts',
      "export { x } from './policy/choice.ts'; // import { y } from '../trainers/index.ts'",
    ],
  ])('has nothing against %s: %s', (file, text) => {
    expect(offences({ path: file, imports: readImports(file, text) })).toEqual([]);
  });

  it('finds a cycle where there is one', () => {
    const file = (name: string, text: string): SourceFile => ({
      path: name,
      text,
      imports: readImports(name, text),
    });
    const a = file('envs/a.ts', "import { b } from './b.ts';");
    expect(findCycle([a, file('envs/b.ts', "import { a } from './a.ts';")])).toEqual([
      'envs/a.ts',
      'envs/b.ts',
      'envs/a.ts',
    ]);
    expect(findCycle([a, file('envs/b.ts', "import type { a } from './a.ts';")])).toBeUndefined();
  });
});
