import { readFile, realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../envs/core/errors.ts';
import { readPackage } from '../program/package-root.ts';

/** Name of a new environment: `rooms` of `my-lab/rooms`. */
export interface EnvName {
  readonly scope: string;
  readonly name: string;
}

const word = '[a-z][a-z0-9]*(?:-[a-z0-9]+)*';
const namePattern = new RegExp(`^(?:(${word})/)?(${word})$`);

/** @throws UsageError for an invalid name */
export function parseEnvName(text: string): EnvName {
  const [, scope = 'my-lab', name] = namePattern.exec(text) ?? [];
  if (name !== undefined) return { scope, name };
  throw new UsageError({
    where: 'cairn-gym new',
    what: `"${text}" cannot be the name of an environment.`,
    fix: 'Use lower-case words with hyphens, such as "rooms" or "your-lab/hidden-rooms".',
  });
}

/** What can be written: each kind has a folder of files in `examples` of this package, and the id that they use. */
const templates = {
  env: { folder: 'env-template', id: 'my-lab/hidden-key-v1' },
  tools: { folder: 'tools-template', id: 'my-lab/library-desk-v1' },
} as const;
export type EnvTemplate = keyof typeof templates;

/** The files of a new environment, by name. `folder` must exist. */
export async function envFiles(
  { scope, name }: EnvName,
  { folder, kind }: { readonly folder: string; readonly kind: EnvTemplate },
): Promise<Readonly<Record<string, string>>> {
  const { root, manifest } = readPackage();
  const template = templates[kind];
  const read = (file: string): Promise<string> =>
    readFile(new URL(`examples/${template.folder}/${file}`, root), 'utf8');
  const id = `${scope}/${name}`;
  const [env, test, readme] = await Promise.all([read('env.ts'), read('env.test.ts'), read('README.md')]);
  const { dependencies, devDependencies } = manifest;
  // a path to this package, which is on no registry
  const link = `file:${relative(await realpath(folder), fileURLToPath(root))}`;
  return {
    [`${name}.ts`]: env.replaceAll(template.id, `${id}-v1`),
    [`${name}.test.ts`]: test.replaceAll('./env.ts', `./${name}.ts`),
    'package.json': json({
      name,
      private: true,
      type: 'module',
      scripts: { test: 'vitest run', check: `cairn-gym check ${id} --env-module ${name}.ts`, types: 'tsc' },
      dependencies: { 'cairn-gym': link, zod: dependencies['zod'] },
      devDependencies: Object.fromEntries(
        ['@types/node', 'typescript', 'vitest'].map((one) => [one, devDependencies[one]]),
      ),
    }),
    'tsconfig.json': json({
      compilerOptions: {
        target: 'ES2023',
        module: 'NodeNext',
        moduleResolution: 'NodeNext',
        strict: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
        noEmit: true,
      },
      include: ['*.ts'],
    }),
    'README.md': readme.replaceAll('{{name}}', name).replaceAll('{{id}}', id),
  };
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
