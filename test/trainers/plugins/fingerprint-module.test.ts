import { mkdir, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { createJiti } from 'jiti';
import { expect, test } from 'vitest';
import { fingerprintModule } from '../../../trainers/plugins/fingerprint-module.ts';
import { useFolder } from '../../support/own-folder.ts';

const inFolder = useFolder();
const write = (name: string, text: string): Promise<void> => writeFile(inFolder(name), text);
const fingerprint = (name: string): Promise<string> => fingerprintModule(inFolder(name), 'here');

test('a module’s fingerprint without imports is the SHA-256 of its content', async () => {
  await write('alone.ts', "import { z } from 'zod';\nexport const estimator = z;\n");
  expect(await fingerprint('alone.ts')).toBe(
    `sha256:${createHash('sha256').update("import { z } from 'zod';\nexport const estimator = z;\n").digest('hex')}`,
  );
  await expect(fingerprint('missing.ts')).rejects.toThrow(/here: .*missing\.ts cannot be read/);
});

test('a module’s fingerprint depends on exactly the files it imports by relative paths', async () => {
  await mkdir(inFolder('parts'));
  await write(
    'main.ts',
    "import { a } from './parts/a.js';\nexport { b } from './parts/b';\n// from './parts/none.ts'\n",
  );
  await write(
    'parts/a.ts',
    "export const a = 1; // in a circle\nimport '../main.ts';\nconst later = () => import('./c.mjs');\n",
  );
  await write('parts/b.ts', 'export const b = 1;\n');
  await write('parts/c.mjs', 'export const c = 1;\n');
  await write('parts/other.ts', 'export const other = 1;\n');
  const seen = [await fingerprint('main.ts')];
  for (const [name, text] of [
    ['parts/other.ts', 'changed'],
    ['parts/a.ts', "export const a = 2;\nimport './c.mjs';\n"],
    ['parts/b.ts', 'changed'],
    ['parts/c.mjs', 'changed'],
  ] as const) {
    await write(name, text);
    seen.push(await fingerprint('main.ts'));
  }
  expect(new Set(seen).size).toBe(4); // the second is the first
  expect(seen[1]).toBe(seen[0]);
});

test('a module’s fingerprint uses the imported file when a path is ambiguous', async () => {
  await write('either.ts', "import './twin';\n");
  await write('twin.ts', 'export const twin = 1;\n');
  await write('twin.js', 'export const twin = 1;\n');
  const before = await fingerprint('either.ts');
  await write('twin.ts', 'export const twin = 2;\n');
  const ofTypeScript = (await fingerprint('either.ts')) !== before;
  await write('twin.ts', 'export const twin = 1;\n');
  await write('twin.js', 'export const twin = 2;\n');
  const ofJavaScript = (await fingerprint('either.ts')) !== before;
  const imported: unknown = await createJiti(inFolder('either.ts'), { fsCache: false }).import('./twin');
  expect([ofTypeScript, ofJavaScript]).toEqual(
    (imported as { readonly twin: number }).twin === 2 ? [false, true] : [true, false],
  );
});
