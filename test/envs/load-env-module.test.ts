import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkEnv } from '../../envs/check/check-env.ts';
import { describeFinding } from '../../envs/check/report.ts';
import { createContext } from '../../envs/core/context.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { isEnvId } from '../../envs/core/registry.ts';
import { createRng } from '../../envs/core/rng.ts';
import { benchPresetFor } from '../../trainers/recipes/bench-preset.ts';
import { recipeFor } from '../../trainers/recipes/recipe.ts';
import { builtInEnvs, createRegistry, loadEnvModule, openEnv } from '../../envs/index.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cairn-modules-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a module of a user's own and returns its path. */
function write(name: string, lines: string | readonly string[]): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof lines === 'string' ? lines : lines.join('\n'));
  return file;
}

/** A whole definition in few lines, with `more` at its end. */
const definition = (id: string, more = ''): string =>
  `defineEnv({ id: '${id}', summary: 's', config: z.strictObject({}), observation: z.string(), action: z.string(), deterministic: true,
    text: { observation: String, action: String, parse: (text) => ({ kind: 'action', action: text }) }, open: async () => { throw new Error(); }, ${more} })`;
const imports = `import { defineEnv } from 'cairn-gym/envs';\nimport { z } from 'zod';`;

async function refusal(file: string, options?: Parameters<typeof loadEnvModule>[1]): Promise<string> {
  try {
    await loadEnvModule(file, options);
  } catch (thrown) {
    if (UsageError.is(thrown)) return thrown.message;
    throw thrown;
  }
  return 'not refused';
}

describe('the example env modules', () => {
  test('load, register beside the built-in ones and open', async () => {
    const loaded = await loadEnvModule('examples/maze-env.ts');
    expect(loaded.map(({ id }) => id)).toEqual(['my-lab/maze-v1']);
    const registry = createRegistry([...builtInEnvs, ...loaded]);
    const host = await openEnv(registry.find('my-lab/maze'), {}, createContext({ seed: 0, now: () => 0 }));
    expect(host.panels.map(({ name }) => name)).toEqual(['train', 'dev']);
    await host.close();
  });

  test.each(readdirSync('examples').filter((name) => name.endsWith('-env.ts')))(
    'keep the laws of the contract: %s',
    async (name) => {
      for (const definition of await loadEnvModule(path.join('examples', name))) {
        const report = await checkEnv(definition, { tasksPerPanel: 2, pairs: 20 });
        expect(report.findings.map(describeFinding)).toEqual([]);
        expect(report.checked['state-key-alias']).toBeGreaterThan(50);
      }
    },
  );
});

describe('an env module of a user', () => {
  test('keeps its recipes, bench preset and uncheckable laws', async () => {
    const more = `recipes: { choice: [{ settings: { iterations: 7 } }] }, bench: { panels: ['last'] }, unchecked: { secrets: 'none' },`;
    const [own] = await loadEnvModule(
      write('presets.ts', `${imports}\nexport const environments = [${definition('lab/presets-v1', more)}];`),
    );
    if (own === undefined) throw new Error('nothing was loaded');
    expect(recipeFor(own)).toMatchObject({ env: 'lab/presets-v1', iterations: 7 });
    expect(benchPresetFor(own)).toMatchObject({ panels: ['last'], prompt: 'plain' });
    expect(own.unchecked).toEqual({ secrets: 'none' });
  });

  test('shares the classes and functions of this build', async () => {
    const file = write('same.ts', [
      `import { createRng, UsageError } from 'cairn-gym/envs';`,
      imports.split('\n')[1] ?? '',
      `import { defineEnv } from 'cairn-gym/envs';`,
      `export const environments = [${definition('lab/same-v1', 'turnLimit: () => ({ UsageError, createRng }) as never,')}];`,
    ]);
    const [same] = await loadEnvModule(file);
    expect(same?.turnLimit?.({})).toEqual({ UsageError, createRng });
  });

  test.each(['plain.js', 'plain.mjs', 'typed.mts', 'nested/folder/typed.ts'])(
    'loads from %s',
    async (name) => {
      const file = write(name, `${imports}\nexport const environments = [${definition('lab/plain-v1')}];`);
      expect((await loadEnvModule(file)).map(({ id }) => id)).toEqual(['lab/plain-v1']);
    },
  );

  test('loads from several files, a file URL or a path in another folder', async () => {
    write('several/limit.ts', 'export const limit: number = 9;');
    const file = write(
      'several/main.ts',
      `${imports}\nimport { limit } from './limit.ts';\nexport const environments = [${definition('lab/several-v1', 'turnLimit: () => limit')}];`,
    );
    for (const [name, options] of [
      [file, {}],
      [pathToFileURL(file).href, {}],
      ['main.ts', { from: path.dirname(file) }],
    ] as const) {
      expect((await loadEnvModule(name, options))[0]?.turnLimit?.({})).toBe(9);
    }
  });

  test('loads as an installed package', async () => {
    write(
      'project/node_modules/lab-envs/package.json',
      JSON.stringify({ name: 'lab-envs', type: 'module', exports: './envs.js' }),
    );
    write(
      'project/node_modules/lab-envs/envs.js',
      `${imports}\nexport const environments = [${definition('lab/packed-v1')}];`,
    );
    const loaded = await loadEnvModule('lab-envs', { from: path.join(folder, 'project') });
    expect(loaded.map(({ id }) => id)).toEqual(['lab/packed-v1']);
  });

  test('uses its own zod when it has one', async () => {
    write(
      'own-zod/node_modules/zod/package.json',
      JSON.stringify({ name: 'zod', type: 'module', exports: './index.js' }),
    );
    write(
      'own-zod/node_modules/zod/index.js',
      `export const z = { strictObject: () => 'own', string: () => 'own' };`,
    );
    const file = write(
      'own-zod/env.ts',
      `${imports}\nexport const environments = [${definition('lab/own-v1')}];`,
    );
    expect(await refusal(file)).toMatch(
      /environments\[0\]: config: must be a schema made with zod 4; observation: must be/,
    );
  });

  test('can import further modules of this build', async () => {
    const file = write(
      'more.ts',
      `${imports}\nimport { seven } from 'cairn-gym/agents';\nexport const environments = [${definition('lab/more-v1', 'turnLimit: () => seven')}];`,
    );
    expect(
      (await loadEnvModule(file, { modules: { 'cairn-gym/agents': { seven: 7 } } }))[0]?.turnLimit?.({}),
    ).toBe(7);
  });
});

describe('a refusal of loadEnvModule', () => {
  test('names a missing file or package', async () => {
    expect(await refusal('./nowhere.ts', { from: folder })).toBe(
      `env module "./nowhere.ts": the file ${path.join(folder, 'nowhere.ts')} does not exist. Give the path of a TypeScript or JavaScript file, relative to the working folder.`,
    );
    expect(await refusal('no-such-package', { from: folder })).toMatch(
      /the file .*no-such-package does not exist, and no package "no-such-package" is installed there\./,
    );
  });

  test('quotes the message and the line of an error at import', async () => {
    const file = write('throws.ts', [
      'interface Later { readonly x: number }',
      '',
      'function deep(): Later {',
      "  throw new Error('the index is missing');",
      '}',
      'deep();',
      'export const environments = [];',
    ]);
    expect(await refusal(file)).toMatch(
      /^env module ".*throws\.ts": it could not be imported: the index is missing \(at deep \(.*throws\.ts:4:\d+\)\)\. Fix the module/,
    );
  });

  test("gives no column for line one, where the loader's wrapper shifts it", async () => {
    expect(await refusal(write('at-once.ts', "throw new Error('no');"))).toMatch(
      /could not be imported: no \(at .*at-once\.ts:1\)?\)\. Fix the module/,
    );
  });

  test('describes a thrown value that is no Error, and passes on a UsageError', async () => {
    expect(await refusal(write('object.ts', 'throw {};'))).toMatch(
      /^env module ".*object\.ts": it could not be imported: \{\} was thrown, which is not an Error\. Fix the module: /,
    );
    const refusing = `import { UsageError } from 'cairn-gym/envs';\nthrow new UsageError({ where: 'maze', what: 'it has no walls.', fix: 'Build some.' });`;
    expect(await refusal(write('refusing.ts', refusing))).toMatch(
      /^env module ".*refusing\.ts", maze: it has no walls\. Build some\.$/,
    );
  });

  test('names a folder without an index', async () => {
    const place = path.join(folder, 'bare');
    mkdirSync(place);
    expect(await refusal('bare', { from: folder })).toBe(
      `env module "bare": ${place} is a folder without a package.json or an index file that names the module to load. Give the path of a TypeScript or JavaScript file.`,
    );
    writeFileSync(path.join(place, 'index.ts'), 'export const other = 1;');
    expect(await refusal('bare', { from: folder })).toMatch(/it exports other but no `environments`/);
  });

  test('names the line of a syntax error', async () => {
    const file = write('broken.ts', ['export const a = 1;', 'export const environments = [;']);
    expect(await refusal(file)).toMatch(
      /could not be imported: ParseError: Unexpected token .*broken\.ts:2:\d+\./,
    );
  });

  test('names an import that does not exist', async () => {
    expect(
      await refusal(
        write('absent.ts', `import { x } from './not-here.ts';\nexport const environments = [x];`),
      ),
    ).toMatch(/could not be imported: .*not-here\.ts/);
    expect(
      await refusal(
        write(
          'misnamed.ts',
          `import { defineEnvironment } from 'cairn-gym/envs';\nexport const environments = [defineEnvironment({})];`,
        ),
      ),
    ).toMatch(/could not be imported: .*defineEnvironment.*is not a function/);
  });

  test('explains a missing or wrong environments export', async () => {
    expect(await refusal(write('none.ts', 'export const envs = [];\nexport const other = 1;'))).toMatch(
      /it exports envs, other but no `environments`\. Export `environments`: an array/,
    );
    expect(await refusal(write('near.ts', 'export const environment = [];'))).toMatch(
      /Rename environment to environments/,
    );
    expect(await refusal(write('nothing.ts', 'const x = 1;\nvoid x;'))).toMatch(/it has no named exports\./);
    expect(await refusal(write('object.ts', 'export const environments = {};'))).toMatch(
      /`environments` must be an array\./,
    );
    expect(await refusal(write('empty.ts', 'export const environments = [];'))).toMatch(
      /`environments` is empty\./,
    );
  });

  test('names an invalid entry by its index and keys', async () => {
    const file = write(
      'rubbish.ts',
      `${imports}\nexport const environments = [${definition('lab/a-v1')}, { id: 7, turnlimit: 3 }];`,
    );
    const message = await refusal(file);
    expect(message).toMatch(/^env module ".*rubbish\.ts", environments\[1\]: id: .*expected string/);
    for (const part of [
      'summary: ',
      'config: must be a schema made with zod 4',
      'open: must be a function',
      'Unrecognized key: "turnlimit"',
    ])
      expect(message).toContain(part);
    expect(await refusal(write('number.ts', 'export const environments = [3];'))).toMatch(
      /environments\[0\]: .*expected object/,
    );
  });

  test('names an export that throws when it is read', async () => {
    const file = write(
      'getter.ts',
      `${imports}\nexport const environments = [${definition('lab/a-v1')}, { ...${definition('lab/b-v1')}, get id() { throw new Error('not\\nyet'); } }];`,
    );
    expect(await refusal(file)).toMatch(
      /^env module ".*getter\.ts", environments\[1\]: it cannot be read: not yet\. Use plain values and functions for its keys, not getters\.$/,
    );
  });

  test('explains an id that is malformed, unscoped, duplicate or taken', async () => {
    const all = (...ids: readonly string[]): string =>
      `${imports}\nexport const environments = [${ids.map((id) => definition(id)).join(', ')}];`;
    expect(await refusal(write('bare.ts', all('lab/a-v1', 'maze-v1')))).toMatch(
      /environments\[1\]: the id "maze-v1" has no scope.*such as "my-lab\/maze-v1"\./,
    );
    for (const [place, [id, near]] of (
      [
        ['my-lab/Sort', 'my-lab/sort-v1'],
        ['Sort', 'my-lab/sort-v1'],
        ['Big_Maze V02', 'my-lab/big-maze-v2'],
        ['a/b/c-v3', 'a/b-c-v3'],
        ['lab/é', 'my-lab/maze-v1'],
        ['/', 'my-lab/maze-v1'],
      ] as const
    ).entries()) {
      expect(await refusal(write(`near-${place}.ts`, all(id)))).toContain(`"${near}"`);
      expect(isEnvId(near)).toBe(true);
    }
    expect(await refusal(write('bad.ts', all('lab/Maze')))).toMatch(
      /environments\[0\]: the id "lab\/Maze" is malformed\. Use a form like/,
    );
    expect(await refusal(write('twice.ts', all('lab/a-v1', 'lab/b-v1', 'lab/a-v1')))).toMatch(
      /environments\[2\]: the id "lab\/a-v1" is also the id of environments\[0\]\./,
    );
    expect(await refusal(write('taken.ts', all('lab/a-v1')), { taken: ['lab/a-v1'] })).toMatch(
      /environments\[0\]: the id "lab\/a-v1" is already registered\./,
    );
  });
});

test('every refusal of loadEnvModule is a single paragraph', async () => {
  for (const lines of ['export const environments = [3];', 'throw new Error("a\\nb");', 'const x = ;']) {
    expect(
      (await refusal(write(`paragraph-${createRng(lines.length).int(1_000_000)}.ts`, lines))).split('\n'),
    ).toHaveLength(1);
  }
});

describe('an import that never ends', () => {
  test('fails after its deadline', async () => {
    const file = write('waiting.ts', 'await new Promise(() => undefined);\nexport const environments = [];');
    expect(await refusal(file, { deadlineMs: 50 })).toMatch(
      /waiting\.ts": its import did not finish within 0\.05 s\. Remove waits and loops from the top level of the module/,
    );
  });

  test('rejects with the reason of its signal', async () => {
    const file = write(
      'waiting-too.ts',
      'await new Promise(() => undefined);\nexport const environments = [];',
    );
    const controller = new AbortController();
    const loading = loadEnvModule(file, { signal: controller.signal });
    controller.abort(new Error('the user went away'));
    await expect(loading).rejects.toThrow('the user went away');
  });
});
