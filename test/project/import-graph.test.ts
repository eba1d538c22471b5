import { describe, expect, it } from 'vitest';
import { readImports, readSources, type SourceFile } from '../support/source-tree.ts';

/** What the files of a room may import besides the room itself. */
interface Rule {
  /** Folders and files that may be imported. */
  readonly files: readonly string[];
  /** Packages that may be imported; undefined: any. */
  readonly packages?: readonly string[];
}

const kernel = ['envs/core'];
/** `envs/open.ts` opens whatever definition it is given, `envs/own-module.ts` whatever file: they name no env. */
const opening = [...kernel, 'envs/open.ts', 'envs/own-module.ts'];
const everything = ['envs', 'sandbox', 'agents', 'files', 'models', 'trainers', 'lab', 'serve'];

/** The rooms of the house. A file falls under the longest row that it lies in. */
const rules: Readonly<Record<string, Rule>> = {
  'envs/core': { files: [], packages: ['zod'] },
  'envs/check': { files: opening, packages: ['zod'] },
  'envs/kit': { files: kernel, packages: ['zod'] },
  'envs/mixture': { files: opening, packages: ['zod'] }, // it opens the envs that it is given
  'envs/retry': { files: [...opening, 'envs/engines/chat'], packages: ['zod'] }, // a model may give feedback on any env
  'envs/wrappers': { files: kernel, packages: ['zod'] },
  'envs/engines': { files: kernel },
  'envs/engines/tools': { files: [...kernel, 'envs/kit'] }, // a kit for envs of one kind
  'envs/<family>': { files: [...kernel, 'envs/kit', 'envs/engines'] },
  'envs/mcp': { files: [...kernel, 'envs/kit', 'envs/engines', 'sandbox'] }, // programs may check its tasks
  'envs/code': { files: [...kernel, 'envs/kit', 'envs/engines', 'sandbox'] }, // it runs foreign programs
  'envs/shop-browser': { files: [...kernel, 'envs/kit', 'envs/engines', 'envs/shop'] }, // the same shop, shown in another way
  envs: { files: ['envs'] },
  sandbox: { files: ['envs/core/errors.ts', 'envs/core/patient-timer.ts', 'envs/core/waiting.ts'] },
  'agents/core': { files: kernel },
  'agents/rollout': { files: [...kernel, 'agents/core'] },
  'agents/rollout/format': { files: [...kernel, 'agents/core', 'agents/rollout/trajectory.ts'] },
  'agents/rollout/store': {
    files: [
      ...kernel,
      'agents/rollout/episode-path.ts',
      'agents/rollout/format',
      'agents/rollout/trajectory.ts',
    ],
  },
  'agents/prompt': { files: [...kernel, 'agents/core', 'agents/rollout'] },
  'agents/render': { files: [...kernel, 'agents/core', 'agents/rollout', 'agents/prompt'] },
  'agents/policy': {
    files: [...kernel, 'agents/core', 'agents/rollout', 'agents/prompt', 'agents/render'],
  },
  'agents/servers': { files: [...kernel, 'agents/core', 'agents/prompt', 'agents/render'] },
  'agents/index.ts': { files: [...kernel, 'agents'] },
  files: { files: kernel },
  models: { files: [...kernel, 'agents/core', 'agents/render', 'files'] },
  'trainers/results': { files: [...kernel, 'agents/core', 'agents/rollout'] },
  'trainers/credit': { files: [...kernel, 'agents/core', 'agents/rollout', 'trainers/plugins'] },
  'trainers/update': {
    files: [
      ...kernel,
      'agents/core',
      'agents/render',
      'agents/rollout',
      'models',
      'trainers/credit',
      'trainers/plugins',
      'trainers/results',
    ],
  },
  'trainers/env-session.ts': { files: [...opening, 'agents/core', 'agents/rollout'] },
  'trainers/policy': {
    files: [
      ...kernel,
      'agents',
      'files',
      'models',
      'trainers/results',
      'trainers/update',
      'trainers/env-session.ts',
    ],
  },
  'trainers/evaluate': {
    files: [...kernel, 'agents', 'files', 'trainers/results', 'trainers/update', 'trainers/env-session.ts'],
  },
  'trainers/config': {
    files: [
      ...kernel,
      'models',
      'trainers/credit',
      'trainers/critics',
      'trainers/curriculum',
      'trainers/plugins',
      'trainers/policy',
      'trainers/update',
      'trainers/env-session.ts',
    ],
  },
  'trainers/run': {
    files: [
      ...opening,
      'agents/prompt',
      'agents/rollout',
      'files',
      'models',
      'trainers/config',
      'trainers/credit',
      'trainers/critics',
      'trainers/curriculum',
      'trainers/plugins',
      'trainers/results',
      'trainers/update',
    ],
  },
  'trainers/curriculum': { files: [...kernel, 'agents/rollout', 'trainers/plugins'] },
  'trainers/critics': {
    files: [...kernel, 'agents/rollout', 'models', 'trainers/credit', 'trainers/plugins'],
  },
  'trainers/plugins': { files: [...opening, 'trainers/index.ts', 'agents/index.ts'] }, // hands the public faces to user code
  'trainers/recipes': { files: [...kernel, 'agents/prompt', 'trainers/config', 'trainers/results'] },
  'trainers/loop': {
    files: [
      ...opening,
      'agents',
      'files',
      'models',
      'trainers/config',
      'trainers/credit',
      'trainers/critics',
      'trainers/curriculum',
      'trainers/evaluate',
      'trainers/plugins',
      'trainers/policy',
      'trainers/results',
      'trainers/run',
      'trainers/update',
      'trainers/env-session.ts',
    ],
  },
  'trainers/index.ts': { files: [...kernel, 'models', 'trainers'] },
  gym: { files: ['envs'] },
  lab: { files: [...opening, 'agents', 'files', 'models', 'trainers'] },
  serve: { files: ['envs', 'agents'] },
  cli: { files: everything },
  bench: { files: [...everything, 'cli'] },
  examples: { files: everything },
  test: { files: [...everything, 'cli', 'gym', 'bench', 'examples', 'scripts'] },
};

/** The row of the table that a file falls under, and the folder that it may roam in. */
function layerOf(file: string): { readonly rule: string; readonly home: string } {
  const parts = file.split('/');
  const homes = parts.map((_, index) => parts.slice(0, index + 1).join('/')).toReversed();
  const row = homes.find((home) => home in rules) ?? parts[0] ?? '';
  if (row === 'envs' && parts.length > 2) return { rule: 'envs/<family>', home: parts.slice(0, 2).join('/') };
  return { rule: row, home: row };
}

const lies = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`);

function offences(file: Pick<SourceFile, 'path' | 'imports'>): readonly string[] {
  const { rule: name, home } = layerOf(file.path);
  const rule = rules[name];
  if (rule === undefined) return [`${file.path} lies in no layer`];
  const folders = [home, ...rule.files];
  return file.imports.flatMap((target) => {
    if (target.kind === 'package') {
      const free =
        target.name.startsWith('node:') || rule.packages === undefined || rule.packages.includes(target.name);
      return free ? [] : [`${file.path} imports the package ${target.name}`];
    }
    const within = folders.some((folder) => lies(target.path, folder));
    return within ? [] : [`${file.path} imports ${target.path}`];
  });
}

/**
 * The rooms side by side in a folder, as if each were one file. Tests, measurements and examples stand outside of the house; files that lie
 * in the folder itself belong to no room of it.
 */
function readRooms(folder: string, files: readonly SourceFile[]): readonly SourceFile[] {
  const depth = folder === '' ? 0 : folder.split('/').length;
  const roomOf = (file: string): string | undefined => {
    const parts = file.split('/');
    return (folder === '' || file.startsWith(`${folder}/`)) && parts.length > depth + 1
      ? parts.slice(0, depth + 1).join('/')
      : undefined;
  };
  const rooms = new Map<string, SourceFile['imports'][number][]>();
  for (const file of files) {
    const room = roomOf(file.path);
    if (room === undefined) continue;
    const imports = file.imports.flatMap((target) => {
      if (target.kind !== 'file') return [];
      const other = roomOf(target.path);
      return other === undefined || other === room ? [] : [{ ...target, path: other, typeOnly: false }];
    });
    rooms.set(room, [...(rooms.get(room) ?? []), ...imports]);
  }
  return [...rooms].map(([path, imports]) => ({ path, text: '', imports }));
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

describe('import graph', () => {
  const sources = readSources().filter((file) => file.path !== 'test/project/import-graph.test.ts'); // its examples are no imports

  it('follows the table of layers', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.flatMap(offences)).toEqual([]);
  });

  it('contains no room that imports its importer, at any depth, not even a type', () => {
    const house = sources.filter(({ path }) => !/^(?:test|bench|examples|scripts)\//.test(path));
    const folders = new Set(
      house.flatMap(({ path }) => path.split('/').map((_, index, parts) => parts.slice(0, index).join('/'))),
    );
    expect(folders.size).toBeGreaterThan(100);
    const kernelFree = house.map((file) => ({
      ...file,
      imports: file.imports.filter((target) => target.kind === 'package' || !lies(target.path, 'envs/core')),
    })); // everyone stands on the kernel, `sandbox` beside `envs` too
    expect([...folders].flatMap((folder) => findCycle(readRooms(folder, kernelFree)) ?? [])).toEqual([]);
  });

  it.each([['agents/render/incremental', 'incremental-renderer.ts']])(
    'enters %s only through %s',
    (room, entry) => {
      const outside = sources.filter(({ path }) => !lies(path, room) && !path.startsWith('test/'));
      const entered = outside.flatMap(({ imports }) =>
        imports.flatMap((target) => (target.kind === 'file' && lies(target.path, room) ? [target.path] : [])),
      );
      expect(new Set(entered)).toEqual(new Set([`${room}/${entry}`]));
    },
  );

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

  it('contains no cycle except the lazy imports of the module loaders', () => {
    const faces: Readonly<Record<string, string>> = {
      'envs/own-module.ts': 'envs/index.ts',
      'trainers/plugins/load-plugin.ts': 'trainers/index.ts',
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
    ['trainers/loop/train.ts', "import { x } from '../recipes/recipe.ts';"],
    ['trainers/recipes/recipe.ts', "import { x } from '../../envs/household/definition.ts';"],
    ['sandbox/sandbox.ts', "import { x } from '../envs/core/env.ts';"],
    ['cli/main.ts', "import '../test/support/corridor.ts';"],
    ['trainers/loop/train.ts', "import {\n  x,\n  y,\n} from '../../cli/main.ts';"],
    ['trainers/credit/parts/peers.ts', "import type { x } from '../../loop/train.ts';"],
    ['trainers/update/schedule.ts', "import type { x } from '../policy/create-policy.ts';"],
    ['agents/core/agent.ts', "import type { x } from '../policy/token.ts';"],
    ['models/choice/choice-model.ts', "import type { x } from '../../trainers/update/policy.ts';"],
    ['files/lock.ts', "import type { x } from '../models/safetensors/layout.ts';"],
  ])('check reports in %s: %s', (file, text) => {
    expect(offences({ path: file, imports: readImports(file, text) })).toHaveLength(1);
  });

  it.each([
    ['envs/check/check.ts', "import { x } from '../core/env.ts'; import { z } from 'zod';"],
    ['envs/household/deep/env.ts', "import { x } from '../../core/env.ts';"],
    ['sandbox/fake/provider.ts', "import { x } from '../../envs/core/errors.ts';"],
    ['sandbox/fake/provider.ts', "import { x } from '../../envs/core/waiting.ts';"],
    [
      'agents/index.ts',
      "export { x } from './policy/choice.ts'; // import { y } from '../trainers/index.ts'",
    ],
  ])('check allows in %s: %s', (file, text) => {
    expect(offences({ path: file, imports: readImports(file, text) })).toEqual([]);
  });

  it('check finds a cycle', () => {
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
