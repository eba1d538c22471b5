import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The languages that run in WebAssembly. */
export type WasmLanguage = 'python' | 'javascript';

export const wasmLanguages: readonly WasmLanguage[] = ['python', 'javascript'];

/** The folder of the driver program, which runs in the interpreters' processes. */
export const driverFolder = fileURLToPath(new URL('driver', import.meta.url));

interface Part {
  readonly name: string;
  /** The module that the driver imports. */
  readonly entry: string;
  /** Packages that it imports. */
  readonly imports: readonly string[];
}

const parts: Readonly<Record<WasmLanguage, readonly Part[]>> = {
  python: [{ name: 'pyodide', entry: 'pyodide.mjs', imports: ['ws'] }],
  javascript: [
    { name: 'quickjs-emscripten-core', entry: 'dist/index.mjs', imports: ['@jitl/quickjs-ffi-types'] },
    { name: '@jitl/quickjs-wasmfile-release-sync', entry: 'dist/index.mjs', imports: [] },
  ],
};

/** What an interpreter's process needs of packages. */
export interface InstalledParts {
  /** URLs of the modules that the driver imports. Bare names would lead to links, which it may not read. */
  readonly entries: readonly string[];
  /**
   * Folders to read. Also the links by which packages import each other by bare names, as pnpm and `npm link`
   * create them.
   */
  readonly places: readonly string[];
}

/** The places of a language's packages; undefined where one is missing. */
export function installedParts(language: WasmLanguage): InstalledParts | undefined {
  const entries: string[] = [];
  const places = new Set<string>();
  for (const { name, entry, imports } of parts[language]) {
    const place = placeOf(name, driverFolder);
    if (place === undefined) return undefined;
    const folder = realpathSync(place);
    entries.push(pathToFileURL(path.join(folder, entry)).href);
    places.add(folder);
    for (const imported of imports) {
      const beside = placeOf(imported, folder);
      if (beside === undefined) return undefined;
      places.add(beside).add(realpathSync(beside));
    }
  }
  return { entries, places: [...places] };
}

/**
 * The place where Node finds a package that a file in a folder imports: the nearest `node_modules` that has
 * it. Undefined where it is missing.
 */
function placeOf(name: string, folder: string): string | undefined {
  const place = path.join(folder, 'node_modules', name);
  if (existsSync(path.join(place, 'package.json'))) return place;
  return folder === path.dirname(folder) ? undefined : placeOf(name, path.dirname(folder));
}

/** What to install for the languages that cannot run; undefined where all can. */
export function missingPackages(): string | undefined {
  const names = wasmLanguages
    .filter((language) => installedParts(language) === undefined)
    .flatMap((language) => parts[language].map(({ name }) => name));
  if (names.length === 0) return undefined;
  return `these optional packages are not installed: ${[...new Set(names)].join(', ')}. Install them with npm, without --omit=optional.`;
}
